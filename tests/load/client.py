"""One connection to the service: each answer is counted, and one not promised is a fault."""

import time
from collections.abc import Iterator
from typing import Any

import urllib3

from tests.load.tally import Tally
from tests.support.messages import of_events

PATIENCE = 30.0
"""Seconds after which a request counts as not answered."""

PUT_OFF = {"too-many-searches", "too-many-requests"}
"""Problems that put a hint off: nothing has changed, and it may be asked for again."""


class FailedError(Exception):
    """An answer that was not promised, or none; it has been noted."""


class Client:
    """Somebody's connection, kept as long as the service keeps it."""

    def __init__(self, port: int, tally: Tally) -> None:
        self._pool = urllib3.HTTPConnectionPool("127.0.0.1", port, timeout=PATIENCE, retries=False)
        self.tally = tally

    def ask(
        self, kind: str, due: float, method: str, path: str, body: Any = None, token: str = ""
    ) -> Any:
        """The JSON of a success, None when a hint was put off; `FailedError` for all else.

        Latency runs from `due`, the moment at which the request was to be sent, so that a service
        that stalls cannot keep its clients from noticing.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            answer = self._pool.request(method, path, json=body, headers=headers)
        except urllib3.exceptions.HTTPError as error:
            self._fail(f"{kind}: no answer, {error!r}")
        self.tally.answered(kind, answer.status, time.monotonic() - due)
        if answer.status < 300:
            return answer.json()
        code = answer.json()["code"]
        if kind == "hint" and code in PUT_OFF and "Retry-After" in answer.headers:
            self.tally.put_off_by(code)
            return None
        return self._fail(f"{kind}: {answer.status} {answer.data!r}")

    def listen(self, path: str) -> Iterator[Any]:
        """What a stream of events tells, message by message; None for a sign of life."""
        due, headers = time.monotonic(), {"Accept": "text/event-stream"}
        try:
            answer = self._pool.request("GET", path, headers=headers, preload_content=False)
            self.tally.answered("watch", answer.status, time.monotonic() - due)
            if answer.status != 200:
                self._fail(f"watch: {answer.status} {answer.data!r}")
            try:
                yield from of_events(line.decode().removesuffix("\n") for line in answer)
            finally:
                answer.close()
        except urllib3.exceptions.HTTPError as error:
            self._fail(f"watch: the stream broke, {error!r}")

    def _fail(self, what: str) -> Any:
        self.tally.fault(what)
        raise FailedError(what)

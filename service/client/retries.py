"""Repeats requests whose answer was lost or came too early, for as long as the client may wait."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import count

import httpx

from service.client import answers
from service.client.calls import Call, Pause, Send, Steps, T
from service.client.errors import ClientError, Problem, Unreachable, WrongUrl

_REPEATED = {429, 502, 503, 504}
"""Answers after which the same request may succeed."""
_FIRST, _LONGEST = 0.1, 5.0
"""Seconds of the first and the longest pause; each is twice the one before."""


@dataclass
class Link:
    """The way to a service: its URL, and for how many seconds a request is repeated.

    `reached` becomes true with the first answer. A service that has never answered is not waited
    for: nothing is listening there, or the URL is wrong.
    """

    url: str
    patience: float
    reached: bool = False
    clock: Callable[[], float] = time.monotonic


Got = httpx.Response | httpx.RequestError
"""A response, or why there is none."""


class Attempts:
    """Failed attempts in a row, and the pauses between them."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self.succeeded()

    def succeeded(self) -> None:
        """Begins anew."""
        self._failures, self._since = 0, self._link.clock()

    def pause(self, got: Got) -> Pause:
        """How long to wait before the next attempt; raises `ClientError` if none is worth it."""
        error = _failure(got, self._link)
        if isinstance(got, httpx.Response) and got.status_code not in _REPEATED:
            raise error
        if isinstance(got, httpx.ConnectError | httpx.ConnectTimeout) and not self._link.reached:
            raise error
        pause = (retry_after(got) or 0) + backoff(self._failures)
        if self._link.clock() - self._since + pause > self._link.patience:
            raise error
        self._failures += 1
        return Pause(pause)


def backoff(failures: int) -> float:
    """Seconds to wait after so many failures and one more; random, so that clients spread."""
    return min(_FIRST * 2.0**failures, _LONGEST) * random.uniform(0.5, 1)  # noqa: S311


def exchange(call: Call[T], link: Link) -> Steps[T]:
    """Sends a request until it has an answer; raises `ClientError` if that refuses it."""
    attempts = Attempts(link)
    for attempt in count():
        got: Got = yield Send(call)
        if isinstance(got, httpx.Response):
            link.reached = True
            if got.status_code not in _REPEATED:
                read = call.read_repeated if attempt and call.read_repeated else call.read
                return read(got)
        yield attempts.pause(got)
    raise AssertionError("attempts never end without a reason")


def retry_after(got: Got) -> float | None:
    """The seconds to wait that an answer names, in `Retry-After`, as a number or a date."""
    if not isinstance(got, httpx.Response) or "retry-after" not in got.headers:
        return None
    value = got.headers["retry-after"].strip()
    if value.isdecimal():
        return float(value)
    until, now = _date(value), _date(got.headers.get("date", "")) or datetime.now(UTC)
    return None if until is None else max(0.0, (until - now).total_seconds())


def _date(value: str) -> datetime | None:
    try:
        parsed = parsedate_to_datetime(value)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def _failure(got: Got, link: Link) -> ClientError:
    """The exception for an attempt that failed, if it is the last one."""
    if isinstance(got, httpx.RequestError):
        reason = str(got) or type(got).__name__
        if "WRONG_VERSION_NUMBER" in reason:  # as OpenSSL names an answer that is not encrypted
            reason = "it does not speak https there, perhaps http"
        return Unreachable(f"The service at {link.url} cannot be reached: {reason}")
    error = answers.refusal(got)
    if isinstance(error, Problem):
        error.retry_after = retry_after(got)
    elif isinstance(error, WrongUrl) and got.status_code in _REPEATED:
        reason = f"{got.status_code} from a proxy before it"
        return Unreachable(f"The service at {link.url} cannot be reached: {reason}")
    return error

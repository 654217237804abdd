"""Streams of messages about a game, as they come over a socket."""

import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.contract.contract import Contract
from tests.support.messages import EVENT, FORMS, of_events, of_lines
from tests.support.servers import Service

_, LINES, EVENTS = FORMS
STREAMS = {EVENTS: of_events, LINES: of_lines}


class Stream:
    """A stream of messages as it comes over a socket."""

    def __init__(self, port, path, media_type, contract, **headers):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection.request("GET", path, headers={"Accept": media_type, **sent})
        self.answer = self._connection.getresponse()
        self._contract = contract
        self._messages = STREAMS[media_type](self._lines())

    def _lines(self):
        while line := self.answer.readline():
            yield line.decode().removesuffix("\n")

    def next(self):
        """The next message; None when the stream has ended."""
        found = next((message for message in self._messages if message is not None), None)
        if found is not None:
            self._contract.check_value("a stream", "message", EVENT, found)
        return found

    def close(self):
        self.answer.close()
        self._connection.close()


@contextmanager
def watching(service: Service, contract: Contract) -> Iterator[Callable[..., "Stream"]]:
    """A way to watch at a service; whatever was begun ends with the block."""
    opened = []

    def begin(player, media_type=EVENTS, query="", **headers):
        path = f"{player.path}/events{query}"
        opened.append(Stream(service.port, path, media_type, contract, **headers))
        assert opened[-1].answer.status == 200
        return opened[-1]

    yield begin
    for stream in opened:
        stream.close()

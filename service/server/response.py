"""gunicorn's response, sent in one piece and without checking what werkzeug has checked."""

import time
from collections.abc import Iterable
from email.utils import formatdate
from functools import lru_cache

from gunicorn.http import wsgi


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    """A time as heads have it; made once a second."""
    return formatdate(second, usegmt=True)


class Response(wsgi.Response):  # type: ignore[misc]  # gunicorn has no types
    """Holds the head back until the body begins: a send costs as much as some hundred bytes more.

    The head of a stream is sent at once.
    """

    headers_sent: bool
    _head = b""

    def process_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """Takes headers as they are; gunicorn matches each with three patterns."""
        for name, value in headers:
            if name == "Content-Length":
                self.response_length = int(value)
            self.headers.append((name, value))

    def send_headers(self) -> None:
        """Makes the head."""
        if self.headers_sent:
            return
        major, minor = self.req.version
        lines = [
            f"HTTP/{major}.{minor} {self.status}\r\nServer: {self.version}\r\n",
            f"Date: {_date(int(time.time()))}\r\n",
            f"Connection: {'close' if self.should_close() else 'keep-alive'}\r\n",
        ]
        if self.chunked:
            lines.append("Transfer-Encoding: chunked\r\n")
        lines += [f"{name}: {value}\r\n" for name, value in self.headers]
        self._head = f"{''.join(lines)}\r\n".encode("latin-1")
        self.headers_sent = True
        if self.chunked:
            self._send(b"")

    def close(self) -> None:
        """Sends what is left: the head of an answer without a body, the end of a stream."""
        super().close()
        if self._head:
            self._send(b"")

    def can_sendfile(self) -> bool:
        """False: a file is sent as any other body."""
        return False

    def _emit_body(self, data: bytes) -> None:
        self._send(b"%X\r\n%b\r\n" % (len(data), data) if self.chunked else data)

    def _send(self, data: bytes) -> None:
        data, self._head = self._head + data, b""
        sent = self.sock.send(data)  # which costs less than gevent's sendall
        if sent < len(data):
            self.sock.sendall(memoryview(data)[sent:])

"""A client's socket that sends the head of a response together with the beginning of its body."""

from typing import Any

_CHUNKED = b"\r\nTransfer-Encoding: chunked\r\n"


class JoinedWrites:
    """Holds the head of one response back until its body begins, since each send costs as much as
    a few hundred bytes more; of a stream, it sends the head at once.
    """

    def __init__(self, sock: Any) -> None:
        self._sock = sock
        self._head: bytes | None = None

    def sendall(self, data: bytes) -> None:
        """Sends `data`, or holds it back if it is the head."""
        if self._head is None and _CHUNKED not in data:
            self._head = data
            return
        data, self._head = (self._head or b"") + data, b""
        sent = self._sock.send(data)  # which costs less than gevent's sendall
        if sent < len(data):
            self._sock.sendall(data[sent:])

    def flush(self) -> None:
        """Sends the head of a response without a body."""
        if self._head:
            self.sendall(b"")

    def __getattr__(self, name: str) -> Any:
        """Whatever else a socket can do."""
        self.flush()
        return getattr(self._sock, name)

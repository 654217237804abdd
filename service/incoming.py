"""The bytes of one HTTP request as they come, and whether all of them are there (RFC 9112)."""

import re

MOST = 128 * 1024
"""Bytes of a request that are waited for: twice the longest body there may be."""

_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r]*chunked", re.IGNORECASE)
_CONTINUE = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)


class Incoming:
    """Collects a request. It is looked through once, however small the pieces it comes in.

    What is no request counts as ready as soon as that can be seen: whoever reads it then says so.
    """

    def __init__(self, data: bytes = b"") -> None:
        self.data = bytearray(data)
        self.awaits_word = False
        """Whether the client has sent a head, and waits to be told to go on."""
        self._body = 0
        self._next = 0
        self._chunked = False

    @property
    def is_cut(self) -> bool:
        """Whether it is too long to be waited for, and what may still come is not looked at."""
        return max(len(self.data), self._next) >= MOST and not self._is_whole()

    def is_ready(self) -> bool:
        """Whether it is whole, or cut."""
        return self._is_whole() or self.is_cut

    def _is_whole(self) -> bool:
        if not self._body and not self._has_head():
            return False
        return self._has_chunks() if self._chunked else len(self.data) >= self._next

    def _has_head(self) -> bool:
        end = self.data.find(_END, self._next)
        if end < 0:
            self._next = max(0, len(self.data) - len(_END) + 1)
            return False
        self._body = self._next = end + len(_END)
        head = bytes(self.data[: self._body])
        self._chunked = _CHUNKED.search(head) is not None
        length = _LENGTH.search(head)
        if length and not self._chunked:
            self._next += int(length[1])
        self.awaits_word = _CONTINUE.search(head) is not None
        return True

    def _has_chunks(self) -> bool:
        """Whether the last chunk is there, and what follows it; at `_next`, a chunk begins."""
        while True:
            line = self.data.find(b"\r\n", self._next, self._next + 1000)
            if line < 0:
                return len(self.data) > self._next + 1000
            try:
                size = int(bytes(self.data[self._next : line]).partition(b";")[0], 16)
            except ValueError:
                return True
            if size == 0:
                return self.data.find(_END, line) >= 0
            if size < 0 or line + size + 4 > len(self.data):
                return size < 0
            self._next = line + size + 4

"""Room for those who think: so many searches at once in a process, and no queue for more."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from service.errors import TooManySearchesError


class Searches:
    """So many searches may run at once in one process; safe to use from many threads.

    A search has a budget, but takes a good part of a second; a queue of them would soon hold every
    thread that a move could be answered by.
    """

    def __init__(self, room: int) -> None:
        self._room = threading.Semaphore(room)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Holds a place for one search; `TooManySearchesError`, at once, if there is none."""
        if not self._room.acquire(blocking=False):
            raise TooManySearchesError
        try:
            yield
        finally:
            self._room.release()

"""Runs long computations outside the event loop, and limits concurrent searches."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, Protocol, TypeVar

from service.errors import TooManySearchesError

P = ParamSpec("P")
T = TypeVar("T")


class Run(Protocol):
    """Calls a pure function, in this or another thread, and returns its result."""

    def __call__(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `compute`, or what it raises."""


def run_here(compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls `compute` in the calling thread."""
    return compute(*args, **kwargs)


class ComputePool:
    """Runs long computations, and limits concurrent searches per process.

    A search may take most of a second; a queue of them would keep players waiting.
    """

    def __init__(self, searches: int, run: Run = run_here, run_search: Run = run_here) -> None:
        """Up to `searches` run at once.

        `run` and `run_search` call a function where it blocks no other request: searches apart
        from all else, so that nothing waits for them.
        """
        self._slots = threading.Semaphore(searches)
        self.run = run
        self._run_search = run_search

    def search(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a search; raises `TooManySearchesError` at once while the limit is reached."""
        with self.slot():
            return self._run_search(compute, *args, **kwargs)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Counts as one search while it is held; raises as `search` does."""
        if not self._slots.acquire(blocking=False):
            raise TooManySearchesError
        try:
            yield
        finally:
            self._slots.release()

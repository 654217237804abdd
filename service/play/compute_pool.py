"""Where long pure computations run, and how many searches may run at once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, Protocol, TypeVar

from service.errors import TooManySearchesError

P = ParamSpec("P")
T = TypeVar("T")


class Run(Protocol):
    """Calls a pure function, here or in another thread, and gives its result."""

    def __call__(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `compute` gives for these arguments, or what it raises."""


def run_here(compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls `compute` in the thread that asks."""
    return compute(*args, **kwargs)


class ComputePool:
    """Runs what takes long outside the event loop, and limits concurrent searches per process.

    A search takes a good part of a second; a queue of them would keep players waiting.
    """

    def __init__(self, searches: int, run: Run = run_here) -> None:
        """`searches` may run at once; `run` calls a function wherever it holds nobody up."""
        self._slots = threading.Semaphore(searches)
        self.run = run

    def search(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a search in a slot; `TooManySearchesError`, at once, where all are taken."""
        with self.slot():
            return self.run(compute, *args, **kwargs)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Holds a slot for one search; raises as `search` does."""
        if not self._slots.acquire(blocking=False):
            raise TooManySearchesError
        try:
            yield
        finally:
            self._slots.release()

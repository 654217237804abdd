"""Runs coroutines in a thread of their own: Playwright leaves a running loop in the first one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self, TypeVar

T = TypeVar("T")


class Runner:
    """Runs coroutines one after another in the same loop, until its block ends."""

    def __enter__(self) -> Self:
        self._thread, self._runner = ThreadPoolExecutor(1), asyncio.Runner()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, once it is there."""
        return self._thread.submit(self._runner.run, work).result()


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, in a loop of its own."""
    with Runner() as runner:
        return runner.run(work)

"""Limits how many watchers a process has at once."""

import threading
from collections import Counter
from typing import NamedTuple

from service.errors import TooManyWatchersError


class WatcherLimits(NamedTuple):
    """How many may watch at once in one process: in all, from one address, and one game."""

    total: int = 2000
    an_address: int = 100
    a_game: int = 1000


DEFAULT_WATCHER_LIMITS = WatcherLimits()


class WatcherSlots:
    """The slots taken in one process; thread-safe."""

    def __init__(self, limits: WatcherLimits) -> None:
        self._limits = limits
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, game_id: str, address: str) -> None:
        """Takes a slot; `TooManyWatchersError`, and none is taken, if a limit is reached."""
        where = "here", "from your address", "this game"
        slots = _slots(game_id, address)
        with self._lock:
            for slot, limit, words in zip(slots, self._limits, where, strict=True):
                if self._taken[slot] >= limit:
                    raise TooManyWatchersError(limit, words)
            self._taken.update(slots)

    def release(self, game_id: str, address: str) -> None:
        """Releases a slot that was taken."""
        with self._lock:
            for slot in _slots(game_id, address):
                self._taken[slot] -= 1
                if not self._taken[slot]:
                    del self._taken[slot]

    @property
    def taken(self) -> int:
        """How many slots are taken."""
        return self._taken["all"]


def _slots(game_id: str, address: str) -> tuple[str, str, str]:
    """What one watcher counts for, in the order of `WatcherLimits`."""
    return "all", f"from {address}", f"at {game_id}"

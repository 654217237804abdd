"""Room for watchers: how many there may be at once, and who has come."""

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
    """The seats that are taken in one process; safe to use from many threads."""

    def __init__(self, room: WatcherLimits) -> None:
        self._room = room
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, game_id: str, address: str) -> None:
        """Seats one more; `TooManyWatchersError`, and nobody is seated, if there is no room."""
        room = self._room
        with self._lock:
            for seat, limit, where in (
                ("all", room.total, "here"),
                (f"from {address}", room.an_address, "from your address"),
                (f"at {game_id}", room.a_game, "this game"),
            ):
                if self._taken[seat] >= limit:
                    raise TooManyWatchersError(limit, where)
            self._taken.update(_seats(game_id, address))

    def release(self, game_id: str, address: str) -> None:
        """Frees the seat of one that was seated."""
        with self._lock:
            for seat in _seats(game_id, address):
                self._taken[seat] -= 1
                if not self._taken[seat]:
                    del self._taken[seat]

    @property
    def taken(self) -> int:
        """How many are seated."""
        return self._taken["all"]


def _seats(game_id: str, address: str) -> tuple[str, ...]:
    return "all", f"from {address}", f"at {game_id}"

"""Watches games: one listener in a process passes on what happens to all watchers of a game."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

from service.errors import AsterismError, GameNotFoundError, StoreUnavailableError
from service.play.watcher_slots import WatcherLimits, WatcherSlots
from service.records.timeline import Message, Timeline
from service.store import ChangeFeed, Store

HEARTBEAT_SECONDS = 5.0
"""Seconds of silence after which a heartbeat is sent.

The first write after a watcher has hung up still succeeds, so it is noticed within two of them.
"""

POLL_SECONDS = 10.0
"""Seconds after which every watched game is read, even if the change feed was silent."""


class WatchHub:
    """All watchers of games in this process.

    However many there are, one connection hears which games change, and each change is read once.
    The threads here may be greenlets.
    """

    def __init__(
        self,
        store: Store,
        feed: ChangeFeed,
        limits: WatcherLimits,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` gives seconds since 1970 UTC. Connects when the first watcher joins."""
        self._store, self._feed, self._clock = store, feed, clock
        self._slots = WatcherSlots(limits)
        self._watched: dict[str, _WatchedGame] = {}
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self._closed = threading.Event()

    @property
    def watchers(self) -> int:
        """How many there are."""
        return self._slots.taken

    def join(self, game_id: str, address: str) -> "Watcher":
        """A new watcher of a game, from `address`; its `leave` must be called.

        Raises `TooManyWatchersError`, and what reading a game raises; then nothing is left of it.
        """
        with ExitStack() as leaving:
            self._slots.take(game_id, address)
            leaving.callback(self._slots.release, game_id, address)
            watched = self._attach(game_id)
            leaving.callback(self._detach, watched)
            self._ensure_listener()
            self._read(watched)
            return Watcher(watched, self._closed, leaving.pop_all().close)

    def close(self) -> None:
        """Ends all watchers; later ones get what has happened so far, and end too."""
        self._closed.set()
        for watched in list(self._watched.values()):
            watched.wake()

    def _attach(self, game_id: str) -> "_WatchedGame":
        with self._lock:
            watched = self._watched.setdefault(game_id, _WatchedGame(game_id))
            watched.watchers += 1
            return watched

    def _detach(self, watched: "_WatchedGame") -> None:
        with self._lock:
            watched.watchers -= 1
            if not watched.watchers:
                del self._watched[watched.game_id]

    def _ensure_listener(self) -> None:
        with self._lock:
            if self._listener is None or not self._listener.is_alive():
                self._listener = threading.Thread(target=self._listen, daemon=True)
                self._listener.start()

    def _listen(self) -> None:
        """Reads each watched game that the feed names, and every so often all of them."""
        due = 0.0
        for game_id in self._feed():
            if game_id is None or time.monotonic() >= due:
                due = time.monotonic() + POLL_SECONDS
                self._read_all(list(self._watched.values()))
            elif game_id in self._watched:
                self._read_all([self._watched[game_id]])

    def _read_all(self, games: "list[_WatchedGame]") -> None:
        for watched in games:
            try:
                self._read(watched)
            except StoreUnavailableError:
                return  # for all games alike: they are read again when the feed is back
            except AsterismError:
                continue  # its watchers have been told

    def _read(self, watched: "_WatchedGame") -> None:
        """Reads a game and tells its watchers; raises what reading a game raises."""
        with watched.reading:
            known = watched.current if isinstance(watched.current, Timeline) else None
            try:
                watched.update(self._store.story(watched.game_id, known))
            except StoreUnavailableError:
                raise
            except GameNotFoundError:
                if known is not None:  # or else the message that it was deleted stays
                    watched.update(known.deleted(int(self._clock() * 1000)))
                raise
            except AsterismError:
                watched.update(None)
                raise


class _WatchedGame:
    """A game and its watchers, who wait for it to change.

    `current` is the game with its events, or the last message of a deleted game, or None if it was
    not read yet or cannot be read any more.
    """

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.current: Timeline | Message | None = None
        self.watchers = 0
        self.reading = threading.Lock()
        self._changed = threading.Condition()

    def update(self, current: Timeline | Message | None) -> None:
        """Replaces `current`, and wakes all watchers if that is a change."""
        if current is not self.current:
            self.current = current
            self.wake()

    def wake(self) -> None:
        """Wakes all watchers."""
        with self._changed:
            self._changed.notify_all()

    def wait(self, until: Callable[[], bool], seconds: float) -> bool:
        """Waits up to `seconds` for a wake-up after which `until` holds; whether it holds."""
        with self._changed:
            return self._changed.wait_for(until, seconds)


class Watcher:
    """One watcher of a game."""

    def __init__(
        self, watched: _WatchedGame, closed: threading.Event, leave: Callable[[], None]
    ) -> None:
        """`leave` gives the watcher's slot back; calling it again does nothing."""
        self._watched, self._closed = watched, closed
        self.leave = leave

    def messages(self, after: int | None, seconds: float) -> Iterator[tuple[Message, ...]]:
        """What happens after version `after`, for up to `seconds`; for None, a snapshot first.

        Messages that are read together come together; an empty tuple is a heartbeat. The last
        message may be that the game was deleted.
        """
        end = time.monotonic() + seconds
        while True:
            current = self._watched.current
            if not isinstance(current, Timeline):
                yield from [(current,)] if current else []
                return
            messages = current.since(after)
            if messages:
                after = messages[-1].version
                yield messages
            left = end - time.monotonic()
            if left <= 0 or self._closed.is_set():
                return
            stale = partial(self._is_stale, current)
            woken = self._watched.wait(stale, min(left, HEARTBEAT_SECONDS))
            if not woken and left > HEARTBEAT_SECONDS:
                yield ()

    def _is_stale(self, current: Timeline) -> bool:
        return self._closed.is_set() or self._watched.current is not current

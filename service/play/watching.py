"""Who watches which game: one reader in a process tells all its watchers what happens."""

import threading
import time
from collections.abc import Callable, Iterator
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
"""Seconds after which every watched game is looked at, whatever the news has said."""


class WatchHub:
    """All who watch a game in this process.

    However many they are, one connection hears which games change and one reads those, each
    change once. The threads spoken of here may be greenlets.
    """

    def __init__(
        self,
        store: Store,
        news: ChangeFeed,
        room: WatcherLimits,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` gives seconds since 1970 UTC. Opens nothing before somebody comes."""
        self._store, self._news, self._clock = store, news, clock
        self._seats = WatcherSlots(room)
        self._watched: dict[str, _Watched] = {}
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None
        self._closed = threading.Event()

    @property
    def watchers(self) -> int:
        """How many there are."""
        return self._seats.taken

    def join(self, game_id: str, address: str) -> "Watcher":
        """One more watcher of a game, who comes from `address`; `leave` must let it go.

        Raises `TooManyWatchersError`, and what reading a game raises.
        """
        self._seats.take(game_id, address)
        with self._lock:
            watched = self._watched.setdefault(game_id, _Watched(game_id))
            watched.watchers += 1
            if self._listener is None or not self._listener.is_alive():
                self._listener = threading.Thread(target=self._listen, daemon=True)
                self._listener.start()

        def leave() -> None:
            self._seats.release(game_id, address)
            with self._lock:
                watched.watchers -= 1
                if not watched.watchers:
                    del self._watched[game_id]

        try:
            self._look(watched)
        except BaseException:
            leave()
            raise
        return Watcher(watched, self._closed, leave)

    def close(self) -> None:
        """Ends what all watchers are told. Who comes later is told what there is, and no more."""
        self._closed.set()
        for watched in list(self._watched.values()):
            watched.wake()

    def _listen(self) -> None:
        """Looks at each watched game that the news names, and every so often at all of them."""
        due = 0.0
        for game_id in self._news():
            if game_id is None or time.monotonic() >= due:
                due = time.monotonic() + POLL_SECONDS
                self._look_at(list(self._watched.values()))
            elif game_id in self._watched:
                self._look_at([self._watched[game_id]])

    def _look_at(self, games: "list[_Watched]") -> None:
        for watched in games:
            try:
                self._look(watched)
            except StoreUnavailableError:
                return  # It is away for all games. They are looked at again when it is back.
            except AsterismError:
                continue  # Its watchers have been told.

    def _look(self, watched: "_Watched") -> None:
        """Reads a game and tells its watchers; raises what reading a game raises."""
        with watched.looking:
            known = watched.now if isinstance(watched.now, Timeline) else None
            try:
                watched.tell(self._store.story(watched.game_id, known))
            except StoreUnavailableError:
                raise
            except GameNotFoundError:
                watched.tell(known and known.deleted(int(self._clock() * 1000)))
                raise
            except AsterismError:
                watched.tell(None)
                raise


class _Watched:
    """A game that is watched: what there is to tell of it, and a bell.

    `now` is a story, or the last message of a game that was deleted, or None: nothing is known of
    the game, or it cannot be read any more.
    """

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.now: Timeline | Message | None = None
        self.watchers = 0
        self.looking = threading.Lock()
        self._bell = threading.Condition()

    def tell(self, now: Timeline | Message | None) -> None:
        """Changes what there is to tell, and wakes all who wait for that."""
        if now is not self.now:
            self.now = now
            self.wake()

    def wake(self) -> None:
        """Wakes all who wait."""
        with self._bell:
            self._bell.notify_all()

    def wait(self, until: Callable[[], bool], seconds: float) -> bool:
        """Waits until a waking finds that `until` holds, or for `seconds`; whether it holds."""
        with self._bell:
            return self._bell.wait_for(until, seconds)


class Watcher:
    """One who watches a game."""

    def __init__(
        self, watched: _Watched, closed: threading.Event, leave: Callable[[], None]
    ) -> None:
        self._watched, self._closed = watched, closed
        self.leave = leave

    def messages(self, after: int | None, seconds: float) -> Iterator[tuple[Message, ...]]:
        """What happens after version `after`, for `seconds` at the most; None: a snapshot first.

        Messages come together that are known together; none at all are a sign of life. The last
        one may be that the game has been deleted.
        """
        end = time.monotonic() + seconds
        while True:
            now = self._watched.now
            if not isinstance(now, Timeline):
                yield from [(now,)] if now else []
                return
            messages = now.since(after)
            if messages:
                after = messages[-1].version
                yield messages
            left = end - time.monotonic()
            if left <= 0 or self._closed.is_set():
                return
            stale = self._watched.wait(partial(self._is_stale, now), min(left, HEARTBEAT_SECONDS))
            if not stale and left > HEARTBEAT_SECONDS:
                yield ()

    def _is_stale(self, now: Timeline) -> bool:
        return self._closed.is_set() or self._watched.now is not now

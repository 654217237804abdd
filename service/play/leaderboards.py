"""Leaderboards: counts the games of owned labels, and reads how these stand."""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache

from service.play.compute_pool import Run
from service.records.game import Game
from service.records.leaderboards import (
    A_DAY,
    DAYS,
    Leaderboard,
    Tally,
    attempt_of,
    leaderboard,
)
from service.records.results import Result
from service.store import Store

A_MINUTE = 60 * 1000
"""How old a leaderboard may be, in milliseconds."""

DAYS_CACHED = 1000
"""How many days of variants a process keeps the tallies of."""


class Leaderboards:
    """Counts results by day and label, each under its game and version: repeats change nothing.

    A leaderboard is computed at most once a minute, from the days that have changed since.
    """

    def __init__(self, store: Store, now: Callable[[], int], run: Run) -> None:
        """`now` gives milliseconds since 1970 UTC; `run` computes what takes long."""
        self._store = store.tally_store
        self._now = now
        self._run = run
        self._latest: dict[str, tuple[int, Leaderboard]] = {}
        self._tallies = lru_cache(DAYS_CACHED)(self._read_tallies)

    def count(self, game: Game, result: Result) -> None:
        """Counts the result of `game`, if it counts, unless that of a later version is counted."""
        attempt = attempt_of(game, result)
        if attempt is not None:
            self._store.count(attempt)

    def of(self, variant: str) -> Leaderboard:
        """The leaderboard of a variant, up to a minute old."""
        minute = self._now() // A_MINUTE
        then, latest = self._latest.get(variant, (None, {}))
        if then == minute:
            return latest
        if then is not None:
            # While this request computes the next, others make do with the latest.
            self._latest[variant] = minute, latest
        computed = self._compute(variant, self._now() // A_DAY)
        self._latest[variant] = minute, computed
        return computed

    def _compute(self, variant: str, today: int) -> Leaderboard:
        days = range(today - DAYS + 1, today + 1)
        revisions = zip(days, self._store.revisions(variant, days), strict=True)
        tallies = {day: self._tallies(variant, day, known) for day, known in revisions if known}
        return self._run(leaderboard, tallies, today)

    def _read_tallies(self, variant: str, day: int, revision: Hashable) -> Mapping[str, Tally]:
        """The tallies of a day at a `revision` of them, which the results of a cache go by."""
        return self._store.tallies(variant, day)

"""Leaderboards: reads how the owners of labels stand, at most once a minute."""

from collections.abc import Callable, Hashable, Mapping
from typing import NamedTuple

from service.play.compute_pool import Run
from service.records.leaderboards import A_DAY, DAYS, Leaderboard, Tally, leaderboard
from service.store import Store

A_MINUTE = 60 * 1000
"""How old a leaderboard may be, in milliseconds."""


class _Latest(NamedTuple):
    """A leaderboard, the minute at which it was up to date, and what it was computed from."""

    minute: int
    revisions: Mapping[int, Hashable]
    tallies: Mapping[int, Mapping[str, Tally]]
    board: Leaderboard


_NOTHING = _Latest(-1, {}, {}, {})


class Leaderboards:
    """The leaderboards of one store.

    Once a minute at most, the days that have changed are read, and the leaderboard computed anew.
    """

    def __init__(self, store: Store, now: Callable[[], int], run: Run) -> None:
        """`now` gives milliseconds since 1970 UTC; `run` computes what takes long."""
        self._store = store.tally_store
        self._now = now
        self._run = run
        self._latest: dict[str, _Latest] = {}

    def of(self, variant: str) -> Leaderboard:
        """The leaderboard of a variant, up to a minute old."""
        now = self._now()
        minute, today = now // A_MINUTE, now // A_DAY
        latest = self._latest.get(variant, _NOTHING)
        if latest.minute == minute:
            return latest.board
        if latest is not _NOTHING:
            # While this request computes the next, others make do with the latest.
            self._latest[variant] = latest._replace(minute=minute)
        days = range(today - DAYS + 1, today + 1)
        revisions = dict(zip(days, self._store.revisions(variant, days), strict=True))
        if latest.revisions == revisions:
            return latest.board
        tallies = {
            day: latest.tallies[day]
            if latest.revisions.get(day) == revision
            else self._store.tallies(variant, day)
            for day, revision in revisions.items()
            if revision is not None
        }
        board = self._run(leaderboard, tallies, today)
        self._latest[variant] = _Latest(minute, revisions, tallies, board)
        return board

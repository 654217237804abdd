"""Standings: enters the results of ended games, reads them, and repairs what a crash left out."""

import logging
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import NamedTuple

from service.deals.deal import Deal
from service.errors import GameNotFoundError, GameUnreadableError, StoreUnavailableError
from service.play.compute_pool import Run, run_here
from service.records.game import Game
from service.records.results import Result, is_shared, of_deal, result_lists, result_of
from service.records.statistics import Statistics, statistics_by_group
from service.store import Store

LISTS_CACHED = 1000
"""How many lists of results a process keeps the statistics of."""

_log = logging.getLogger("asterism")


class SweepReport(NamedTuple):
    """How many games a sweep read, how many of these had ended, and how many were unreadable."""

    games: int
    ended: int
    unreadable: int


class Standings:
    """Enters and reads results. A result follows from its game alone and is stored under its id.

    So there is no counter, and nothing is counted twice: a step that a crash interrupted is simply
    repeated.
    """

    def __init__(self, store: Store, now: Callable[[], int], run: Run = run_here) -> None:
        """`now` gives milliseconds since 1970 UTC; `run` computes statistics of long lists."""
        self._store = store
        self._now = now
        self._run = run
        self._figures = lru_cache(LISTS_CACHED)(self._compute_figures)

    def is_first_attempt(self, deal: Deal, label: str | None, game_id: str) -> bool:
        """Whether a game about to be created is the first of its label at its deal.

        True for a deal that no other game has; False without a label, as the player is unknown.
        """
        if not is_shared(deal):
            return True
        return label is not None and self._store.result_store.claim(deal.id, label, game_id)

    def record_result(self, game: Game) -> None:
        """Enters the result of `game` in all its lists if it is over; idempotent."""
        if game.is_over:
            result = result_of(game)
            for name in result_lists(game):
                self._store.result_store.enter(name, result)

    def try_record_result(self, game: Game) -> None:
        """The same after a write that was saved: if it fails, a sweep makes up for it."""
        try:
            self.record_result(game)
        except StoreUnavailableError:
            _log.warning("a result was not entered; `asterism sweep` does it")

    def figures(self, name: str) -> dict[str, Statistics]:
        """The statistics of a list, by group; computed once for all results published by now."""
        return self._figures(name, self._store.result_store.revision(name, self._now()))

    def of_deal(self, deal: Deal, after: str, limit: int) -> list[Result]:
        """At most `limit` results of a deal that is open, best first, after a `sort_key`."""
        return self._store.result_store.ranking(of_deal(deal.id), after, limit)

    def sweep(self) -> SweepReport:
        """Enters the result of every stored game that is over."""
        games = ended = unreadable = 0
        for game_id in self._store.game_ids():
            try:
                game = self._store.load(game_id)
            except GameNotFoundError:
                continue  # it has gone since
            except GameUnreadableError:
                unreadable += 1
                continue
            self.record_result(game)
            games, ended = games + 1, ended + game.is_over
        return SweepReport(games, ended, unreadable)

    def _compute_figures(self, name: str, revision: Hashable) -> dict[str, Statistics]:
        """The statistics of a list at a `revision` of it, which the results of a cache go by."""
        now = self._now()
        found = self._store.result_store.results(name)
        return self._run(statistics_by_group, [row for row in found if row.published_at <= now])

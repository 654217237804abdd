"""Standings: enters the results of begun games, reads them, and repairs what a crash left out."""

import logging
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import NamedTuple

from service.deals.deal import Deal
from service.errors import GameNotFoundError, GameUnreadableError, StoreUnavailableError
from service.play.compute_pool import Run, run_here
from service.play.leaderboards import Leaderboards
from service.records.game import Game
from service.records.leaderboards import A_DAY, attempt_of
from service.records.results import Result, changes_result, is_shared, result_lists, result_of
from service.records.statistics import Statistics, statistics_by_group
from service.store import Store

LISTS_CACHED = 1000
"""How many lists of results a process keeps the statistics of."""

_log = logging.getLogger("asterism")


class SweepReport(NamedTuple):
    """How many games a sweep read, how many of these were begun, and how many were unreadable."""

    games: int
    begun: int
    unreadable: int


class Standings:
    """Enters and reads results. A result follows from its game alone and is stored under its id.

    So there is no counter, and nothing is counted twice: a step that a crash interrupted is simply
    repeated. A game is entered when statistics would tell it apart from what was entered before,
    and at its first write in a period: a running one that has expired is known by that time.
    """

    def __init__(self, store: Store, ttl: int, now: Callable[[], int], run: Run = run_here) -> None:
        """`ttl` is how long an untouched game is kept, in seconds.

        `now` gives milliseconds since 1970 UTC; `run` computes statistics of long lists.
        """
        self._store = store
        self._ttl = ttl * 1000
        self._period = min(A_DAY, self._ttl)
        self._now = now
        self._run = run
        self.leaderboards = Leaderboards(store, now, run)
        self._figures = lru_cache(LISTS_CACHED)(self._compute_figures)

    def is_first_attempt(self, deal: Deal, label: str | None, game_id: str) -> bool:
        """Whether a game about to be created is the first of its label at its deal.

        True for a deal that no other game has; False without a label, as the player is unknown.
        """
        if not is_shared(deal):
            return True
        return label is not None and self._store.result_store.claim(deal.id, label, game_id)

    def record_result(self, game: Game) -> None:
        """Enters the result of `game` in all its lists, unless they have that of a later version.

        None for a game that is not begun.
        """
        self._enter(game, result_of(game, self._kept_until(game)))

    def record_write(self, before: Game, after: Game) -> None:
        """Enters the result of `after`, which a saved write has made of `before`, if that shows."""
        if changes_result(before, after, self._period):
            self._try_enter(after, result_of(after, self._kept_until(after)))

    def record_deletion(self, game: Game) -> None:
        """Enters that `game` has been deleted at its version."""
        self._try_enter(game, result_of(game, 0)._replace(version=game.version + 1))

    def figures(self, name: str) -> dict[str, Statistics]:
        """The statistics of a list, by group; computed once for all results published by now."""
        now = self._now()
        revision = self._store.result_store.revision(name, now)
        return self._figures(name, (revision, now // self._period))

    def sweep(self) -> SweepReport:
        """Enters the result of every stored game that is begun."""
        games = begun = unreadable = 0
        for game_id in self._store.game_ids():
            try:
                game = self._store.load(game_id)
            except GameNotFoundError:
                continue  # it has gone since
            except GameUnreadableError:
                unreadable += 1
                continue
            self.record_result(game)
            games, begun = games + 1, begun + game.is_begun
        return SweepReport(games, begun, unreadable)

    def _enter(self, game: Game, result: Result) -> None:
        if lists := result_lists(game):
            self._store.result_store.enter(lists, result)
        if attempt := attempt_of(game, result):
            self._store.tally_store.count(attempt)

    def _try_enter(self, game: Game, result: Result) -> None:
        """The same after a write that was saved; it must not fail for this.

        A sweep makes up for it, and for a game that was deleted the time of its expiry.
        """
        try:
            self._enter(game, result)
        except StoreUnavailableError:
            _log.warning("a result was not entered; `asterism sweep` does it for stored games")

    def _kept_until(self, game: Game) -> int:
        """When `game` expires: exactly once it is over, and while it runs, as late as it may.

        A running game may be played on until its period ends without another entry. Figures are
        cached for a period, so the times at which they change by themselves are whole periods.
        """
        if game.is_over:
            return game.updated_at + self._ttl
        whole_ttl = -(-self._ttl // self._period)
        return (game.updated_at // self._period + 1 + whole_ttl) * self._period

    def _compute_figures(self, name: str, revision: Hashable) -> dict[str, Statistics]:
        """The statistics of a list at a `revision` of it, which the results of a cache go by."""
        now = self._now()
        found = self._store.result_store.results(name)
        public = [row for row in found if row.published_at <= now]
        return self._run(statistics_by_group, public, now)

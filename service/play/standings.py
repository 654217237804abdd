"""Standings: what ended games came to, entered after they are kept, told, and made whole again."""

import logging
from collections.abc import Callable
from typing import NamedTuple

from service.deals.deal import Deal
from service.errors import GameNotFoundError, GameUnreadableError, StoreUnavailableError
from service.play.compute_pool import Run, run_here
from service.records.game import Game
from service.records.results import Result, is_shared, of_deal, result_lists, result_of
from service.records.statistics import Statistics, statistics_by_group
from service.store import Store

_log = logging.getLogger("asterism")


class SweepReport(NamedTuple):
    """How many games a sweep met, how many of them had ended, and how many it could not read."""

    games: int
    ended: int
    unreadable: int


class Standings:
    """Enters and tells results. A result follows from its game alone and stands under its id.

    So there is nothing to count up and nothing to be counted twice: a step that a crash has cut
    short is done again, in part or as a whole.
    """

    def __init__(self, store: Store, now: Callable[[], int], run: Run = run_here) -> None:
        """`now` gives milliseconds since 1970 UTC; `run` is where long lists are counted."""
        self._store = store
        self._now = now
        self._run = run

    def is_first_attempt(self, deal: Deal, label: str | None, game_id: str) -> bool:
        """Whether a game about to be created is the first of its label at its deal.

        A deal of its own is new to everybody. Without a label nobody knows who plays.
        """
        if not is_shared(deal):
            return True
        return label is not None and self._store.result_store.claim(deal.id, label, game_id)

    def record_result(self, game: Game) -> None:
        """Enters the result of `game` wherever it counts, if it is over; can be repeated."""
        if game.is_over:
            result = result_of(game)
            for name in result_lists(game):
                self._store.result_store.enter(name, result)

    def try_record_result(self, game: Game) -> None:
        """The same after a write: what was kept is told, and a sweep enters what could not be."""
        try:
            self.record_result(game)
        except StoreUnavailableError:
            _log.warning("a result was not entered; `asterism sweep` does it")

    def figures(self, name: str) -> dict[str, Statistics]:
        """The figures of a list, by group."""
        return self._run(statistics_by_group, self._told(name))

    def of_deal(self, deal: Deal) -> list[Result]:
        """The results of a deal, best first."""
        return self._run(sorted, self._told(of_deal(deal.id)), key=lambda result: result.sort_key)

    def sweep(self) -> SweepReport:
        """Enters the result of every kept game that is over."""
        games = ended = unreadable = 0
        for game_id in self._store.game_ids():
            try:
                game = self._store.load(game_id)
            except GameNotFoundError:
                continue  # it went while the sweep was on its way
            except GameUnreadableError:
                unreadable += 1
                continue
            self.record_result(game)
            games, ended = games + 1, ended + game.is_over
        return SweepReport(games, ended, unreadable)

    def _told(self, name: str) -> list[Result]:
        now = self._now()
        return [
            result
            for result in self._store.result_store.results(name)
            if result.published_at <= now
        ]

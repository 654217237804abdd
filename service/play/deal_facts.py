"""What is known of a numbered deal: from the catalogue, or by a search if no card is hidden."""

from service.deals.catalogue import Entry, catalogue, difficulty_by_positions
from service.deals.deal import PublicDeal, start_position
from service.deals.shuffle import deal_number
from service.errors import DealNotFoundError, InputError
from service.games import find_variant
from service.games.base import Variant
from service.play.compute_pool import ComputePool
from service.solvers import SOLVERS, Solved
from service.solvers.verdict import count_transfers

BUDGET = 100_000
"""Positions that a request may search for a deal outside the catalogue."""


def parse_deal_id(deal_id: str) -> tuple[Variant, int]:
    """The variant and number of the public deal with this id; `DealNotFoundError` if none."""
    name, _, number = deal_id.rpartition("-")
    try:
        return find_variant(name), deal_number(number)
    except InputError:
        raise DealNotFoundError from None


def known_deal(game: Variant, number: int, pool: ComputePool) -> Entry:
    """What is known of a numbered deal; `TooManySearchesError` if it needs a search now.

    A deal with hidden cards is not searched: no request looks under a card.
    """
    known = catalogue(game.name).entry(number)
    if known is not None:
        return known
    position = start_position(PublicDeal(game, number))
    solver = SOLVERS.get(game.name)
    if solver is None or position.view.hidden:
        return Entry(number, "unknown", None, None, None)
    verdict = pool.search(solver, position, BUDGET)
    if not isinstance(verdict, Solved):
        return Entry(number, verdict.name, None, None, None)
    level = difficulty_by_positions(verdict.positions)
    return Entry(number, verdict.name, len(verdict.moves), count_transfers(verdict.moves), level)

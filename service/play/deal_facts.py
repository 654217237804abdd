"""What is known of a numbered deal: from the catalogue, or by a search if no card is hidden."""

from service.deals.catalogue import Entry, catalogue, difficulty_by_positions
from service.deals.deal import PublicDeal, start_position
from service.play.compute_pool import ComputePool
from service.solvers import SOLVERS, Solved
from service.solvers.verdict import count_transfers

BUDGET = 100_000
"""Positions that a request may search for a deal outside the catalogue."""


def known_deal(deal: PublicDeal, pool: ComputePool) -> Entry:
    """What is known of a numbered deal; `TooManySearchesError` if it needs a search now.

    A deal with hidden cards is not searched: no request looks under a card.
    """
    name, number = deal.variant.name, deal.number
    known = catalogue(name).entry(number)
    if known is not None:
        return known
    position = start_position(deal)
    solver = SOLVERS.get(name)
    if solver is None or position.view.hidden:
        return Entry(number, "unknown", None, None, None)
    verdict = pool.search(solver, position, BUDGET)
    if not isinstance(verdict, Solved):
        return Entry(number, verdict.name, None, None, None)
    level = difficulty_by_positions(verdict.positions)
    return Entry(number, verdict.name, len(verdict.moves), count_transfers(verdict.moves), level)

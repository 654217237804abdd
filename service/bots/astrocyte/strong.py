"""The strong bot for Astrocyte, which compares leaves by Monte Carlo sampling of reveals.

The unseen cards are shuffled and laid face down many times. In each sample every candidate plan is
played, and a smaller search estimates the chance to win after it. All candidates meet the same
cards first, whichever column they turn, so that luck hardly separates them.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from math import exp, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from service.bots.astrocyte.fair import (
    FAIR,
    Choice,
    LeafSearch,
    SearchSettings,
    certain_plan,
    evaluation_noise,
    load_model,
)
from service.games.base import Position, View
from service.games.cards import Card
from service.games.moves import Move
from service.solvers.astrocyte.conversion import lift_all
from service.solvers.astrocyte.gc_pause import gc_paused

BEFORE_REVEAL: Final = FAIR._replace(width=600, max_leaves=600)
"""The search for candidates."""
AFTER_REVEAL: Final = SearchSettings(30, 25, 6, 40, 200_000, 0.2, 60_000)
"""The smaller search in each sample."""
MAX_CANDIDATES: Final = 6
"""Maximum number of candidates, which differ in their reveal or in their column tops."""
DECIDED: Final = 0.05
"""No sampling if the chance to win or the chance to lose is below this."""
MAX_SAMPLES: Final = 96
SAMPLES_PER_ROUND: Final = 6
"""After each round, candidates that are unlikely to become the best are dropped."""
MIN_GAIN: Final = 0.001
"""Gains in the chance to win up to this are not worth more samples."""


def plan(view: View, seed: int = 0) -> tuple[Move, ...]:
    """The moves to play, as `fair.plan` gives them; the same for equal views and seeds."""
    certain = certain_plan(view, FAIR.solver_budget)
    if certain is not None:
        return certain
    with gc_paused():
        search = LeafSearch(view, BEFORE_REVEAL, evaluation_noise(seed))
        if not search.choices:
            return ()
        ranked = sorted(search.choices, key=_calibrated_score, reverse=True)
        plans = [search.moves(choice) for choice in _candidates(ranked)]
        return plans[_best_plan(view, plans, Random(search.key))]  # noqa: S311  # a game, no secret


def _candidates(choices: Sequence[Choice]) -> list[Choice]:
    """The best choices with distinct signatures; only the best if the game is decided."""
    best = choices[0]
    if not DECIDED < _chance(best) < 1 - DECIDED:
        return [best]
    candidates: dict[object, Choice] = {}
    for choice in choices:
        candidates.setdefault(_signature(choice), choice)
        if len(candidates) == MAX_CANDIDATES:
            break
    return list(candidates.values())


def _signature(choice: Choice) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """The kind of reveal, and the tops of the columns."""
    columns = choice.leaf.node.state.columns
    return choice.leaf.deals, tuple(sorted((column.hidden, column.card) for column in columns))


def _best_plan(view: View, plans: Sequence[tuple[Move, ...]], random: Random) -> int:
    """The index of the plan with the best mean chance to win over the samples."""
    chances: list[list[float]] = [[] for _ in plans]
    remaining, best = list(range(len(plans))), 0
    orders = _card_orders(view.unseen, random)
    while len(remaining) > 1 and len(chances[best]) < MAX_SAMPLES:
        for cards in islice(orders, SAMPLES_PER_ROUND):
            for n in remaining:
                sample = _sample_position(view, cards, plans[n][-1])
                chances[n].append(_chance_after(sample, plans[n]))
        best = max(remaining, key=lambda n: sum(chances[n]))
        remaining = [n for n in remaining if n == best or _may_win(chances[n], chances[best])]
    return best


def _may_win(chances: Sequence[float], best: Sequence[float]) -> bool:
    """Whether the mean gain over `best`, plus one standard error, exceeds `MIN_GAIN`."""
    gains = [one - other for one, other in zip(chances, best, strict=True)]
    return fmean(gains) + stdev(gains) / sqrt(len(gains)) > MIN_GAIN


def _card_orders(unseen: Sequence[Card], random: Random) -> Iterator[list[Card]]:
    """Endless random orders of `unseen`; each card comes first equally often."""
    firsts = list(unseen)
    random.shuffle(firsts)
    for first in cycle(firsts):
        rest = list(unseen)
        rest.remove(first)
        random.shuffle(rest)
        yield [first, *rest]


def _sample_position(view: View, cards: Sequence[Card], last: Move) -> Position:
    """A position with the view `view` and `cards` face down, of which `last` reveals the first.

    `last` turns a card or deals a row. Each pile gets its share of `cards` from the top down.
    """
    left = iter(cards)
    under: dict[str, tuple[Card, ...]] = {}
    for pile in sorted(view.piles, key=lambda pile: pile.id != last.source):
        under[pile.id] = tuple(islice(left, pile.hidden))[::-1]
    return Position(view, tuple(under[pile.id] for pile in view.piles))


def _chance_after(position: Position, moves: Sequence[Move]) -> float:
    """The chance to win after `moves`, whose last one reveals cards of `position`."""
    for move in moves:
        position = position.after(move)
    position, _ = lift_all(position)
    if position.view.won:
        return 1.0
    if not position.view.hidden:
        return 1.0 if certain_plan(position.view, AFTER_REVEAL.solver_budget) else 0.0
    found = LeafSearch(position.view, AFTER_REVEAL).choices
    return _chance(max(found, key=_calibrated_score)) if found else 0.0


def _calibrated_score(choice: Choice) -> float:
    """The score with a calibrated scale, comparable between turns and deals."""
    return load_model().calibrate(choice.leaf, choice.score)


def _chance(choice: Choice) -> float:
    """The calibrated chance to win from a leaf, 0 to 1."""
    if choice.leaf.node.state.won:
        return 1.0
    return 1 / (1 + exp(-load_model().calibrate(choice.leaf, choice.logit)))

"""Figures: results counted, with the interval in which the share of all wins to come may lie."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import median
from typing import NamedTuple

from service.records.results import Result


class Share(NamedTuple):
    """A share of one in all, and the ends of its 95 % interval."""

    share: float
    low: float
    high: float


class Spread(NamedTuple):
    """The least, the middle and the greatest of some numbers."""

    least: float
    median: float
    most: float


class Statistics(NamedTuple):
    """How many games ended, how many of them were won, and what the won ones took.

    Where there is nothing to count from, there is None.
    """

    games: int
    wins: int
    win_rate: Share | None
    moves: Spread | None
    milliseconds: Spread | None


GROUPS: dict[str, Callable[[Result], bool]] = {
    "all": lambda result: True,
    "first_attempts": lambda result: result.first_attempt,
    "ranked": lambda result: result.ranked,
    "without_help": lambda result: not (result.undos or result.hints),
    "with_undo": lambda result: result.undos > 0,
    "with_hints": lambda result: result.hints > 0,
}
"""What results are counted by. A result can be in several of them."""


def statistics_by_group(results: Sequence[Result]) -> dict[str, Statistics]:
    """The figures of each group."""
    return {name: statistics(filter(belongs, results)) for name, belongs in GROUPS.items()}


def statistics(results: Iterable[Result]) -> Statistics:
    """What `results` come to."""
    counted = list(results)
    won = [result for result in counted if result.won]
    games, wins = len(counted), len(won)
    return Statistics(
        games=games,
        wins=wins,
        win_rate=Share(wins / games, *wilson(wins, games)) if games else None,
        moves=_spread([result.moves for result in won]),
        milliseconds=_spread([result.milliseconds for result in won]),
    )


def wilson(count: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's interval for a share of `count` in `total`, 95 % unless `z` says otherwise."""
    share, spread = count / total, z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(share * (1 - share) / total + spread / total / 4) * z / (1 + spread)
    # In exact numbers the share lies within; rounding must not put it outside.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _spread(numbers: list[int]) -> Spread | None:
    return Spread(min(numbers), median(numbers), max(numbers)) if numbers else None

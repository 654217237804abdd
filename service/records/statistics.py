"""Statistics of results, with confidence intervals for the win rate."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from statistics import median
from typing import NamedTuple

from service.records.results import OUTCOMES, Result


class Share(NamedTuple):
    """A proportion, and the bounds of its 95 % confidence interval."""

    share: float
    low: float
    high: float


class Spread(NamedTuple):
    """Minimum, median and maximum."""

    least: float
    median: float
    most: float


class Statistics(NamedTuple):
    """Begun games, how many have each outcome, and the moves and time that the won games took.

    A member is None if it has no games to be computed from.
    """

    begun: int
    outcomes: Mapping[str, int]
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
    "label_owned": lambda result: result.label_owned,
}
"""The groups of results, by name. A result can belong to several."""


def statistics_by_group(results: Sequence[Result], now: int) -> dict[str, Statistics]:
    """The statistics of each group at the time `now`, in milliseconds since 1970 UTC."""
    return {name: statistics(filter(belongs, results), now) for name, belongs in GROUPS.items()}


def statistics(results: Iterable[Result], now: int) -> Statistics:
    """The statistics of `results` at the time `now`, in milliseconds since 1970 UTC."""
    counted = list(results)
    won = [result for result in counted if result.status == "won"]
    counts = Counter(result.outcome(now) for result in counted)
    begun, wins = len(counted), len(won)
    return Statistics(
        begun=begun,
        outcomes={outcome: counts[outcome] for outcome in OUTCOMES},
        win_rate=Share(wins / begun, *wilson(wins, begun)) if begun else None,
        moves=_spread([result.moves for result in won]),
        milliseconds=_spread([result.milliseconds for result in won]),
    )


def wilson(count: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's score interval for the proportion `count / total`, 95 % for the default `z`."""
    share, spread = count / total, z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(share * (1 - share) / total + spread / total / 4) * z / (1 + spread)
    # The exact bounds enclose the share; rounding must not exclude it.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _spread(numbers: list[int]) -> Spread | None:
    return Spread(min(numbers), median(numbers), max(numbers)) if numbers else None

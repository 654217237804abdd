"""Statistics of results: confidence intervals for win rates, and tests of differences."""

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


def sign_test(one: int, other: int) -> float:
    """The exact p-value, two-sided, of `one` against `other` wins among pairs that differ.

    This is McNemar's exact test: how often a fair coin is at least as uneven in as many throws.
    """
    throws, ways, tail = one + other, 1, 0
    for heads in range(min(one, other) + 1):
        tail += ways
        ways = ways * (throws - heads) // (heads + 1)
    return float(min(1.0, 2 * tail / 2**throws))


def holm(values: Sequence[float]) -> list[float]:
    """The p-values of several tests, in their order, corrected for their number as Holm does."""
    corrected, highest = [0.0] * len(values), 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, values[index] * (len(values) - rank)))
        corrected[index] = highest
    return corrected


def _spread(numbers: list[int]) -> Spread | None:
    return Spread(min(numbers), median(numbers), max(numbers)) if numbers else None

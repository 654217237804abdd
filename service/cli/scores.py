"""What games of bots came to: each bot's score, and how two bots compare on the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, log10
from typing import NamedTuple

from service.deals.catalogue import Row
from service.records.statistics import Share, holm, sign_test, wilson

SIGNIFICANT = 0.05
"""A p-value below this shows a difference."""


@dataclass(frozen=True)
class Score:
    """The games of one bot: how many, and of them all the wins, moves and seconds.

    `requests` and `waited`, the seconds until these were answered, are 0 for games without a
    service.
    """

    bot: str
    games: int
    won: int
    moves: int
    seconds: float
    requests: int
    waited: float

    @property
    def rate(self) -> Share:
        """The win rate with its 95 % interval."""
        return Share(self.won / self.games, *wilson(self.won, self.games))

    @property
    def move_seconds(self) -> float | None:
        """CPU seconds a move that the bot thought; None if it has made none."""
        return self.seconds / self.moves if self.moves else None

    @property
    def request_seconds(self) -> float | None:
        """Seconds until a request was answered; None if there were none."""
        return self.waited / self.requests if self.requests else None


class Pair(NamedTuple):
    """Two bots on the deals that both have played: how many each won alone, both, and neither.

    `p` is that of the exact paired test (McNemar, two-sided); `corrected` allows for the number of
    pairs that are compared.
    """

    one: str
    other: str
    one_alone: int
    other_alone: int
    both: int
    neither: int
    p: float
    corrected: float

    @property
    def verdict(self) -> str:
        """What the test says, in a sentence."""
        if self.corrected >= SIGNIFICANT:
            return f"{self.one} and {self.other}: no difference is shown."
        first = self.one_alone > self.other_alone
        better, worse = (self.one, self.other) if first else (self.other, self.one)
        return (
            f"{better} wins more than {worse}: chance alone would give a difference like this in "
            f"{_frequency(self.corrected)} such runs."
        )


def scores(rows: Sequence[Row], bots: Sequence[str]) -> list[Score]:
    """The score of each of `bots` that has finished games among `rows`."""
    return [_score(bot, own) for bot in bots if (own := [r for r in rows if r["bot"] == bot])]


def pairs(rows: Sequence[Row], bots: Sequence[str]) -> list[Pair]:
    """Each two of `bots` that have finished games of the same deals."""
    won = {bot: {row["deal"]: row["won"] for row in rows if row["bot"] == bot} for bot in bots}
    counted = [
        (one, other, *_counts(won[one], won[other]))
        for one, other in combinations(bots, 2)
        if won[one].keys() & won[other].keys()
    ]
    values = [sign_test(*counts[2:4]) for counts in counted]
    return [
        Pair(*counts, p, corrected)
        for counts, p, corrected in zip(counted, values, holm(values), strict=True)
    ]


def _score(bot: str, rows: Sequence[Row]) -> Score:
    return Score(
        bot,
        len(rows),
        sum(row["won"] for row in rows),
        sum(row["moves"] for row in rows),
        sum(row["seconds"] for row in rows),
        sum(row.get("requests", 0) for row in rows),
        sum(row.get("waited", 0.0) for row in rows),
    )


def _counts(one: dict[str, bool], other: dict[str, bool]) -> tuple[int, int, int, int]:
    """The deals won by the first alone, by the second alone, by both, and by neither."""
    results = [(one[deal], other[deal]) for deal in one.keys() & other.keys()]
    return (
        results.count((True, False)),
        results.count((False, True)),
        results.count((True, True)),
        results.count((False, False)),
    )


def _frequency(p: float) -> str:
    """A p-value as one to nine of a power of ten up to a million: `6 of 10,000`."""
    if p < 1e-6:
        return "fewer than 1 of 1,000,000"
    power = ceil(-log10(p))
    count = round(p * 10**power)
    return f"{count} of {10**power:,}" if count < 10 else f"1 of {10 ** (power - 1):,}"

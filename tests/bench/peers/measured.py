"""What is measured of a service: moves played, and the CPU time of its processes for them."""

from collections.abc import Callable, Sequence
from operator import add
from statistics import median
from typing import NamedTuple, Self


class Played(NamedTuple):
    """Moves that were played, the bytes of all answers to them, and the CPU seconds they took."""

    moves: int
    bytes: int
    seconds: float


def play_for(seconds: float, play: Callable[[], Played]) -> Played:
    """Whole games on every connection, until they have taken so many CPU seconds."""
    sums = Played(0, 0, 0)
    while sums.seconds < seconds:
        sums = Played(*map(add, sums, play()))
    return sums


class Rate(NamedTuple):
    """Moves a CPU second of one way to play, round by round, and bytes back a move."""

    name: str
    rounds: list[float]
    bytes: float

    @classmethod
    def of(cls, name: str, played: Sequence[Played]) -> Self:
        """The rates of some rounds."""
        rates = [each.moves / each.seconds for each in played]
        return cls(name, rates, played[0].bytes / played[0].moves)

    @property
    def median(self) -> float:
        """The middle one of the rounds."""
        return median(self.rounds)

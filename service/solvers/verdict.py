"""What a solver answers: won and how, proven lost and how that is known, or given up."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from service.errors import InputError
from service.games.base import Position, VerdictName
from service.games.moves import Move


@dataclass(frozen=True, slots=True)
class Solved:
    """`moves` win the game from the position asked about; `positions` were looked at for them."""

    moves: tuple[Move, ...]
    positions: int

    word: ClassVar[VerdictName] = "winnable"


@dataclass(frozen=True, slots=True)
class Proof:
    """All that can come of a position: `positions` different ones, itself included.

    The deepest of them lie `depth` played cards ahead, and none is won.
    """

    positions: int
    depth: int


@dataclass(frozen=True, slots=True)
class Unwinnable:
    """No line of play wins."""

    proof: Proof

    word: ClassVar[VerdictName] = "unwinnable"


@dataclass(frozen=True, slots=True)
class GaveUp:
    """`positions` were looked at, as many as were allowed, and nothing is known."""

    positions: int

    word: ClassVar[VerdictName] = "unknown"


Verdict = Solved | Unwinnable | GaveUp


def count_transfers(moves: Iterable[Move]) -> int:
    """How many of `moves` go from one foundation to another."""
    return sum(move.source[0] == move.target[0] == "f" for move in moves)


class Solver(Protocol):
    """A search from `position` that looks at no more than `budget` positions.

    The same position and budget give the same verdict on every machine.
    """

    def __call__(self, position: Position, budget: int = ...) -> Verdict:
        """The verdict on `position`; `InputError` for a budget below 1."""


def check_budget(budget: int) -> None:
    """Raises `InputError` unless `budget` allows a search to look at one position."""
    if budget < 1:
        raise InputError(f"A search needs a budget of at least 1 position, not {budget}.")

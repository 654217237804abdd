"""The verdicts of a solver: won with a line, lost with a proof, or given up."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from service.errors import InputError
from service.games.base import Position, VerdictName
from service.games.moves import Move


@dataclass(frozen=True, slots=True)
class Solved:
    """`moves` win the game; the search looked at `positions` different positions."""

    moves: tuple[Move, ...]
    positions: int

    name: ClassVar[VerdictName] = "winnable"


@dataclass(frozen=True, slots=True)
class Proof:
    """An exhaustive search without a win: `positions` different positions, the first included.

    The deepest of them lie `depth` played cards ahead.
    """

    positions: int
    depth: int


@dataclass(frozen=True, slots=True)
class Unwinnable:
    """No line of play wins."""

    proof: Proof

    name: ClassVar[VerdictName] = "unwinnable"

    @property
    def positions(self) -> int:
        """The number of different positions searched."""
        return self.proof.positions


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Undecided after `positions` positions."""

    positions: int

    name: ClassVar[VerdictName] = "unknown"


Verdict = Solved | Unwinnable | GaveUp


def count_transfers(moves: Iterable[Move]) -> int:
    """Number of `moves` from one foundation to another."""
    return sum(move.source[0] == move.target[0] == "f" for move in moves)


class Solver(Protocol):
    """A deterministic search from `position` that looks at no more than `budget` positions."""

    def __call__(self, position: Position, budget: int = ...) -> Verdict:
        """The verdict on `position`; raises `InputError` for a budget below 1."""


def check_budget(budget: int) -> None:
    """Raises `InputError` for a budget below 1."""
    if budget < 1:
        raise InputError(f"A search needs a budget of at least 1 position, not {budget}.")

"""Hints as data."""

from typing import NamedTuple

from service.games.base import VerdictName
from service.games.moves import Move


class Hint(NamedTuple):
    """A move to play next, or None, the reason, and the verdict on the position.

    Where there is no move, `undo_steps` is the number of moves to undo to an earlier position with
    a way on; None if none was found.
    """

    move: Move | None
    why: str
    verdict: VerdictName
    undo_steps: int | None = None


def count_moves(count: int) -> str:
    """A number of moves in words."""
    return "1 move" if count == 1 else f"{count} moves"


class PlannedHint(NamedTuple):
    """A hint, and the planned line that its move begins, or that follows its undo; or no line."""

    hint: Hint
    plan: tuple[Move, ...] = ()

"""Hints as data."""

from typing import NamedTuple

from service.games.base import VerdictName
from service.games.moves import Move


class Hint(NamedTuple):
    """A move to play next, or None, the reason, and the verdict on the position.

    If the position is proven lost, `undo_steps` is the number of moves to undo to one that is known
    to be winnable; None if no such position is known, or nothing is lost.
    """

    move: Move | None
    why: str
    verdict: VerdictName
    undo_steps: int | None = None


class PlannedHint(NamedTuple):
    """A hint, and the planned line that its move begins, if there is one."""

    hint: Hint
    plan: tuple[Move, ...] = ()

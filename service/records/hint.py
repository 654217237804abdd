"""A hint, as data."""

from typing import NamedTuple

from service.games.base import VerdictName
from service.games.moves import Move


class Hint(NamedTuple):
    """A move to play next, or None, and why; the verdict on the position where one is known.

    In a game that is proven lost, `undo_steps` is how many moves to take back to a position that
    is known to be winnable, None if there is none or nothing is lost.
    """

    move: Move | None
    why: str
    verdict: VerdictName
    undo_steps: int | None = None


class PlannedHint(NamedTuple):
    """A hint, and the line of play that its move begins, if the adviser has planned one."""

    hint: Hint
    plan: tuple[Move, ...] = ()

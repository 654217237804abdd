"""The record of a game: its deal, its line of play, and the place reached in it."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from service.deals.deal import Deal, start_position
from service.errors import (
    GameUnreadableError,
    IllegalMoveError,
    NothingToRedoError,
    NothingToUndoError,
)
from service.games.base import Played, Position, View
from service.games.moves import Move

LONGEST_LINE = 10_000
"""Moves in a line of play: a long undo replays all of them, and its client waits for that."""

FEW_STEPS = 20
"""How many moves are taken back one by one."""


_ASTRAY = "its moves do not lead to its position"


@dataclass(frozen=True, slots=True)
class Record:
    """`moves[:ply]` are played; `moves[ply:]` were undone and can be redone."""

    deal: Deal
    moves: tuple[Move, ...] = ()
    ply: int = 0

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves played and not undone."""
        return self.moves[: self.ply]

    def replay(self) -> Iterator[Played]:
        """The start, and each position after it with the cards that its move turned face up.

        Raises `GameUnreadableError` for a move that the rules refuse.
        """
        return replayed(start_position(self.deal), self.line)

    def earlier_views(self) -> Sequence[View]:
        """What the player saw before the last position, oldest first."""
        return [played.position.view for played in self.replay()][:-1]

    def position(self) -> Position:
        """The position that the line leads to; raises as `replay` does."""
        return deque(self.replay(), maxlen=1)[0].position

    def before(self, steps: int, end: Position) -> Position:
        """The position `steps` moves before `end`, the position of this record.

        Few moves are taken back, which costs the same at every ply, and played again to see that
        they lead there; of many, the line is replayed. `NothingToUndoError` if fewer were played,
        `GameUnreadableError` if the line does not lead to `end`.
        """
        ply = self.undone(steps).ply
        if steps <= FEW_STEPS:
            return last_played(end, self.line, steps)[0].position
        positions = [played.position for played in self.replay()]
        if positions[-1] != end:
            raise GameUnreadableError(_ASTRAY)
        return positions[ply]

    def undone(self, steps: int) -> "Record":
        """The record after undoing `steps` moves. Raises `NothingToUndoError`."""
        if not 0 <= steps <= self.ply:
            raise NothingToUndoError(steps, self.ply)
        return Record(self.deal, self.moves, self.ply - steps)

    def redone(self, steps: int) -> "Record":
        """The record after redoing `steps` moves. Raises `NothingToRedoError`."""
        if not 0 <= steps <= len(self.moves) - self.ply:
            raise NothingToRedoError(steps, len(self.moves) - self.ply)
        return Record(self.deal, self.moves, self.ply + steps)


def replayed(position: Position, moves: Iterable[Move]) -> Iterator[Played]:
    """`position`, and each position after one of `moves` with the cards that it turned face up.

    The moves are those of a stored line: raises `GameUnreadableError` if the rules refuse one.
    """
    played = Played(position, ())
    yield played
    for move in moves:
        try:
            played = played.position.play(move)
        except IllegalMoveError:
            raise GameUnreadableError("its line holds a move that the rules refuse") from None
        yield played


def last_played(
    end: Position, line: Sequence[Move], steps: int, start: View | None = None
) -> list[Played]:
    """The position `steps` moves before `end`, and each position after it with the cards it turned.

    `line` led to `end` from `start`, by default from a deal. Its last moves are taken back, which
    costs the same at every ply, and played again: raises `GameUnreadableError` unless that leads
    from where a game can stand to `end`.
    """
    found, ply = end, len(line) - steps
    for last in range(len(line), ply, -1):
        found = end.variant.take_back(found, line[:last], start)
    played = list(replayed(found, line[ply:]))
    if played[-1].position != end or end.variant.why_unreachable(found):
        raise GameUnreadableError(_ASTRAY)
    return played

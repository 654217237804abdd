"""The record of a game, its truth: a deal, the line of play, and the place reached in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.deals.deal import Deal, start_position
from service.errors import NothingToRedoError, NothingToUndoError
from service.games.base import Played, Position, View
from service.games.moves import Move


@dataclass(frozen=True, slots=True)
class Record:
    """`moves[:ply]` have been played; `moves[ply:]` were taken back and can be played again."""

    deal: Deal
    moves: tuple[Move, ...] = ()
    ply: int = 0

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves played and not taken back."""
        return self.moves[: self.ply]

    def replay(self) -> Iterator[Played]:
        """Each position of the line after the start, with the cards its move turned.

        Raises `IllegalMoveError` where the record holds a move that the rules refuse.
        """
        position = start_position(self.deal)
        for move in self.line:
            played = position.play(move)
            yield played
            position = played.position

    def views(self) -> Iterator[View]:
        """What the player saw at the start and after each move of the line."""
        yield start_position(self.deal).view
        for played in self.replay():
            yield played.position.view

    def earlier_views(self) -> Sequence[View]:
        """What the player saw before the last position of the line, oldest first."""
        return tuple(self.views())[:-1]

    def position(self) -> Position:
        """The position the line of play leads to."""
        position = start_position(self.deal)
        for move in self.line:
            position = position.after(move)
        return position

    def with_moves(self, moves: Sequence[Move]) -> "Record":
        """The record after `moves`; what had been taken back is gone for good."""
        line = (*self.line, *moves)
        return Record(self.deal, line, len(line))

    def undone(self, steps: int) -> "Record":
        """The record with `steps` moves taken back; `NothingToUndoError` if fewer were played."""
        if not 0 <= steps <= self.ply:
            raise NothingToUndoError(steps, self.ply)
        return Record(self.deal, self.moves, self.ply - steps)

    def redone(self, steps: int) -> "Record":
        """The record with `steps` moves played again; `NothingToRedoError` if too few wait."""
        if not 0 <= steps <= len(self.moves) - self.ply:
            raise NothingToRedoError(steps, len(self.moves) - self.ply)
        return Record(self.deal, self.moves, self.ply + steps)

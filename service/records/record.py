"""The record of a game: its deal, its line of play, and the place reached in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.deals.deal import Deal, start_position
from service.errors import NothingToRedoError, NothingToUndoError
from service.games.base import Played, Position, View
from service.games.moves import Move

LONGEST_LINE = 10_000
"""Moves in a line of play: an undo replays all of them, and its client waits for that."""


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
        """Each position after the start, with the cards that its move turned face up.

        Raises `IllegalMoveError` for a move that the rules refuse.
        """
        position = start_position(self.deal)
        for move in self.line:
            played = position.play(move)
            yield played
            position = played.position

    def views(self) -> Iterator[View]:
        """What the player saw at the start and after each move."""
        yield start_position(self.deal).view
        for played in self.replay():
            yield played.position.view

    def earlier_views(self) -> Sequence[View]:
        """What the player saw before the last position, oldest first."""
        return tuple(self.views())[:-1]

    def position(self) -> Position:
        """The position that the line leads to."""
        position = start_position(self.deal)
        for move in self.line:
            position = position.after(move)
        return position

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

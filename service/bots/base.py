"""What a bot is: it sees what a player sees, and names a move."""

from typing import Protocol

from service.games.base import Position, View
from service.games.moves import Move


class Bot(Protocol):
    """A player of one game at a time; it may remember what it has seen of it."""

    def choose(self, view: View) -> Move | None:
        """A legal move of the game that `view` shows, or None to give the game up."""


def play_out(bot: Bot, position: Position, most: int) -> tuple[tuple[Move, ...], Position]:
    """The moves that `bot` plays from `position`, at most `most`, and where they lead.

    Ends early when the game is won or given up. `IllegalMoveError` if the bot breaks a rule.
    """
    moves: list[Move] = []
    while len(moves) < most and not position.view.won:
        move = bot.choose(position.view)
        if move is None:
            break
        moves.append(move)
        position = position.after(move)
    return tuple(moves), position

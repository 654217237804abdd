"""The interface of a bot, which sees what a player sees, and playing a game out."""

from typing import Protocol

from service.games.base import Position, View
from service.games.moves import Move


class Bot(Protocol):
    """Plays one game at a time; it may keep state between moves."""

    def choose(self, view: View) -> Move | None:
        """A legal move in `view`, or None to give up."""


def play_out(bot: Bot, position: Position, max_moves: int) -> tuple[tuple[Move, ...], Position]:
    """The moves that `bot` plays from `position`, and the position after them.

    Ends when the game is won or given up, or after `max_moves`. Raises `IllegalMoveError` if the
    bot breaks a rule.
    """
    moves: list[Move] = []
    while len(moves) < max_moves and not position.view.won:
        move = bot.choose(position.view)
        if move is None:
            break
        moves.append(move)
        position = position.after(move)
    return tuple(moves), position

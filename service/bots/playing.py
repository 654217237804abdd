"""Plays games of bots to their end, in this process or wherever the table is."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from service.bots.asking import Monitor, Player
from service.bots.loading import find_bot
from service.deals.deal import PublicDeal, start_position
from service.errors import IllegalMoveError
from service.games import find_variant
from service.games.base import Position, View
from service.games.moves import Move

MAX_MOVES = 1000
"""Games end after this many moves: random play could go on forever."""


@dataclass(frozen=True)
class Match:
    """A finished game of a bot.

    `deal` is a number, or the id of a deal without one. `seed` is that of the bot, `moves` counts
    what it played, and `seconds` is the CPU time it thought.
    """

    variant: str
    deal: str
    bot: str
    seed: int
    won: bool
    moves: int
    seconds: float


class Table(Protocol):
    """A game that is played on, here or elsewhere."""

    @property
    def view(self) -> View:
        """What the player sees now."""

    def play(self, moves: Sequence[Move]) -> int:
        """Plays `moves` up to the first that turns a card or wins, and says how many that were.

        Raises `IllegalMoveError` with the index of the move that the rules refuse.
        """


class LocalTable:
    """A game in this process."""

    def __init__(self, position: Position) -> None:
        self._position = position

    @property
    def view(self) -> View:
        """What the player sees now."""
        return self._position.view

    def play(self, moves: Sequence[Move]) -> int:
        """Plays up to the first move that turns a card or wins; see `Table`."""
        for index, move in enumerate(moves):
            try:
                self._position, reveals = self._position.play(move)
            except IllegalMoveError as error:
                raise error.at(index) from None
            if reveals or self.view.won:
                return index + 1
        return len(moves)


def play_out(player: Player, table: Table) -> int:
    """Lets `player` play at `table` until it wins, gives up or has played `MAX_MOVES`.

    Returns the number of moves. Raises `BotError` if the bot fails or plays what is illegal.
    """
    ply = 0
    while ply < MAX_MOVES and not table.view.won:
        moves = player.moves(table.view, ply)[: MAX_MOVES - ply]
        if not moves:
            break
        try:
            ply += table.play(moves)
        except IllegalMoveError as error:
            raise player.illegal(error, ply + error.index) from None
    return ply


def play_deal(
    variant: str, bot: str, seed: int, number: int, monitor: Monitor | None = None
) -> Match:
    """The game of a bot at a numbered deal, in this process.

    Raises `BotError` if the bot fails, and what `find_bot` raises.
    """
    table = LocalTable(start_position(PublicDeal(find_variant(variant), number)))
    player = player_of(bot, seed, number, str(number), monitor)
    moves = play_out(player, table)
    return Match(variant, str(number), bot, seed, table.view.won, moves, round(player.seconds, 6))


def player_of(
    bot: str, seed: int, number: int, deal: str, monitor: Monitor | None = None
) -> Player:
    """The bot called `bot` at one game; see `Player` and `BotSpec.make`."""
    return Player(bot, partial(find_bot(bot).make, seed, number), deal, monitor or Monitor())

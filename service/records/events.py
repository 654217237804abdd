"""What happened in a game, as data: one event for each accepted request."""

from typing import Literal, NamedTuple

from service.games.base import Reveal
from service.games.moves import Move

Kind = Literal["created", "moved", "undone", "redone", "hinted", "resigned"]


class Event(NamedTuple):
    """What one accepted request did to a game.

    `version` is the game's version after it, `at` the time in milliseconds since 1970 UTC;
    `steps` counts the moves that were taken back or played again.
    """

    version: int
    kind: Kind
    at: int
    moves: tuple[Move, ...] = ()
    reveals: tuple[Reveal, ...] = ()
    steps: int = 0

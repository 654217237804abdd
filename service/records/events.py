"""Events of a game, one for each accepted request."""

from typing import Literal, NamedTuple

from service.games.base import Reveal
from service.games.moves import Move

Kind = Literal["created", "moved", "undone", "redone", "hinted", "resigned"]


class Event(NamedTuple):
    """What one accepted request did to a game.

    `version` is that of the game afterwards, `at` the time in milliseconds since 1970 UTC, `steps`
    the number of moves undone or redone.
    """

    version: int
    kind: Kind
    at: int
    moves: tuple[Move, ...] = ()
    reveals: tuple[Reveal, ...] = ()
    steps: int = 0

"""What is handed to the store of games, and what comes back from it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from service.games.base import Position
from service.games.moves import Move
from service.records.events import Event
from service.records.game import Game

ChangeFeed = Callable[[], Iterator[str | None]]
"""Yields the ids of games that have changed or gone, as it happens and without end.

It yields None when some may have been missed: then every watched game must be read again. What has
changed, the store tells.
"""

CHECKPOINT_PLIES = 512
"""About how many moves lie between two checkpoints: stored positions along a line of play."""

StoredResponses = Mapping[str, bytes]
"""By the digest of an idempotency key, the game as the request with that key left it.

The bytes are in a form that only the store reads.
"""


class Loaded(NamedTuple):
    """A game as it is stored, and what is stored beside it.

    `answered` is the game as the request with the idempotency key asked for left it, None if there
    is none. `line` are the moves of its line, those that can be redone last, where it was loaded.
    `mark` identifies the stored bytes, which a change is made of, to the store.
    """

    game: Game
    answered: Game | None
    responses: StoredResponses
    line: tuple[Move, ...] = ()
    mark: bytes = b""


class LinePage(NamedTuple):
    """Moves of a game's line after its checkpoint at `ply`, or after the deal if that is None."""

    game: Game
    ply: int
    checkpoint: Position | None
    moves: tuple[Move, ...]


class Change(NamedTuple):
    """A game to be saved, and what led to it from the version before.

    `responses` are those stored with the version before; `played` are the moves added to the line
    at `game.ply - len(played)`; `answer_key` is the digest of the request's idempotency key, None
    without one. A new game that `spends_commitment` is made of the commitment with its id.
    `positions` are those after every `CHECKPOINT_PLIES` moves of a line that is played at once.
    `mark` is that of the game it was made of; without one, only the version must be that before.
    """

    game: Game
    event: Event
    responses: StoredResponses
    played: Sequence[Move] = ()
    answer_key: str | None = None
    spends_commitment: bool = False
    positions: Mapping[int, Position] = {}
    mark: bytes = b""


class Saved(NamedTuple):
    """The result of a write: `fresh` if it was applied now.

    Otherwise nothing was written, and `game` is either what the idempotency key had led to before
    (`answered`), or the game as it is now, at another version than the change was made for.
    """

    game: Game
    fresh: bool
    answered: bool = False

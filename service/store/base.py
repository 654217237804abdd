"""What is handed to a store of games and comes back from it, and the interface of its results."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from service.games.base import Position
from service.games.moves import Move
from service.records.events import Event
from service.records.game import Game
from service.records.results import Result

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
    """

    game: Game
    answered: Game | None
    responses: StoredResponses
    line: tuple[Move, ...] = ()


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
    """

    game: Game
    event: Event
    responses: StoredResponses
    played: Sequence[Move] = ()
    answer_key: str | None = None
    spends_commitment: bool = False
    positions: Mapping[int, Position] = {}


class Saved(NamedTuple):
    """The result of a write: `fresh` if it was applied now.

    Otherwise nothing was written, and `game` is either what the idempotency key had led to before
    (`answered`), or the game as it is now, at another version than the change was made for.
    """

    game: Game
    fresh: bool
    answered: bool = False


class ResultStore(ABC):
    """Stores results. Every method may raise `StoreUnavailableError`."""

    @abstractmethod
    def enter(self, name: str, result: Result) -> None:
        """Enters `result` in the list called `name`; replaces only one of an earlier version."""

    @abstractmethod
    def results(self, name: str) -> list[Result]:
        """The latest results of a list, in no order."""

    @abstractmethod
    def ranking(self, name: str, after: str, limit: int) -> list[Result]:
        """At most `limit` results of ended games in a list by `sort_key`, after that one."""

    @abstractmethod
    def revision(self, name: str, now: int) -> Hashable:
        """Differs whenever other results of the list were published by `now`, in milliseconds."""

    @abstractmethod
    def claim(self, deal_id: str, label: str, game_id: str) -> bool:
        """Whether a game about to be created is the first of `label` at the deal.

        It is the same when that is repeated. A game that is not created after all loses its claim
        to the next one, and can then no longer be created.
        """

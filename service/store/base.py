"""The promise of a store: one atomic step a write, and nothing told before it is kept."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from service.deals.commitment import Commitment
from service.games.moves import Move
from service.records.events import Event
from service.records.game import Game
from service.records.results import Result
from service.records.timeline import Timeline

ChangeFeed = Callable[[], Iterator[str | None]]
"""Gives the ids of games that have changed or gone, as they do, without an end.

None stands among them whenever some may have been missed: then whoever waits for a game looks at
it. What has happened, the store tells.
"""

StoredResponses = Mapping[str, bytes]
"""By the digest of an idempotency key, the game as the request with that key left it.

The bytes are in a form that only the store reads.
"""


class Loaded(NamedTuple):
    """A game as it is stored, and what it keeps for requests with an idempotency key.

    `answered` is the game as the request with the key asked for left it, None if that is not kept.
    """

    game: Game
    answered: Game | None
    responses: StoredResponses


class Change(NamedTuple):
    """A game as it is to be kept, and what led to it from the version before.

    `responses` are those that the version before has kept, `played` moves that were added to the
    line at `game.ply - len(played)`; `answer_key` is the digest of the request's idempotency key,
    None without one. A new game that `spends_commitment` is made of the commitment with its id.
    """

    game: Game
    event: Event
    responses: StoredResponses
    played: Sequence[Move] = ()
    answer_key: str | None = None
    spends_commitment: bool = False


class Saved(NamedTuple):
    """What a write found: `fresh` if it was applied now.

    Otherwise nothing was written: `game` is what an idempotency key had led to before
    (`answered`), or the game as it is now, at another version than the change was made for.
    """

    game: Game
    fresh: bool
    answered: bool = False


class ResultStore(ABC):
    """Keeps results. Every method may raise `StoreUnavailableError`."""

    @abstractmethod
    def enter(self, name: str, result: Result) -> None:
        """Enters `result` in the list called `name`; once and again is the same."""

    @abstractmethod
    def results(self, name: str) -> list[Result]:
        """What has been entered in a list, the latest ones, in no order."""

    @abstractmethod
    def claim(self, deal_id: str, label: str, game_id: str) -> bool:
        """Whether this game is the first one of `label` at the deal; asked again, the same."""


class Store(ABC):
    """Keeps games. Every method may raise `StoreUnavailableError`, and `GameUnreadableError`."""

    result_store: ResultStore
    """Where the results of games are kept."""

    @abstractmethod
    def load(self, game_id: str) -> Game:
        """The game; `GameNotFoundError` if there is none."""

    @abstractmethod
    def load_with_answers(self, game_id: str, answer_key: str | None) -> Loaded:
        """The game and the responses that it keeps, of one moment: what a change is made of.

        `GameNotFoundError` if there is no such game.
        """

    @abstractmethod
    def load_with_line(self, game_id: str) -> tuple[Game, tuple[Move, ...]]:
        """The game and all moves of its line, those that wait to be redone last, of one moment.

        `GameNotFoundError` if there is no such game.
        """

    @abstractmethod
    def save(self, change: Change) -> Saved:
        """Keeps `change.game` if the kept version is the one before it, in one atomic step.

        A game of version 1 is kept if there is none with its id. The step writes the state, the
        moves, the event and the answers, puts the expiry of all of them off, and marks the
        commitment that it spends. Raises `GameNotFoundError` if the game is not there any more,
        `CommitmentUnknownError` and `CommitmentUsedError`.
        """

    @abstractmethod
    def confirm(self, game_id: str) -> None:
        """Returns when the game, or that it is gone, is kept as safely as `save` leaves it.

        For an answer to a request that came before: its write may have ended in an error.
        """

    @abstractmethod
    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Removes the game if it is at `version`, or at any without one; whether it is gone.

        So is one that was not there: who removed it, nobody can tell.
        """

    @abstractmethod
    def story(self, game_id: str, known: Timeline | None = None) -> Timeline:
        """The game and its kept events of one moment; `known` if the game is still as it tells.

        `GameNotFoundError` if there is no such game.
        """

    @abstractmethod
    def game_ids(self) -> Iterator[str]:
        """The id of every kept game, in no order; some may come twice."""

    @abstractmethod
    def commit(self, commitment: Commitment) -> Commitment:
        """Keeps `commitment` for its lifetime, and gives the one that is kept under its id.

        That is another if one had been kept before; `CommitmentUsedError` if its game outlives it.
        """

    @abstractmethod
    def commitment(self, id: str) -> Commitment:
        """The commitment, spent or not; `CommitmentUnknownError` if none is kept."""

    @abstractmethod
    def ping(self) -> None:
        """Returns if the store can serve, within 200 ms."""

"""The interface of a store: every write is one atomic step, and is published once it is saved."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from service.deals.commitment import Commitment
from service.games.base import Position
from service.games.moves import Move
from service.records.events import Event
from service.records.game import Game
from service.records.labels import Ownership
from service.records.leaderboards import Attempt, Tally
from service.records.results import Result
from service.records.timeline import Timeline

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


class LabelStore(ABC):
    """Stores who owns labels. Every method may raise `StoreUnavailableError`."""

    @abstractmethod
    def ownership(self, label: str) -> Ownership | None:
        """Who owns the label; None if nobody does."""

    @abstractmethod
    def claim(self, label: str, claim: Ownership, former: Ownership | None) -> Ownership:
        """Who owns the label now: `claim`, if nobody did or `former`, exactly as it is, did.

        It is kept as long as results are, from the latest claim on.
        """

    @abstractmethod
    def has_game(self, game_id: str) -> bool:
        """Whether there is a game with this id."""


class TallyStore(ABC):
    """Stores tallies by variant, day and label. Every method may raise `StoreUnavailableError`.

    Days are counted since 1970 UTC.
    """

    @abstractmethod
    def count(self, attempt: Attempt) -> None:
        """Counts `attempt` in the tally of its label; replaces only one of an earlier version."""

    @abstractmethod
    def revisions(self, variant: str, days: Sequence[int]) -> list[Hashable]:
        """For each day what differs whenever its tallies do; None for one without any."""

    @abstractmethod
    def tallies(self, variant: str, day: int) -> Mapping[str, Tally]:
        """The tallies of a day, by label."""


class Store(ABC):
    """Stores games. Every method may raise `StoreUnavailableError` and `GameUnreadableError`.

    All methods that load a game raise `GameNotFoundError` if there is none with the id.
    """

    result_store: ResultStore
    """Where the results of games are stored."""
    label_store: LabelStore
    """Where the owners of labels are stored."""
    tally_store: TallyStore
    """Where the games of owned labels are counted."""

    @abstractmethod
    def load(self, game_id: str) -> Game:
        """The game."""

    @abstractmethod
    def load_with_answers(self, game_id: str, answer_key: str | None) -> Loaded:
        """The game and its responses, of one moment: what a change is made of."""

    @abstractmethod
    def recent(self, game_id: str) -> Loaded | None:
        """The game and its responses as this process knows them, without asking the store.

        They may have changed or gone: nothing may be answered by them but what `save` confirms.
        """

    @abstractmethod
    def load_page(self, game_id: str, after: int, limit: int) -> LinePage:
        """The game and `limit` moves after ply `after` of one moment, with those that lead to it.

        These begin at the last checkpoint, so that a page costs about the same at every ply.
        """

    @abstractmethod
    def load_whole(self, game_id: str, answer_key: str | None) -> Loaded:
        """The game, its responses and its whole line, of one moment."""

    @abstractmethod
    def save(self, change: Change) -> Saved:
        """Saves `change.game` if what is stored is what it was made of, in one atomic step.

        A game of version 1 is saved if there is none with its id. The step writes the state, the
        moves, the event and the responses, extends the expiry of all of them, and marks the
        commitment that it spends. Raises `GameNotFoundError` if the game has gone,
        `GameUnreadableError` if a part of it has, `IdempotencyKeyReusedError` for a new game whose
        id had one before, `CommitmentUnknownError` and `CommitmentUsedError`.
        """

    @abstractmethod
    def confirm(self, game_id: str) -> None:
        """Returns when the game, or its deletion, is stored as safely as `save` leaves it.

        Before a repeated request is answered: its first write may have ended in an error.
        """

    @abstractmethod
    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Deletes the game if it is at `version`, or at any version by default.

        Whether it is gone now, which it also is if it was not there before.
        """

    @abstractmethod
    def story(self, game_id: str, known: Timeline | None = None) -> Timeline:
        """The game and its stored events of one moment; `known` if it is still up to date."""

    @abstractmethod
    def game_ids(self) -> Iterator[str]:
        """The id of every game, in no order; some may come twice."""

    @abstractmethod
    def commit(self, commitment: Commitment, answer_key: str | None = None) -> Commitment:
        """Stores `commitment` for its lifetime, unless there is one with its id; gives the stored.

        `IdempotencyKeyReusedError` if that one has expired; its id is remembered if the request has
        an `answer_key`.
        """

    @abstractmethod
    def commitment(self, id: str) -> Commitment:
        """The commitment, spent or not; `CommitmentUnknownError` if there is none."""

    @abstractmethod
    def ping(self) -> None:
        """Returns if the store answers, and allows all that the service needs, within 200 ms."""

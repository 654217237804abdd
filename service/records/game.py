"""A kept game: its deal, the place reached in its line of play, and what counts about it."""

from typing import Literal, NamedTuple

from service.deals.deal import Deal
from service.errors import GameOverError, GameUnreadableError
from service.games.base import Position, Reveal, Variant
from service.games.moves import Move
from service.records.hint import Hint

Status = Literal["in_progress", "won", "resigned"]
Stopped = Literal["reveal", "won"]


class Counters(NamedTuple):
    """Moves played, moves taken back, hints given, and cards that were seen and hidden again."""

    moves: int = 0
    undos: int = 0
    hints: int = 0
    reveals_undone: int = 0


NO_COUNTS = Counters()


class Outcome(NamedTuple):
    """What a request came to: moves applied, cards turned, what ended the batch early, a hint."""

    applied: int = 0
    reveals: tuple[Reveal, ...] = ()
    stopped: Stopped | None = None
    hint: Hint | None = None


class Receipt(NamedTuple):
    """The last accepted request, by its fingerprint, and what it came to.

    It lets a repeated request be told from a new one: a client that lost the answer sends the
    same again, and a write to the store whose answer was lost is tried again.
    """

    fingerprint: str
    outcome: Outcome


class Game(NamedTuple):
    """A game as it is kept. The record is the truth, `position` what replaying it gives.

    `ply` moves of the line have been played and `length - ply` wait to be played again; the
    moves themselves are kept beside the game, so that one move costs the same at any ply. Times
    are milliseconds since 1970 UTC.
    """

    id: str
    deal: Deal
    position: Position
    created_at: int
    updated_at: int
    receipt: Receipt
    version: int = 1
    ply: int = 0
    length: int = 0
    resigned: bool = False
    label: str | None = None
    counters: Counters = NO_COUNTS
    plan: tuple[Move, ...] = ()
    """The moves that an earlier hint has planned from here on, if the game has followed it."""
    first_attempt: bool = False
    """Whether it is the first game of its label at its deal, as far as anybody can tell."""
    forked_at: int | None = None
    """The ply of a replay at which the game began, for practice; None if it began with a deal."""
    epoch: int = 1
    """Names the server key that the play token is derived from."""

    @property
    def variant(self) -> Variant:
        """The game that is played."""
        return self.deal.variant

    @property
    def status(self) -> Status:
        """In progress, won or resigned."""
        if self.resigned:
            return "resigned"
        return "won" if self.position.view.won else "in_progress"

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves that lead on; none once the game has ended."""
        return () if self.resigned else self.position.legal_moves()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.status != "in_progress"

    @property
    def is_sealed(self) -> bool:
        """Whether nobody may know the deal yet, because this game of it has not ended."""
        return self.deal.fairness == "sealed" and not self.is_over

    def require_running(self) -> None:
        """Raises `GameOverError` if the game has ended."""
        if self.is_over:
            raise GameOverError(self.status)

    def require_position(self, position: Position) -> None:
        """Raises `GameUnreadableError` unless `position`, where the record leads, is the game's."""
        if position != self.position:
            raise GameUnreadableError("its line does not lead to its position")

    def next(self, at: int, receipt: Receipt, **changes: object) -> "Game":
        """The game after one more accepted request, at the time `at`."""
        return self._replace(
            version=self.version + 1,
            updated_at=max(at, self.updated_at),
            receipt=receipt,
            **changes,  # type: ignore[arg-type]
        )

"""The stored state of a game: its deal, its position, its counters and its last request."""

from typing import Literal, NamedTuple

from service.deals.deal import Deal
from service.errors import GameOverError, GameUnreadableError
from service.games.base import Position, Reveal, Variant
from service.games.moves import Move
from service.records.hint import Hint

Status = Literal["in_progress", "won", "resigned"]
Stopped = Literal["reveal", "won"]


class Counters(NamedTuple):
    """Moves played, moves undone, hints given, and revealed cards that an undo hid again."""

    moves: int = 0
    undos: int = 0
    hints: int = 0
    reveals_undone: int = 0


NO_COUNTS = Counters()


class Outcome(NamedTuple):
    """The result of a request: moves applied, cards turned, why the batch stopped early, a hint."""

    applied: int = 0
    reveals: tuple[Reveal, ...] = ()
    stopped: Stopped | None = None
    hint: Hint | None = None


class Receipt(NamedTuple):
    """The fingerprint of the last accepted request, and its outcome.

    It makes retries recognisable, both of a client that lost the response and of a write to the
    store whose reply was lost.
    """

    fingerprint: str
    outcome: Outcome


class Game(NamedTuple):
    """A game as it is stored. The record is the truth, `position` the result of replaying it.

    `ply` moves of the line are played and `length - ply` can be redone. The moves themselves are
    stored beside the game, so that a move costs the same at every ply. Times are milliseconds since
    1970 UTC.
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
    """The next moves that an earlier hint planned, while the game follows them; see `planned`."""
    first_attempt: bool = False
    """Whether this is the first known game of its deal with its label."""
    forked_at: int | None = None
    """The ply of the replay that a practice game continues; None if it began with a deal."""
    epoch: int = 1
    """The epoch of the server key that the play token is derived from."""
    label_owned: bool = False
    """Whether the game was created by the owner of its label."""

    @property
    def variant(self) -> Variant:
        """The variant that is played."""
        return self.deal.variant

    @property
    def status(self) -> Status:
        """In progress, won or resigned."""
        if self.resigned:
            return "resigned"
        return "won" if self.position.view.won else "in_progress"

    @property
    def planned(self) -> tuple[Move, ...]:
        """The plan from here: none after a hint without a move, whose plan follows its undo."""
        hint = self.receipt.outcome.hint
        return self.plan if hint is None or hint.move is not None else ()

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves that change something; none once the game has ended."""
        return () if self.resigned else self.position.legal_moves()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.status != "in_progress"

    @property
    def is_begun(self) -> bool:
        """Whether a move has been accepted, taken back or not, or the game has ended."""
        return self.counters.moves > 0 or self.is_over

    @property
    def is_stuck(self) -> bool:
        """Whether only an undo leads on."""
        return not self.is_over and self.position.view.stuck

    @property
    def is_sealed(self) -> bool:
        """Whether the deal is secret because its only game has not ended."""
        return self.deal.fairness == "sealed" and not self.is_over

    def require_running(self) -> None:
        """Raises `GameOverError` if the game has ended."""
        if self.is_over:
            raise GameOverError(self.status)

    def require_position(self, position: Position) -> None:
        """Raises `GameUnreadableError` unless `position`, the end of the record, is the game's."""
        if position != self.position:
            raise GameUnreadableError("its moves do not lead to its position")

    def next(self, at: int, receipt: Receipt, **changes: object) -> "Game":
        """The game after another accepted request, at the time `at`, with `changes`."""
        return self._replace(
            version=self.version + 1,
            updated_at=max(at, self.updated_at),
            receipt=receipt,
            **changes,  # type: ignore[arg-type]
        )

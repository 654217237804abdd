"""Every error that Asterism raises, in one tree; `service.api.problems` maps them to HTTP."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import ClassVar


class AsterismError(Exception):
    """The root of the tree: catch it to catch everything Asterism raises on purpose.

    `message` is the error's text, a `str.format` template for its attributes. An error without
    one takes its text as its argument.
    """

    message: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.message.format_map(vars(self)) or super().__str__()


class InputError(AsterismError, ValueError):
    """Invalid text or an invalid number from outside."""


class CardError(InputError):
    """The text is not a card."""


class MoveTextError(InputError):
    """The text is not a move."""


class BoardError(InputError):
    """The text is not a board, or no game can reach the board."""


class DealNumberError(InputError):
    """The text is not a deal number, 1 … 2^64-1 in plain decimal digits."""


class DayTextError(InputError):
    """The text is not a calendar day."""


class UnknownVariantError(InputError):
    """The catalogue has no game of this name."""


@dataclass(eq=False)
class RevealError(InputError):
    """The JSON is not a revealed deal, or one that this release does not know."""

    reason: str
    message = "Not a revealed deal: {reason}."


@dataclass(eq=False)
class ReplayTextError(InputError):
    """The text is not a replay in text form."""

    reason: str
    message = "Not a replay: {reason}."


class ReplaySealedError(AsterismError):
    """The replay does not contain its deal: a game from it would show hidden cards."""

    message = "The replay does not contain its deal, so no game can continue from it."


@dataclass(eq=False)
class ReplayWrongError(AsterismError):
    """The replay is wrong or too short, so no game can start from it.

    `fault` is the code of the fault, at `ply`. `move` is None if the fault is not in a move, `rule`
    if no rule refuses that move.
    """

    fault: str
    ply: int
    detail: str
    move: str | None = None
    rule: str | None = None
    message = "{detail}"


class PositionError(AsterismError):
    """The piles are not a position of the game, or no game can reach it."""


class SettingsError(AsterismError):
    """The service cannot start with these settings; `args` are the faults, one text each."""

    def __str__(self) -> str:
        return "\n".join(self.args)


@dataclass(eq=False)
class IllegalMoveError(AsterismError):
    """The rules refuse the move; nothing has changed.

    `rule` is the rule code, `piles` the ids it concerns, `index` the move's place in its batch.
    """

    move: str
    rule: str
    detail: str
    piles: tuple[str, ...] = ()
    index: int = 0
    message = "{detail}"

    def at(self, index: int) -> "IllegalMoveError":
        """The same refusal, placed in a batch."""
        return replace(self, index=index)


@dataclass(eq=False)
class GameOverError(AsterismError):
    """The game is won or resigned and takes no more moves."""

    status: str
    message = "The game is {status} and takes no more moves."


class GameRunningError(AsterismError):
    """The game is in progress, and its deal stays sealed until it ends."""

    message = "The deal is sealed until its game is won or resigned."


@dataclass(eq=False)
class DayNotOverError(AsterismError):
    """The cards and results of a daily deal are closed until its day is over, in UTC."""

    day: date
    message = "The deal of {day} is closed until that day ends in UTC."

    @property
    def opens_at(self) -> str:
        """When the day ends, as in RFC 3339."""
        return f"{self.day + timedelta(days=1)}T00:00:00.000Z"


@dataclass(eq=False)
class NotTodayError(AsterismError):
    """Only the daily deal of today, in UTC, can be started."""

    day: date
    today: date
    message = "Only the deal of today ({today} in UTC) can be started, not that of {day}."


@dataclass(eq=False)
class NothingToUndoError(AsterismError):
    """More moves were to be undone than have been played."""

    asked: int
    available: int
    message = "Only {available} of {asked} moves can be undone."


@dataclass(eq=False)
class NothingToRedoError(AsterismError):
    """More moves were to be redone than have been undone."""

    asked: int
    available: int
    message = "Only {available} of {asked} moves can be redone."


class GameNotFoundError(AsterismError):
    """No game has this id: never created, deleted, or expired."""

    message = "No game has this id. It may have been deleted or have expired."


class CommitmentUnknownError(AsterismError):
    """No unused commitment has this id: never made, or expired."""

    message = "No commitment has this id. It may have expired; request a new one."


class CommitmentUsedError(AsterismError):
    """A game has been created from the commitment already."""

    message = "A game has already been created from this commitment; request a new one."


class DealNotFoundError(AsterismError):
    """No numbered deal has this id, and no daily deal of a day that has begun."""

    message = (
        "No deal has this id. Write variant-number, or variant-daily-YYYY-MM-DD for a day that has "
        "begun."
    )


class ProblemNotFoundError(AsterismError):
    """No problem has this code."""

    message = "No problem has this code. GET /problems lists them all."


class TokenMissingError(AsterismError):
    """The request needs a play token and has none."""

    message = "Send the game's play token as `Authorization: Bearer <play token>`."


class TokenWrongError(AsterismError):
    """The play token belongs to another game, or to none."""

    message = "The play token is not that of this game."


@dataclass(eq=False)
class VersionConflictError(AsterismError):
    """The game has changed since the version that the request was made for."""

    expected: int
    current: int
    message = (
        "The request expects version {expected}, but the game is at version {current}. "
        "Read the game again before the next request."
    )


@dataclass(eq=False)
class PreconditionError(AsterismError):
    """The `If-Match` header does not match the current game (RFC 9110, 13.1.1)."""

    current: int
    message = 'If-Match does not match the current version of the game, "v{current}".'


class IdempotencyKeyReusedError(AsterismError):
    """The idempotency key came before, with another request."""

    message = "This idempotency key was used for another request; choose a new one."


class ForeignCursorError(AsterismError):
    """The cursor comes from another list."""

    message = "This cursor is the `next` of another list. Read the first page without a cursor."


class LeavingError(AsterismError):
    """This instance is shutting down: requests belong to another one."""

    message = "This instance is shutting down. Send requests to another one."


@dataclass(eq=False)
class StoreUnavailableError(AsterismError):
    """The store did not answer in time, or cannot write now."""

    reason: str = "did not answer in time"
    message = "The store {reason}. Try again shortly."


@dataclass(eq=False)
class TooManyRequestsError(AsterismError):
    """The rate limit `policy` of `quota` a minute is used up for `retry_after` seconds."""

    policy: str
    quota: int
    retry_after: int
    message = "The rate limit {policy} is {quota} a minute. Retry after {retry_after} s."


@dataclass(eq=False)
class TooManyWatchersError(AsterismError):
    """The limit of simultaneous watchers is reached."""

    limit: int
    where: str
    message = "At most {limit} can watch {where} at once. Try again later."


class TooManySearchesError(AsterismError):
    """The limit of simultaneous searches is reached."""

    message = "The service is busy with other searches. Try again shortly."


@dataclass(eq=False)
class GameTooLongError(AsterismError):
    """The line of play would exceed its greatest length."""

    longest: int
    message = "A line of play has at most {longest} moves. Undo some first."


@dataclass(eq=False)
class GameUnreadableError(AsterismError):
    """This release cannot read the stored game; it is left unchanged."""

    reason: str
    message = "The stored game cannot be read: {reason}. It is left unchanged."


class InvalidJsonError(InputError):
    """The request body is not JSON (RFC 8259), or repeats a key in an object."""


@dataclass(eq=False)
class InvalidRequestError(InputError):
    """The request has the wrong shape.

    `errors` has one entry per fault: where it is (`pointer`, `parameter` or `header`) and `detail`.
    """

    errors: list[dict[str, str]]
    message = "The request does not match the contract; see `errors`."

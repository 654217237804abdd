"""Every error that Asterism raises, in one tree; `service.api.problems` maps them to HTTP."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import ClassVar


class AsterismError(Exception):
    """The root of the tree: catch it to catch everything Asterism raises on purpose.

    `message` is the text of an error, with its attributes in braces; classes whose message says it
    all have no docstring. An error without a message is raised with its text.
    """

    message: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.message.format_map(vars(self)) or super().__str__()


class InputError(AsterismError, ValueError):
    """A text or number from outside is not what it should be: a card, a move, a board, a day …"""


class UnknownVariantError(InputError):
    """The catalogue has no game of this name."""


@dataclass(eq=False)
class BotError(AsterismError):
    """A bot cannot be loaded, or does in a game what no bot may do."""

    bot: str
    fault: str
    message = "{bot} {fault}"


class RemoteError(AsterismError):
    """A service elsewhere cannot be reached, refuses, or is none of ours."""


class WorkerError(AsterismError):
    """A process that works for a command has ended, or has to be ended."""


@dataclass(eq=False)
class RevealError(InputError):
    reason: str
    message = "Not a revealed deal: {reason}."


@dataclass(eq=False)
class ReplayTextError(InputError):
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
    game_status: str
    message = "The game is {game_status} and takes no more moves."


class GameRunningError(AsterismError):
    message = "The deal is sealed until its game is won or resigned."


@dataclass(eq=False)
class DayNotOverError(AsterismError):
    day: date
    message = "The deal of {day} is closed until that day is over."

    @property
    def opens_at(self) -> str:
        """When the day ends, as in RFC 3339."""
        return f"{self.day + timedelta(days=1)}T00:00:00.000Z"


@dataclass(eq=False)
class NotTodayError(AsterismError):
    day: date
    today: date
    message = "Only the deal of today ({today} in UTC) can be started, not that of {day}."


@dataclass(eq=False)
class NothingToUndoError(AsterismError):
    asked: int
    available: int
    message = "Only {available} of {asked} moves can be undone."


@dataclass(eq=False)
class NothingToRedoError(AsterismError):
    asked: int
    available: int
    message = "Only {available} of {asked} moves can be redone."


class GameNotFoundError(AsterismError):
    message = "No game has this id. It may have been deleted or have expired."


class CommitmentUnknownError(AsterismError):
    message = "No commitment has this id. It may have expired; request a new one."


class CommitmentUsedError(AsterismError):
    message = "A game has already been created from this commitment; request a new one."


class DealNotFoundError(AsterismError):
    """No numbered deal has this id, and no daily deal of a day that has begun."""

    message = (
        "No deal has this id. Write variant-number, or variant-daily-YYYY-MM-DD for a day that has "
        "begun."
    )


class ProblemNotFoundError(AsterismError):
    message = "No problem has this code. GET /problems lists them all."


class TokenMissingError(AsterismError):
    message = "Send the game's play token as `Authorization: Bearer <play token>`."


class TokenWrongError(AsterismError):
    message = "The play token is not that of this game."


class LabelKeyWrongError(AsterismError):
    message = "The label key is not that of this label, or has lapsed. No game has been created."


@dataclass(eq=False)
class VersionConflictError(AsterismError):
    expected_version: int
    current_version: int
    message = (
        "The request expects version {expected_version}, but the game is at version "
        "{current_version}. Read the game again before the next request."
    )


@dataclass(eq=False)
class PreconditionError(AsterismError):
    """The `If-Match` header does not match the current game (RFC 9110, 13.1.1)."""

    current_version: int
    message = 'If-Match does not match the current version of the game, "v{current_version}".'


@dataclass(eq=False)
class IdempotencyKeyReusedError(AsterismError):
    use: str = "another request"
    message = "This idempotency key was used for {use}; choose a new one."


class ForeignCursorError(AsterismError):
    message = "This cursor is the `next` of another list. Read the first page without a cursor."


class LeavingError(AsterismError):
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
    limit: int
    where: str
    message = "At most {limit} can watch {where} at once. Try again later."


class TooManySearchesError(AsterismError):
    message = "The service is busy with other searches. Try again shortly."


@dataclass(eq=False)
class GameTooLongError(AsterismError):
    longest: int
    message = "A line of play has at most {longest} moves. Undo some first."


@dataclass(eq=False)
class GameUnreadableError(AsterismError):
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

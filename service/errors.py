"""Every error of Asterism, in one tree; `service.api.problems` says what each is over HTTP."""

from datetime import date, timedelta


class AsterismError(Exception):
    """The root of the tree: catch it to catch everything Asterism raises on purpose."""


class InputError(AsterismError, ValueError):
    """A text or a number from outside that means nothing here."""


class CardError(InputError):
    """A text that is no card."""


class MoveTextError(InputError):
    """A text that is no move."""


class BoardError(InputError):
    """A text that is no board, or a board that no game can reach."""


class DealNumberError(InputError):
    """A deal number outside 1 … 2^64-1, or not written in plain decimal digits."""


class DayTextError(InputError):
    """A text that is no day of the calendar."""


class UnknownVariantError(InputError):
    """A name that no game in the catalogue has."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no variant {name!r}; there are {', '.join(known)}.")
        self.name = name
        self.known = known


class RevealError(InputError):
    """A text that is no reveal of a deal, or of one that this release does not know."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This is no revealed deal: {reason}.")


class ReplayTextError(InputError):
    """A text that is no replay in text form."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This is no replay: {reason}.")


class ReplaySealedError(AsterismError):
    """A replay that does not tell its deal: to play on from it would be to look under the cards."""

    def __init__(self) -> None:
        super().__init__("This replay does not tell its deal, so nobody can play on from it.")


class ReplayWrongError(AsterismError):
    """A replay that is not right, or too short, and from which nothing can begin.

    `fault` is the code of what is wrong, at `ply`; `move` and `rule` are None where it is no move,
    or no rule that refuses it.
    """

    def __init__(
        self, fault: str, ply: int, detail: str, move: str | None = None, rule: str | None = None
    ) -> None:
        super().__init__(detail)
        self.fault = fault
        self.ply = ply
        self.move = move
        self.rule = rule


class PositionError(AsterismError):
    """Piles that make up no position, or one that no game can reach."""


class SettingsError(AsterismError):
    """Settings that the service cannot start with; `args` are the faults, one text each."""

    def __str__(self) -> str:
        return "\n".join(self.args)


class IllegalMoveError(AsterismError):
    """A move that the rules refuse; nothing has changed.

    `rule` is the rule code, `piles` the ids it concerns, `index` the move's place in its batch.
    """

    def __init__(
        self, move: str, rule: str, detail: str, piles: tuple[str, ...] = (), index: int = 0
    ) -> None:
        super().__init__(detail)
        self.move = move
        self.rule = rule
        self.detail = detail
        self.piles = piles
        self.index = index

    def at(self, index: int) -> "IllegalMoveError":
        """The same refusal, placed in a batch."""
        return IllegalMoveError(self.move, self.rule, self.detail, self.piles, index)


class GameOverError(AsterismError):
    """The game is won or resigned: nothing more is played in it."""

    def __init__(self, status: str) -> None:
        super().__init__(f"This game is {status}: nothing more is played in it.")
        self.status = status


class GameRunningError(AsterismError):
    """The game is still being played, and its sealed deal stays sealed until it ends."""

    def __init__(self) -> None:
        super().__init__("This deal is sealed until its game is won or resigned.")


class DayNotOverError(AsterismError):
    """The deal of a day that is not over: its cards and its results stay closed until then."""

    def __init__(self, day: date) -> None:
        self.opens_at = f"{day + timedelta(days=1)}T00:00:00.000Z"
        super().__init__(f"This is the deal of {day}: it stays closed until {self.opens_at}.")


class NotTodayError(AsterismError):
    """A daily deal of another day than today, in UTC."""

    def __init__(self, day: date, today: date) -> None:
        super().__init__(f"Only today's deal can be begun: that of {today} in UTC, not of {day}.")
        self.today = str(today)


class NothingToUndoError(AsterismError):
    """More moves were to be taken back than have been played."""

    def __init__(self, asked: int, available: int) -> None:
        super().__init__(f"{asked} to take back, but {available} played.")
        self.asked = asked
        self.available = available


class NothingToRedoError(AsterismError):
    """More moves were to be played again than have been taken back."""

    def __init__(self, asked: int, available: int) -> None:
        super().__init__(f"{asked} to play again, but {available} taken back.")
        self.asked = asked
        self.available = available


class GameNotFoundError(AsterismError):
    """No game has this id: never created, deleted, or expired."""

    def __init__(self) -> None:
        super().__init__("No game has this id. It may have been deleted, or have expired.")


class CommitmentUnknownError(AsterismError):
    """No commitment with this id waits for its game: never made, or expired."""

    def __init__(self) -> None:
        super().__init__("No commitment has this id. It may have expired; take a new one.")


class CommitmentUsedError(AsterismError):
    """The commitment has been spent on a game already."""

    def __init__(self) -> None:
        super().__init__("A game has been made of this commitment already; take a new one.")


class DealNotFoundError(AsterismError):
    """No numbered deal has this id, and no daily deal of a day that has begun."""

    def __init__(self) -> None:
        super().__init__(
            "No deal has this id: write variant-number, or variant-daily-YYYY-MM-DD of a day "
            "that has begun."
        )


class ProblemNotFoundError(AsterismError):
    """No kind of problem has this code."""

    def __init__(self) -> None:
        super().__init__("No problem has this code. GET /problems lists them all.")


class TokenMissingError(AsterismError):
    """The request changes a game and brings no play token."""

    def __init__(self) -> None:
        super().__init__("Send the game's play token as `Authorization: Bearer <play token>`.")


class TokenWrongError(AsterismError):
    """The play token belongs to another game, or to none."""

    def __init__(self) -> None:
        super().__init__("This play token is not the one that was given out with this game.")


class VersionConflictError(AsterismError):
    """The game has moved on since the version that the request was made for."""

    def __init__(self, expected: int, current: int) -> None:
        super().__init__(
            f"The request was made for version {expected}, the game is at version {current}. "
            "Read the game again and decide anew."
        )
        self.expected = expected
        self.current = current


class PreconditionError(AsterismError):
    """An `If-Match` header that does not match the game as it is now (RFC 9110, 13.1.1)."""

    def __init__(self, current: int) -> None:
        super().__init__(f'If-Match does not name the game as it is now, which is "v{current}".')
        self.current = current


class IdempotencyKeyReusedError(AsterismError):
    """An idempotency key that came before, with another request."""

    def __init__(self) -> None:
        super().__init__("This idempotency key was used for another request; take a new one.")


class ForeignCursorError(AsterismError):
    """A cursor that another list has given out."""

    def __init__(self) -> None:
        super().__init__("This cursor is the `next` of another list. Begin this one without it.")


class LeavingError(AsterismError):
    """This instance is about to stop: others are to be sent to another one."""

    def __init__(self) -> None:
        super().__init__("This instance is about to stop. Send requests to another one.")


class StoreUnavailableError(AsterismError):
    """The store did not answer in time, or cannot write now."""

    def __init__(self, reason: str = "did not answer in time") -> None:
        super().__init__(f"The store {reason}. Try again shortly.")


class TooManyRequestsError(AsterismError):
    """One request more than the limit `policy` allows; the next can come in `retry_after` s."""

    def __init__(self, policy: str, quota: int, retry_after: int) -> None:
        super().__init__(f"The limit {policy} is {quota} a minute. Wait {retry_after} s.")
        self.policy = policy
        self.retry_after = retry_after


class TooManyWatchersError(AsterismError):
    """There is no room for one more watcher."""

    def __init__(self, limit: int, where: str) -> None:
        super().__init__(f"{limit} watch {where} already, which is the limit. Try again later.")
        self.limit = limit


class TooManySearchesError(AsterismError):
    """As many search here as may at once."""

    def __init__(self) -> None:
        super().__init__("Too much is being thought about just now. Try again shortly.")


class GameTooLongError(AsterismError):
    """The line of play would grow longer than a line may be."""

    def __init__(self, longest: int) -> None:
        super().__init__(f"A line of play has {longest} moves at the most. Take some back first.")
        self.longest = longest


class GameUnreadableError(AsterismError):
    """A kept game that this release cannot read; it is left as it is."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The kept game cannot be read: {reason}. It has been left as it is.")


class InvalidJsonError(InputError):
    """A request body that is no JSON text (RFC 8259), or repeats a key in an object."""


class InvalidRequestError(InputError):
    """A request of the wrong shape.

    `errors` has one entry a fault: where it is (`pointer`, `parameter` or `header`) and `detail`.
    """

    def __init__(self, errors: list[dict[str, str]]) -> None:
        super().__init__("The request does not have the shape the contract gives it; see errors.")
        self.errors = errors

"""What the client raises: `ClientError`, and a class for each kind of failure."""
# ruff: noqa: N818 - what happened is the better name

from typing import Any

import msgspec

from service.client.models import Game, Model


class ClientError(Exception):
    """The root: catch it to catch everything that the client raises on purpose."""


class Unreachable(ClientError):
    """The service cannot be reached, or did not answer in time; a write may have been applied."""


class WrongUrl(ClientError):
    """The URL is not one, or something other than an Asterism service answers there."""


class Fault(Model, frozen=True):
    """A fault of a request: what is wrong with the member, parameter or header that it names."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None
    header: str | None = None

    def __str__(self) -> str:
        return f"{self.pointer or self.parameter or self.header}: {self.detail}"


class _Document(Model, frozen=True):
    """A problem document (RFC 9457), as far as all kinds share it."""

    code: str
    title: str
    detail: str
    type: str
    request_id: str | None = None
    rule: str | None = None
    errors: tuple[Fault, ...] = ()


class Problem(ClientError):
    """A refusal by the service. `code` is for programs, `detail` for people.

    `rule` says which rule forbids a move, `errors` what is invalid in a request, and `retry_after`
    after how many seconds the request may succeed. `members` has the whole problem document.
    """

    retry_after: float | None = None

    def __init__(self, status: int, members: dict[str, Any]) -> None:
        """Raises msgspec's `ValidationError` if `members` are not those of a problem document."""
        super().__init__(status, members)
        document = msgspec.convert(members, _Document)
        self.status, self.members = status, members
        self.code = document.code
        self.title = document.title
        self.detail = document.detail
        self.type = document.type
        self.request_id = document.request_id
        self.rule = document.rule
        self.errors = document.errors

    def __str__(self) -> str:
        return " ".join(map(str, self.errors)) or self.detail


class IllegalMove(Problem):
    """A rule forbids a move. Nothing has changed."""

    @property
    def move(self) -> str:
        """The move."""
        return str(self.members["move"])

    @property
    def index(self) -> int:
        """Its place in the batch, from 0."""
        return int(self.members["index"])

    @property
    def piles(self) -> tuple[str, ...]:
        """The piles that the rule is about."""
        return tuple(self.members["piles"])


class VersionConflict(Problem):
    """Another request came first. Nothing has changed.

    `game` is the game as it stands now, which its handle knows already; None if it cannot be read.
    """

    game: Game | None = None


class GameOver(Problem):
    """The game is won or resigned."""


class NotFound(Problem):
    """There is no such game, deal or variant."""


class NotAuthorized(Problem):
    """The play token or key is missing or wrong."""


class RateLimited(Problem):
    """Too many requests or watchers, also when waited for as long as the client may."""


class Unavailable(Problem):
    """The service cannot answer now, also when waited for as long as the client may."""


_BY_CODE: dict[str, type[Problem]] = {
    "illegal-move": IllegalMove,
    "version-conflict": VersionConflict,
    "precondition-failed": VersionConflict,
    "game-over": GameOver,
}
_BY_STATUS: dict[int, type[Problem]] = {
    401: NotAuthorized,
    403: NotAuthorized,
    404: NotFound,
    429: RateLimited,
    503: Unavailable,
}


def problem(status: int, content: bytes) -> Problem:
    """The exception for a problem document; raises msgspec's `MsgspecError` if it is none."""
    members = msgspec.json.decode(content, type=dict[str, Any])
    kind = _BY_CODE.get(str(members.get("code"))) or _BY_STATUS.get(status, Problem)
    return kind(status, members)

"""What can be seen of a request from outside: noted while it is answered, told when it has been.

Nothing here has a field for a card, a seed, a token or a query: what is not noted is not told.
"""

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


class StoreCall(NamedTuple):
    """One operation of the store: seconds from the start of the request, and seconds it took."""

    operation: str
    began: float
    seconds: float
    failed: bool


class Kept(NamedTuple):
    """An accepted request that was kept: in a game of what, what it did, how the game stands."""

    variant: str
    fairness: str
    kind: str
    status: str


@dataclass(slots=True)
class Notes:
    """What a request has come to so far; `began` is its start by the monotonic clock."""

    began: float
    variant: str | None = None
    game_id: str | None = None
    kept: Kept | None = None
    calls: list[StoreCall] = field(default_factory=list)


class Answered(NamedTuple):
    """A request that has been answered.

    `at` is its start in seconds since 1970 UTC, `seconds` how long it took, `route` the template of
    its path, None where no route has it; `code` is that of the problem it was answered with, and
    `rule` that of the rule which refused its move. A stream took as long as somebody listened.
    """

    at: float
    seconds: float
    request_id: str
    method: str
    route: str | None
    status: int
    code: str | None
    rule: str | None
    streamed: bool
    notes: Notes
    traceparent: str | None = None
    """What the client said of the trace that the request belongs to (W3C Trace Context)."""

    @property
    def store_seconds(self) -> float:
        """How much of the time the store took."""
        return sum(call.seconds for call in self.notes.calls)


class Observer(Protocol):
    """Whoever is told what the service does. It must not fail, and must not wait."""

    def answered(self, request: Answered) -> None:
        """A request has been answered, a stream included, to its end."""

    def streaming(self, more: int) -> None:
        """One stream more is open (1), or one less (-1)."""


_NOTES: ContextVar[Notes | None] = ContextVar("notes", default=None)


def take_notes(began: float) -> Notes:
    """New notes, of the request that this thread or greenlet answers from now on."""
    notes = Notes(began)
    _NOTES.set(notes)
    return notes


def notes() -> Notes | None:
    """The notes of the request that is being answered here, if there is one."""
    return _NOTES.get()

"""The request at hand: what the store did for it, noted for whoever observes it.

Nothing here has a field for a card, a seed, a token or a query: what is not noted is not told.
"""

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple


class StoreCall(NamedTuple):
    """One operation of the store: seconds from the start of the request, and seconds it took."""

    operation: str
    began: float
    seconds: float
    failed: bool


class GameWrite(NamedTuple):
    """An accepted request that was kept: in a game of what, what it did, how the game stands."""

    variant: str
    fairness: str
    kind: str
    status: str


@dataclass(slots=True)
class RequestContext:
    """What a request has come to so far; `began` is its start by the monotonic clock."""

    began: float
    variant: str | None = None
    game_id: str | None = None
    game_write: GameWrite | None = None
    calls: list[StoreCall] = field(default_factory=list)


_NOTES: ContextVar[RequestContext | None] = ContextVar("notes", default=None)


def start_request_context(began: float) -> RequestContext:
    """New notes, of the request that this thread or greenlet answers from now on."""
    notes = RequestContext(began)
    _NOTES.set(notes)
    return notes


def request_context() -> RequestContext | None:
    """The notes of the request that is being answered here, if there is one."""
    return _NOTES.get()

"""Completed requests, and the promise of an observer that is told of them."""

from typing import NamedTuple, Protocol

from service.store.request_context import RequestContext


class CompletedRequest(NamedTuple):
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
    notes: RequestContext
    traceparent: str | None = None
    """What the client said of the trace that the request belongs to (W3C Trace Context)."""

    @property
    def store_seconds(self) -> float:
        """How much of the time the store took."""
        return sum(call.seconds for call in self.notes.calls)


class Observer(Protocol):
    """Whoever is told what the service does. It must not fail, and must not wait."""

    def on_request(self, request: CompletedRequest) -> None:
        """A request has been answered, a stream included, to its end."""

    def on_stream(self, more: int) -> None:
        """One stream more is open (1), or one less (-1)."""

"""What telemetry knows of a completed request, and the interface of its observers."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from service.store.request_context import RequestContext


class CompletedRequest(NamedTuple):
    """A request whose response has been sent.

    `at` is its start in seconds since 1970 UTC, `seconds` its duration, `route` the template of its
    path, None if no route matches; `code` is that of its problem document, and `rule` that of the
    rule which refused its move. The duration of a stream is the time that it was open.
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
    """The trace that the request belongs to, from the client (W3C Trace Context)."""

    @property
    def store_seconds(self) -> float:
        """The part of the duration spent in the store."""
        return sum(call.seconds for call in self.notes.calls)


class Observer(ABC):
    """Receives completed requests. It must not raise, and must not block."""

    @abstractmethod
    def on_request(self, request: CompletedRequest) -> None:
        """A request is complete, or a stream has ended."""

    def on_stream(self, change: int) -> None:  # noqa: B027 - most observers need only its end
        """A stream has been opened (1) or closed (-1)."""

"""What telemetry knows of a request, and who is told of it."""

from collections.abc import Callable
from dataclasses import dataclass

from service.store.request_context import RequestContext


@dataclass(slots=True, kw_only=True)
class ObservedRequest(RequestContext):
    """A request whose response has been sent, with what the store has recorded of it.

    `at` is its start in seconds since 1970 UTC, `seconds` its duration, `route` the template of its
    path, None if no route matches; `code` is that of its problem document, and `rule` that of the
    rule which refused its move. The duration of a stream is the time that it was open.
    """

    at: float
    method: str
    traceparent: str | None
    """The trace that the request belongs to, from the client (W3C Trace Context)."""
    request_id: str = ""
    seconds: float = 0.0
    route: str | None = None
    status: int = 500
    code: str | None = None
    rule: str | None = None
    streamed: bool = False

    @property
    def store_seconds(self) -> float:
        """The part of the duration spent in the store."""
        return sum(call.seconds for call in self.calls)


Observer = Callable[[ObservedRequest], object]
"""Called when a response has been sent or a stream has ended. Must not raise, and not block."""

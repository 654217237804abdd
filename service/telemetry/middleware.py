"""WSGI middleware that reports every completed request to observers."""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.wsgi import ClosingIterator

from service.store.request_context import RequestContext, set_request_context

_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_PLACEHOLDER = re.compile("<(?:[^:>]+:)?([^>]+)>")


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


def observe_requests(
    application: WSGIApplication,
    observers: Sequence[Observer],
    count_streams: Callable[[int], None] = lambda change: None,
) -> WSGIApplication:
    """`application`, with its completed requests reported to `observers`, streams at their end.

    `count_streams` is called with 1 when a stream opens, and with -1 when it closes.
    Free text from clients is not reported: an unknown method is `other`, and a path its route.
    """

    def observe(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        request = ObservedRequest(
            began=time.perf_counter(),
            at=time.time(),
            method=method if method in _METHODS else "other",
            traceparent=environ.get("HTTP_TRACEPARENT"),
        )
        set_request_context(request)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            request.status = int(status[:3])
            request.streamed = request.status == 200 and "Content-Length" not in dict(headers)
            # Flask forgets the request when it returns the response.
            if rule := environ["werkzeug.request"].url_rule:
                request.route = _template(rule.rule)
            return start_response(status, headers, *error)

        def report() -> None:
            problem = environ.get("asterism.problem", {})
            request.code = problem.get("code")
            request.rule = problem["rule"] if request.code == "illegal-move" else None
            request.request_id = environ["asterism.request_id"]
            request.seconds = time.perf_counter() - request.began
            for observer in observers:
                observer(request)

        body = application(environ, start)
        if request.streamed:
            count_streams(1)
            return ClosingIterator(body, [lambda: count_streams(-1), report])
        report()
        return body

    return observe


@lru_cache(maxsize=256)
def _template(rule: str) -> str:
    """A route in the notation of OpenAPI: `/v1/games/{game_id}`."""
    return _PLACEHOLDER.sub(r"{\1}", rule)

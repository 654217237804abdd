"""WSGI middleware that reports every completed request to observers."""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.routing import Rule
from werkzeug.wsgi import ClosingIterator

from service.store.request_context import RequestContext, start_request_context
from service.telemetry.context import CompletedRequest, Observer

_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_PLACEHOLDER = re.compile("<(?:[^:>]+:)?([^>]+)>")


def observe_requests(
    application: WSGIApplication, observers: Sequence[Observer]
) -> WSGIApplication:
    """`application`, with its completed requests reported to `observers`, streams at their end.

    Free text from clients is not reported: an unknown method is `other`, and a path its route.
    """

    def observe(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        at, began = time.time(), time.perf_counter()
        notes, head = start_request_context(began), _Head()

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            head.status = int(status[:3])
            head.has_length = "Content-Length" in dict(headers)
            # Flask forgets the request when it returns the response.
            head.rule = environ["werkzeug.request"].url_rule
            return start_response(status, headers, *error)

        def report(streamed: bool) -> None:
            completed = _completed(environ, head, notes, at, streamed)
            for observer in observers:
                observer.on_request(completed)

        def count_streams(change: int) -> None:
            for observer in observers:
                observer.on_stream(change)

        body = application(environ, start)
        if head.status == 200 and not head.has_length:
            count_streams(1)
            return ClosingIterator(body, [partial(count_streams, -1), partial(report, True)])
        report(False)
        return body

    return observe


@dataclass(slots=True)
class _Head:
    """What observers learn of the head of a response."""

    status: int = 500
    has_length: bool = True
    rule: Rule | None = None


def _completed(
    environ: dict[str, Any], head: _Head, notes: RequestContext, at: float, streamed: bool
) -> CompletedRequest:
    problem = environ.get("asterism.problem", {})
    code, method = problem.get("code"), environ["REQUEST_METHOD"]
    return CompletedRequest(
        at=at,
        seconds=time.perf_counter() - notes.began,
        request_id=environ["asterism.request_id"],
        method=method if method in _METHODS else "other",
        route=None if head.rule is None else _template(head.rule.rule),
        status=head.status,
        code=code,
        rule=problem["rule"] if code == "illegal-move" else None,
        streamed=streamed,
        notes=notes,
        traceparent=environ.get("HTTP_TRACEPARENT"),
    )


@lru_cache(maxsize=256)
def _template(rule: str) -> str:
    """A route in the notation of OpenAPI: `/v1/games/{game_id}`."""
    return _PLACEHOLDER.sub(r"{\1}", rule)

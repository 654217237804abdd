"""WSGI middleware that reports every completed request to observers."""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.wsgi import ClosingIterator

from service.store.request_context import set_request_context
from service.telemetry.context import ObservedRequest, Observer

_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_PLACEHOLDER = re.compile("<(?:[^:>]+:)?([^>]+)>")


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

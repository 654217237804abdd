"""The layer around the application that tells observers of every request it has answered."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.routing import Rule

from service.store.request_context import RequestContext, start_request_context
from service.telemetry.context import CompletedRequest, Observer

_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_PLACEHOLDER = re.compile("<(?:[^:>]+:)?([^>]+)>")


def observe_requests(
    application: WSGIApplication, observers: Sequence[Observer]
) -> WSGIApplication:
    """`application`, whose answers `observers` are told of; a stream's when it has ended.

    What a client has chosen freely is not told: a method that is none is told as `other`, and a
    path by its route.
    """

    def observe(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        at, began = time.time(), time.perf_counter()
        notes, head = start_request_context(began), _Head()

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            head.status = int(status[:3])
            head.has_length = "Content-Length" in dict(headers)
            # Read here, since the framework forgets it when it has given the answer away.
            head.rule = environ["werkzeug.request"].url_rule
            return start_response(status, headers, *error)

        def tell(streamed: bool) -> None:
            told = _answered(environ, head, notes, at, streamed)
            for observer in observers:
                observer.on_request(told)

        body = application(environ, start)
        if head.status == 200 and not head.has_length:
            return _Stream(body, observers, partial(tell, True))
        tell(False)
        return body

    return observe


@dataclass(slots=True)
class _Head:
    """The head of an answer, as far as it is told."""

    status: int = 500
    has_length: bool = True
    rule: Rule | None = None


class _Stream:
    """An answer that takes its time: told of when it begins and when it has ended."""

    def __init__(
        self, body: Iterable[bytes], observers: Sequence[Observer], tell: Callable[[], None]
    ) -> None:
        self._body, self._observers, self._tell = body, observers, tell
        for observer in observers:
            observer.on_stream(1)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)

    def close(self) -> None:
        """Ends the answer; called once, whatever has ended it."""
        try:
            self._body.close()  # type: ignore[attr-defined]  # the framework's always can
        finally:
            for observer in self._observers:
                observer.on_stream(-1)
            self._tell()


def _answered(
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
    """A route as the contract writes it: `/v1/games/{game_id}`."""
    return _PLACEHOLDER.sub(r"{\1}", rule)

"""JSON responses, and the headers of games: entity tags and replayed answers."""

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import orjson
from flask import Response

from service.api.request_headers import matches_if_none_match
from service.records.game import Game

Json = dict[str, Any]


class WholeResponse(Response):
    """A response whose head and body are as they will be sent."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Sends it without looking for what werkzeug would mend; a body to a HEAD is left out."""
        start_response(self.status, self.headers.to_wsgi_list())
        return () if environ["REQUEST_METHOD"] == "HEAD" else self.response  # type: ignore[return-value]


def json_bytes(body: Json) -> bytes:
    """`body` as JSON in UTF-8."""
    return orjson.dumps(body)


def json_response(body: Json, status: int = 200, **headers: str) -> Response:
    """A response with `body` as JSON; `_` in the names of headers stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return WholeResponse(json_bytes(body), status, named, content_type="application/json")


def cacheable(body: Json, etag: str, seconds: int) -> Response:
    """`body` as JSON, which is valid for so many seconds; 304 if the client already has it."""
    response = Response(status=304) if matches_if_none_match(etag) else json_response(body)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = f"public, max-age={seconds}"
    return response


def mark_replayed(response: Response, replayed: bool) -> Response:
    """`response`, with a header that says so if it repeats an earlier one."""
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


def etag(game: Game) -> str:
    """The entity tag of a game: its version, never a hash of its content."""
    return f'"v{game.version}"'


def not_modified(game: Game) -> Response | None:
    """304 if the client already has `game` at this version, else None."""
    if not matches_if_none_match(etag(game)):
        return None
    return Response(status=304, headers={"ETag": etag(game)})

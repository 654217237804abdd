"""JSON responses, and the headers of games: entity tags and replayed answers."""

from typing import Any

import orjson
from flask import Response

from service.api.request_headers import matches_if_none_match
from service.records.game import Game

Json = dict[str, Any]


def json_bytes(body: Json) -> bytes:
    """`body` as JSON in UTF-8."""
    return orjson.dumps(body)


def json_response(body: Json, status: int = 200, **headers: str) -> Response:
    """A response with `body` as JSON; `_` in the names of headers stands for `-`."""
    response = Response(json_bytes(body), status, content_type="application/json")
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


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

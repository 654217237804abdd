"""Reads a request's body and query into the shape of a schema, or refuses them."""

import re
from typing import Any

import orjson
from flask import current_app, g, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import BadRequest, ClientDisconnected, RequestEntityTooLarge

from service.api import request_headers
from service.api.json_reader import parse_json
from service.errors import InvalidRequestError
from service.play import keys
from service.play.idempotency import WriteRequest

_MOST_ERRORS = 20
_LONGEST_NAME = 80
_TOKEN = re.compile("token|bearer|authorization", re.IGNORECASE)

Input = dict[str, Any]


def read_body(schema: Schema) -> Input:
    """The JSON body in the shape of `schema`.

    An empty body counts as `{}`, whatever its media type, and a missing media type as JSON.
    Raises `InvalidJsonError` or `InvalidRequestError`; werkzeug's 400, 413 and 415.
    """
    try:
        data = request.get_data()
    except ClientDisconnected:
        raise BadRequest("The body is incomplete, or its chunks are malformed.") from None
    if len(data) > current_app.config["BODY_LIMIT"]:
        raise RequestEntityTooLarge
    if not data:
        return load(schema, {})
    request_headers.require_json()
    return load(schema, parse_json(data))


def read_query(schema: Schema | None) -> None:
    """Puts the query parameters into `g.query`; unknown and repeated ones are refused (422)."""
    if schema is None and not request.query_string:
        return
    given = request.args
    errors = [
        {"parameter": name[:_LONGEST_NAME], "detail": "Given more than once."}
        for name, values in given.lists()
        if len(values) > 1
    ]
    if schema is None:
        errors += [
            {"parameter": name[:_LONGEST_NAME], "detail": _detail(name, "Unknown parameter.")}
            for name in given
        ]
    if errors:
        raise InvalidRequestError(errors[:_MOST_ERRORS])
    if schema is not None:
        g.query = load(schema, given.to_dict(), "parameter")


def load(schema: Schema, given: Any, where: str = "pointer") -> Input:
    """`given` in the shape of `schema`; `InvalidRequestError` names each error and its place."""
    try:
        loaded: Input = schema.load(given)
    except ValidationError as error:
        raise InvalidRequestError(_errors(error.messages, where)) from None
    return loaded


def fingerprint(action: str, game_id: str, given: Input, key: str | None) -> str:
    """Identifies a request by its action, game, input and idempotency key."""
    parts = (action, game_id, given, key)
    return keys.fingerprint(orjson.dumps(parts, default=str, option=orjson.OPT_SORT_KEYS))


def write_request(action: str, game_id: str, given: Input) -> WriteRequest:
    """The current request to write to a game, with everything that its headers say."""
    key = request_headers.idempotency_key()
    return WriteRequest(
        game_id=game_id,
        token=request_headers.play_token(),
        version=given["version"],
        fingerprint=fingerprint(action, game_id, given, key),
        idempotency_key=key,
        if_match=request_headers.if_match(),
    )


def _errors(messages: Any, where: str) -> list[dict[str, str]]:
    """marshmallow's nested `messages` as a list, each with its place as a JSON pointer or name."""
    found: list[dict[str, str]] = []

    def visit(node: Any, path: str) -> None:
        if isinstance(node, dict):
            for key, below in node.items():
                name = str(key)[:_LONGEST_NAME].replace("~", "~0").replace("/", "~1")
                visit(below, path if key == "_schema" else f"{path}/{name}")
        else:
            name = path.rpartition("/")[2]
            place = path.removeprefix("/") if where == "parameter" else path
            found.extend({where: place, "detail": _detail(name, str(text))} for text in node)

    visit(messages, "")
    return found[:_MOST_ERRORS]


def _detail(name: str, detail: str) -> str:
    """`detail`, and where a play token belongs if this unknown `name` looks like one.

    URLs end up in logs, and bodies in bug reports.
    """
    if not detail.startswith("Unknown") or not _TOKEN.search(name):
        return detail
    return f"{detail} Send a play token in the Authorization header, and nowhere else."

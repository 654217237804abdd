"""What a request brings: its JSON body, its query, its headers; each read strictly or refused."""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any, NoReturn, TypeVar

import orjson
from flask import current_app, g, request
from gunicorn.http.errors import ParseException
from marshmallow import Schema, ValidationError
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import (
    BadRequest,
    NotAcceptable,
    RequestEntityTooLarge,
    UnsupportedMediaType,
)
from werkzeug.http import parse_accept_header, parse_options_header

from service.errors import InvalidJsonError, InvalidRequestError
from service.play import keys
from service.play.gameplay import WriteRequest

IDEMPOTENCY_KEY = r"^[A-Za-z0-9._~-]{16,128}$"

VERSION = r"^[0-9]{1,9}$"
JSON_ALONE = ("application/json",)

DEEPEST = 32
"""Levels of arrays and objects in a body: a bound of ours, whatever the interpreter's is."""

_ERRORS_SHOWN = 20
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_LEVELS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_CHARSET = re.compile(r';\s*charset="?utf-?8"?', re.ASCII | re.IGNORECASE)
_WEIGHT = re.compile(r';\s*q\s*=\s*"?([^",;]*)"?', re.ASCII | re.IGNORECASE)
_TOKEN = re.compile("token|bearer|authorization", re.IGNORECASE)
_ETAG = re.compile(r'"v([1-9][0-9]{0,17})"', re.ASCII)

Input = dict[str, Any]
View = TypeVar("View", bound=Callable[..., Any])


def read_body(schema: Schema) -> Input:
    """The JSON body in the shape of `schema`.

    An absent body counts as `{}`, whatever its media type, and an absent media type as JSON.
    Raises `InvalidJsonError` or `InvalidRequestError`; werkzeug's 400, 413 and 415.
    """
    try:
        data = request.get_data()
    except (OSError, ParseException):  # gunicorn finds no chunk, or none that ends
        raise BadRequest("The body is cut short, or its chunks are none.") from None
    if len(data) > current_app.config["BODY_LIMIT"]:
        raise RequestEntityTooLarge
    if not data:
        return load(schema, {})
    _require_json()
    return load(schema, parse_json(data))


def parse_json(data: bytes) -> Any:
    """What the JSON text `data` says, read strictly; `InvalidJsonError` says why it cannot be."""
    if _depth(data) > DEEPEST:
        raise InvalidJsonError(f"The body is nested too deeply: {DEEPEST} levels are the most.")
    try:
        text = data.decode("utf-8")
        if "\\u" in text:
            orjson.loads(data)  # halves of surrogate pairs, which Python would let pass
        return _DECODER.decode(text)
    except UnicodeDecodeError:
        raise InvalidJsonError("The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise InvalidJsonError(
            f"The body is no JSON: {error.msg} at line {error.lineno} column {error.colno}."
        ) from None
    except InvalidJsonError:
        raise
    except ValueError:
        raise InvalidJsonError("The body holds a number that is too long.") from None


def _depth(data: bytes) -> int:
    """How deep arrays and objects are nested, or any number up to `DEEPEST` if there are few."""
    if data.count(b"[") + data.count(b"{") <= DEEPEST:
        return 0
    levels = (_LEVELS.get(byte, 0) for byte in _STRING.sub(b"", data))
    return max(accumulate(levels), default=0)


def query(schema: Schema) -> Callable[[View], View]:
    """Marks a view that reads query parameters, in the shape of `schema`, as `g.query`."""

    def mark(view: View) -> View:
        view.query_schema = schema  # type: ignore[attr-defined]
        return view

    return mark


def read_query(schema: Schema | None) -> None:
    """Puts the query parameters into `g.query`; unknown and repeated ones are refused (422)."""
    if schema is None and not request.query_string:
        return
    given = request.args
    errors = [
        {"parameter": name[:80], "detail": "Given more than once."}
        for name, values in given.lists()
        if len(values) > 1
    ]
    if schema is None:
        errors += [
            {"parameter": name[:80], "detail": _misplaced(name, "Unknown parameter.")}
            for name in given
        ]
    if errors:
        raise InvalidRequestError(errors[:_ERRORS_SHOWN])
    if schema is not None:
        g.query = load(schema, given.to_dict(), "parameter")


def produces(*media_types: str) -> Callable[[View], View]:
    """Marks a view that answers in any of these media types, the first by default."""

    def mark(view: View) -> View:
        view.media_types = media_types  # type: ignore[attr-defined]
        return view

    return mark


def media_type(offered: tuple[str, ...]) -> str:
    """The one of `offered` that the client likes best; werkzeug's 406 if it takes none."""
    best = _best(request.environ.get("HTTP_ACCEPT", ""), offered)
    if best is None:
        raise NotAcceptable(f"The Accept header does not admit {' or '.join(offered)}.")
    return best


@lru_cache(maxsize=64)  # clients send the same few headers again and again
def _best(accept: str, offered: tuple[str, ...]) -> str | None:
    if not accept.strip(" \t,"):
        return offered[0]
    accepted = parse_accept_header(_WEIGHT.sub(_weight, _CHARSET.sub("", accept)), MIMEAccept)
    best = max(offered, key=accepted.quality)
    return best if accepted.quality(best) else None


def _weight(given: re.Match[str]) -> str:
    """A weight in a form that werkzeug reads, so also `1.` and `.5`; none if it is no weight."""
    try:
        weight = float(given[1])
    except ValueError:
        return ""
    return f";q={weight:f}" if 0 <= weight <= 1 else ""


def last_event_id(after: int | None) -> int | None:
    """The version in `Last-Event-ID`, which a browser sends when it comes back; else `after`.

    The header is newer than the address, which is that of the first request. Raises
    `InvalidRequestError` if it is no version.
    """
    header = request.environ.get("HTTP_LAST_EVENT_ID")
    if header is None:
        return after
    if not re.fullmatch(VERSION, header, re.ASCII):
        detail = "Not the id of an event, which is a version."
        raise InvalidRequestError([{"header": "Last-Event-ID", "detail": detail}])
    return int(header)


def play_token() -> str | None:
    """The bearer token of the request; never one from a URL or a body."""
    given = request.authorization
    if given is None or given.type != "bearer":
        return None
    if given.token is None:  # werkzeug takes text with a `=` in its midst for parameters
        return given.to_header()
    return given.token or None


def idempotency_key() -> str | None:
    """The idempotency key, if one was sent; `InvalidRequestError` unless it is well formed."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not re.fullmatch(IDEMPOTENCY_KEY, key):
        detail = "16 to 128 letters, digits and . _ ~ -, chosen at random, such as a UUID."
        raise InvalidRequestError([{"header": "Idempotency-Key", "detail": detail}])
    return key


def if_match() -> frozenset[int] | None:
    """The versions that `If-Match` names; None without the header, or for `*`.

    Only strong tags can match, and what is no tag matches nothing (RFC 9110, 13.1.1).
    """
    header = request.environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    tags = (_ETAG.fullmatch(tag.strip()) for tag in header.split(","))
    return frozenset(int(tag[1]) for tag in tags if tag)


def is_known(etag: str) -> bool:
    """Whether `If-None-Match` names `etag`, compared weakly (RFC 9110, 13.1.2)."""
    sent = "HTTP_IF_NONE_MATCH" in request.environ
    return sent and request.if_none_match.contains_weak(etag.strip('"'))


def fingerprint(action: str, game_id: str, given: Input, key: str | None) -> str:
    """What tells this request from every other: action, game, input and idempotency key."""
    parts = (action, game_id, given, key)
    return keys.fingerprint(orjson.dumps(parts, default=str, option=orjson.OPT_SORT_KEYS))


def write_request(action: str, game_id: str, given: Input) -> WriteRequest:
    """The order for `action` that this request gives, with all its headers say."""
    key = idempotency_key()
    return WriteRequest(
        game_id=game_id,
        token=play_token(),
        version=given["version"],
        fingerprint=fingerprint(action, game_id, given, key),
        idempotency_key=key,
        if_match=if_match(),
    )


def _require_json() -> None:
    environ = request.environ
    header = environ.get("CONTENT_TYPE")
    if header not in (None, "", "application/json"):
        media_type, options = parse_options_header(header)
        charset = options.get("charset", "utf-8").lower()
        if media_type.lower() != "application/json" or charset not in ("utf-8", "utf8"):
            raise UnsupportedMediaType("Send Content-Type: application/json, in UTF-8.")
    if environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise UnsupportedMediaType("Send the body without a content encoding.")


def load(schema: Schema, given: Any, where: str = "pointer") -> Input:
    """`given` in the shape of `schema`; `InvalidRequestError` says where it has another."""
    try:
        shaped: Input = schema.load(given)
    except ValidationError as error:
        raise InvalidRequestError(_faults(error.messages, where)) from None
    return shaped


def _faults(messages: Any, where: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []

    def visit(node: Any, path: str) -> None:
        if isinstance(node, dict):
            for key, below in node.items():
                name = str(key)[:80].replace("~", "~0").replace("/", "~1")
                visit(below, path if key == "_schema" else f"{path}/{name}")
        else:
            name = path.rpartition("/")[2]
            found.extend({where: path, "detail": _misplaced(name, str(text))} for text in node)

    visit(messages, "")
    if where == "parameter":
        found = [{**fault, where: fault[where].removeprefix("/")} for fault in found]
    return found[:_ERRORS_SHOWN]


def _misplaced(name: str, detail: str) -> str:
    """`detail`, and where a play token belongs if this unknown `name` looks like one.

    Addresses are written into logs, and bodies into bug reports.
    """
    if not detail.startswith("Unknown") or not _TOKEN.search(name):
        return detail
    return f"{detail} A play token is sent in the header Authorization, and nowhere else."


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise InvalidJsonError("An object of the body has the same key twice.")
    return members


def _no_constant(name: str) -> NoReturn:
    raise InvalidJsonError(f"{name} is no JSON.")


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_no_constant)

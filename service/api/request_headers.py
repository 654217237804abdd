"""Reads request headers: media types, entity tags, play token, idempotency key, last event id."""

import re
from functools import lru_cache

from flask import request
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import NotAcceptable, UnsupportedMediaType
from werkzeug.http import parse_accept_header, parse_options_header

from service.errors import InvalidRequestError

IDEMPOTENCY_KEY = r"^[A-Za-z0-9._~-]{16,128}$"
VERSION = r"^[0-9]{1,9}$"

_CHARSET = re.compile(r';\s*charset="?utf-?8"?', re.ASCII | re.IGNORECASE)
_WEIGHT = re.compile(r';\s*q\s*=\s*"?([^",;]*)"?', re.ASCII | re.IGNORECASE)
_ETAG = re.compile(r'"v([1-9][0-9]{0,17})"', re.ASCII)


def play_token() -> str | None:
    """The bearer token of the request; tokens in URLs or bodies do not count."""
    given = request.authorization
    if given is None or given.type != "bearer":
        return None
    if given.token is None:  # werkzeug takes a token with `=` inside for parameters
        return given.to_header()
    return given.token or None


def idempotency_key() -> str | None:
    """The idempotency key, if one was sent; `InvalidRequestError` if it is malformed."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not re.fullmatch(IDEMPOTENCY_KEY, key):
        detail = "Send 16 to 128 letters, digits or . _ ~ -, chosen at random, such as a UUID."
        raise InvalidRequestError([{"header": "Idempotency-Key", "detail": detail}])
    return key


def if_match() -> frozenset[int] | None:
    """The versions that `If-Match` names; None without the header, or for `*`.

    Only strong tags can match; a malformed tag matches nothing (RFC 9110, 13.1.1).
    """
    header = request.environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    tags = (_ETAG.fullmatch(tag.strip()) for tag in header.split(","))
    return frozenset(int(tag[1]) for tag in tags if tag)


def matches_if_none_match(etag: str) -> bool:
    """Whether `If-None-Match` names `etag`, compared weakly (RFC 9110, 13.1.2)."""
    sent = "HTTP_IF_NONE_MATCH" in request.environ
    return sent and request.if_none_match.contains_weak(etag.strip('"'))


def last_event_id(after: int | None) -> int | None:
    """The version in `Last-Event-ID`, which a browser sends when it reconnects; else `after`.

    The header is newer than the URL, which is that of the first request. Raises
    `InvalidRequestError` if it is not a version.
    """
    header = request.environ.get("HTTP_LAST_EVENT_ID")
    if header is None:
        return after
    if not re.fullmatch(VERSION, header, re.ASCII):
        detail = "The id of an event is a version."
        raise InvalidRequestError([{"header": "Last-Event-ID", "detail": detail}])
    return int(header)


def require_json() -> None:
    """Raises werkzeug's 415 unless the body is declared as JSON in UTF-8, or not at all."""
    environ = request.environ
    header = environ.get("CONTENT_TYPE")
    if header not in (None, "", "application/json"):
        declared, options = parse_options_header(header)
        charset = options.get("charset", "utf-8").lower()
        if declared.lower() != "application/json" or charset not in ("utf-8", "utf8"):
            raise UnsupportedMediaType("Send Content-Type: application/json, in UTF-8.")
    if environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise UnsupportedMediaType("Send the body without a content encoding.")


def accepted_media_type(offered: tuple[str, ...]) -> str:
    """The media type of `offered` that the client prefers; werkzeug's 406 if it accepts none."""
    best = _best(request.environ.get("HTTP_ACCEPT", ""), offered)
    if best is None:
        raise NotAcceptable(f"The Accept header does not admit {' or '.join(offered)}.")
    return best


def prefers(media_type: str, over: str) -> bool:
    """Whether the client prefers `media_type` to the usual one of a resource, `over`."""
    return _best(request.environ.get("HTTP_ACCEPT", ""), (over, media_type)) == media_type


def prefers_html() -> bool:
    """Whether the client prefers HTML to JSON, as browsers do."""
    return prefers("text/html", over="application/json")


@lru_cache(maxsize=64)  # clients send the same few headers again and again
def _best(accept: str, offered: tuple[str, ...]) -> str | None:
    if not accept.strip(" \t,"):
        return offered[0]
    accepted = parse_accept_header(_WEIGHT.sub(_weight, _CHARSET.sub("", accept)), MIMEAccept)
    best = max(offered, key=accepted.quality)
    return best if accepted.quality(best) else None


def _weight(given: re.Match[str]) -> str:
    """A weight as werkzeug reads it, so `1.` and `.5` count too; nothing if it is malformed."""
    try:
        weight = float(given[1])
    except ValueError:
        return ""
    return f";q={weight:f}" if 0 <= weight <= 1 else ""

"""What every answer carries, whoever gives it: request id, who may do what with it, no caching."""

import re
import secrets
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.sansio.utils import host_is_trusted

REQUEST_ID = r"^[A-Za-z0-9._-]{1,64}$"

EXPOSED = (
    "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Request-Id, Idempotency-Replayed"
)
_ALWAYS = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", EXPOSED),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),  # who knows the address of a game may watch it
    ("Cross-Origin-Resource-Policy", "cross-origin"),
]
_UNLESS_TOLD = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
_HTTPS_ALONE = ("Strict-Transport-Security", "max-age=63072000")
_ID = re.compile(REQUEST_ID, re.ASCII)
_NO_HOST = "localhost"


def with_standard_headers(application: WSGIApplication, public_url: str | None) -> WSGIApplication:
    """`application` with these headers on every answer, for clients that reach it at `public_url`.

    A request id that the client sends is kept if it is well formed; the application finds the
    one that is used in `environ["asterism.request_id"]`. A `Host` that is none is not passed on:
    the framework would refuse the request before it has looked at the path, or build addresses
    without a host. As a layer of its own this costs a tenth of what the framework's hooks do, and
    no answer escapes it.
    """

    secure = (public_url or "").startswith("https://")
    always = [*_ALWAYS, _HTTPS_ALONE] if secure else _ALWAYS

    def envelope(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        given = environ.get("HTTP_REQUEST_ID", "")
        request_id = given if _ID.fullmatch(given) else secrets.token_hex(8)
        environ["asterism.request_id"] = request_id
        if not _is_host(environ.get("HTTP_HOST", _NO_HOST)):
            environ["HTTP_HOST"] = _NO_HOST

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if status.startswith("204"):  # no content, so no type of any
                headers = [header for header in headers if header[0] != "Content-Type"]
            told = {name for name, _ in headers}
            headers = [
                *headers,
                *((name, value) for name, value in _UNLESS_TOLD.items() if name not in told),
                *environ.get("asterism.limits", ()),
                *always,
                ("Request-Id", request_id),
            ]
            return start_response(status, headers, *error)

        return application(environ, start)

    return envelope


@lru_cache(maxsize=64)
def _is_host(text: str) -> bool:
    """Whether `text` is a host, with or without a port, that an address can hold."""
    labels = text.partition(":")[0].removesuffix(".").split(".")
    return host_is_trusted(text) and all(0 < len(label) < 64 for label in labels)

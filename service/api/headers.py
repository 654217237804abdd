"""Headers of every response: request id, CORS, security headers, caching."""

import re
import secrets
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.sansio.utils import host_is_trusted

REQUEST_ID = r"^[A-Za-z0-9._-]{1,64}$"

PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Encoding, Content-Type, "
    "Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, "
    "Last-Event-ID, Request-Id, baggage, traceparent, tracestate",
    "Access-Control-Max-Age": "86400",
}
"""The answer to a preflight: every header that is read, and those that tracing adds."""

EXPOSED = (
    "Allow, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Request-Id, "
    "Retry-After, WWW-Authenticate"
)
"""Every header of a response that a page of another origin may not read unasked."""

_ALWAYS = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", EXPOSED),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),  # whoever knows the URL of a game may watch it
    ("Cross-Origin-Resource-Policy", "cross-origin"),
]
_DEFAULTS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
_HTTPS_ALONE = ("Strict-Transport-Security", "max-age=63072000")
_ID = re.compile(REQUEST_ID, re.ASCII)


def with_standard_headers(application: WSGIApplication, public_url: str | None) -> WSGIApplication:
    """`application` with these headers on every response, for clients that use `public_url`.

    A well-formed request id from the client is kept; the application finds the one in use in
    `environ["asterism.request_id"]`. A missing or invalid `Host` is replaced by one with the
    port of the service: Flask would refuse the request before it looks at the path, or build URLs
    without a host. As WSGI middleware this costs a tenth of what Flask's hooks do, and no response
    escapes it.
    """

    secure = (public_url or "").startswith("https://")
    always = [*_ALWAYS, _HTTPS_ALONE] if secure else _ALWAYS

    def add_headers(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        sent = environ.get("HTTP_REQUEST_ID", "")
        request_id = sent if _ID.fullmatch(sent) else secrets.token_hex(8)
        environ["asterism.request_id"] = request_id
        if not _is_host(environ.get("HTTP_HOST", "")):
            environ["HTTP_HOST"] = f"localhost:{environ.get('SERVER_PORT') or 80}"

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if status.startswith("204"):  # no content, so no content type
                headers = [header for header in headers if header[0] != "Content-Type"]
            given = {name for name, _ in headers}
            headers = [
                *headers,
                *((name, value) for name, value in _DEFAULTS.items() if name not in given),
                *environ.get("asterism.limits", ()),
                *always,
                ("Request-Id", request_id),
            ]
            return start_response(status, headers, *error)

        return application(environ, start)

    return add_headers


@lru_cache(maxsize=64)
def _is_host(text: str) -> bool:
    """Whether `text` is a valid host for a URL, with or without a port."""
    labels = text.partition(":")[0].removesuffix(".").split(".")
    return host_is_trusted(text) and all(0 < len(label) < 64 for label in labels)

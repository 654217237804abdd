"""What every answer carries, whoever gives it: request id, cross-origin headers, no caching."""

import re
import secrets
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from werkzeug.sansio.utils import host_is_trusted

REQUEST_ID = r"^[A-Za-z0-9._-]{1,64}$"

EXPOSED = (
    "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Request-Id, Idempotency-Replayed"
)
_ALWAYS = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", EXPOSED),
    ("X-Content-Type-Options", "nosniff"),
]
_NOT_KEPT = ("Cache-Control", "no-store")
_ID = re.compile(REQUEST_ID, re.ASCII)
_NO_HOST = "localhost"

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def enveloped(application: Wsgi) -> Wsgi:
    """`application` with these headers on every answer.

    A request id that the client sends is kept if it is well formed; the application finds the
    one that is used in `environ["asterism.request_id"]`. A `Host` that is none is not passed on:
    the framework would refuse the request before it has looked at the path, or build addresses
    without a host. As a layer of its own this costs a tenth of what the framework's hooks do, and
    no answer escapes it.
    """

    def envelope(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        given = environ.get("HTTP_REQUEST_ID", "")
        request_id = given if _ID.fullmatch(given) else secrets.token_hex(8)
        environ["asterism.request_id"] = request_id
        if not _is_host(environ.get("HTTP_HOST", _NO_HOST)):
            environ["HTTP_HOST"] = _NO_HOST

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if status.startswith("204"):  # no content, so no type of any
                headers = [header for header in headers if header[0] != "Content-Type"]
            headers = [*headers, *environ.get("asterism.limits", ())]
            if "Cache-Control" not in dict(headers):
                headers.append(_NOT_KEPT)
            return start_response(status, [*headers, *_ALWAYS, ("Request-Id", request_id)], *error)

        return application(environ, start)

    return envelope


@lru_cache(maxsize=64)
def _is_host(text: str) -> bool:
    """Whether `text` is a host, with or without a port, that an address can hold."""
    labels = text.partition(":")[0].removesuffix(".").split(".")
    return host_is_trusted(text) and all(0 < len(label) < 64 for label in labels)

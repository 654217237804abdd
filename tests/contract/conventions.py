"""What the text of the contract promises for every answer, beyond any one schema."""

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, NoReturn
from urllib.parse import unquote

EXPOSED = {
    "allow",
    "etag",
    "idempotency-replayed",
    "location",
    "ratelimit",
    "ratelimit-policy",
    "request-id",
    "retry-after",
    "www-authenticate",
}
PREFLIGHT = {
    "access-control-allow-methods": {"get", "post", "delete", "options"},
    "access-control-allow-headers": {
        "authorization",
        "baggage",
        "content-encoding",
        "content-type",
        "idempotency-key",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-unmodified-since",
        "last-event-id",
        "request-id",
        "traceparent",
        "tracestate",
    },
    "access-control-max-age": {"86400"},
}

HANDLING = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "cross-origin",
}

Headers = Mapping[str, str] | Iterable[tuple[str, str]]


def require(holds: bool, where: str, why: str) -> None:
    """Raises AssertionError unless it holds."""
    if not holds:
        fail(where, why)


def fail(where: str, why: str) -> NoReturn:
    """Raises AssertionError: which answer, and what about it."""
    raise AssertionError(f"{where}: {why}")


def bare_path(path: str) -> str:
    """The path as a server sees it: without origin and query, percent signs decoded."""
    path = re.sub(r"^https?://[^/?]*", "", path).partition("?")[0].partition("#")[0]
    return unquote(path) or "/"


def by_lower_name(headers: Headers) -> dict[str, str]:
    """The headers by their names in small letters; the values of repeated ones joined."""
    found: dict[str, str] = {}
    for name, value in headers.items() if isinstance(headers, Mapping) else headers:
        known = found.get(name.lower())
        found[name.lower()] = value if known is None else f"{known}, {value}"
    return found


def check_origins(where: str, headers: Mapping[str, str]) -> None:
    """Pages of any origin may read the answer, without credentials."""
    origin = headers.get("access-control-allow-origin")
    require(origin == "*", where, f"Access-Control-Allow-Origin is {origin!r}, not '*'")
    exposed = headers.get("access-control-expose-headers", "")
    require(_listed(exposed) == EXPOSED, where, f"Access-Control-Expose-Headers is {exposed!r}")
    credentials = headers.get("access-control-allow-credentials")
    require(credentials is None, where, "Access-Control-Allow-Credentials is not to be sent")
    require("set-cookie" not in headers, where, "no cookie is to be set")


def check_handling(where: str, headers: Mapping[str, str]) -> None:
    """No browser guesses what the answer is, tells others its address, or puts it into a frame."""
    for name, wanted in HANDLING.items():
        require(headers.get(name) == wanted, where, f"{name} is {headers.get(name)!r}")
    policy = headers.get("content-security-policy", "").split("; ")
    for wanted in ("default-src 'none'", "frame-ancestors 'none'"):
        require(wanted in policy, where, f"Content-Security-Policy is {policy!r}")


def check_preflight(where: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
    """OPTIONS allows what pages of other origins need, for a day."""
    require(status == HTTPStatus.NO_CONTENT, where, "OPTIONS is answered by 204")
    require(not body, where, "a 204 has no body")
    for name, wanted in PREFLIGHT.items():
        allowed = headers.get(name, "")
        require(_listed(allowed) == wanted, where, f"{name} is {allowed!r}")


def check_allow(where: str, methods: Iterable[str], allow: str) -> None:
    """`Allow` lists the methods of the path, and those that the framework adds."""
    wanted = {*methods, "options"}
    if "get" in wanted:
        wanted.add("head")
    require(_listed(allow) == wanted, where, f"Allow is {allow!r}")


def check_problem(where: str, problem: Any, status: int, headers: Mapping[str, str]) -> None:
    """A problem says of itself what the answer around it says."""
    require(problem["status"] == status, where, f"the problem says status {problem['status']}")
    require(
        problem["type"].endswith(f"/problems/{problem['code']}"),
        where,
        f"the type {problem['type']} is not the page of {problem['code']}",
    )
    require(
        problem["request_id"] == headers["request-id"],
        where,
        "the problem names another request id than the header Request-Id",
    )


def check_game(where: str, body: Any, headers: Mapping[str, str]) -> None:
    """The headers that repeat what a game says of itself do so."""
    game = body.get("game", body) if isinstance(body, dict) else None
    if not isinstance(game, dict) or not {"legal_moves", "version"} <= set(game):
        return
    tag = f'"v{game["version"]}"'
    require(headers.get("etag") == tag, where, f"the ETag of this game is {tag}")
    if "location" in headers:
        place = f"/v1/games/{game['id']}"
        require(headers["location"] == place, where, f"the place of this game is {place}")


def _listed(header: str) -> set[str]:
    return {name.strip().lower() for name in header.split(",")}

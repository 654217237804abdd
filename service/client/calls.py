"""Requests as values, and the steps that a driver takes for the client; nothing here does I/O."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec

from service.client.errors import ClientError

T = TypeVar("T")

JSON = "application/json"
JSON_LINES = "application/x-ndjson"
TEXT = "text/plain"
NONE: Mapping[str, Any] = {}
"""No query, or no headers."""

Reader: TypeAlias = Callable[[httpx.Response], T]
"""Makes a result of a response, or raises `ClientError`."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request and how its response is read; sent more than once, it is carried out once.

    `read_repeated` reads the response to a repetition, where that differs.
    """

    method: str
    path: str
    read: Reader[T]
    query: Mapping[str, str | int]
    headers: Mapping[str, str]
    content: bytes | None = None
    read_repeated: Reader[T] | None = None


class Send(NamedTuple):
    """Send a request; gives the response, or why there is none."""

    call: Call[Any]


class Open(NamedTuple):
    """Send a request whose response comes in lines; gives an `Opened`, or why there is none."""

    call: Call[Any]


class NextLine(NamedTuple):
    """Wait for a line; gives it, None at the end, or why the stream broke off."""

    lines: Any


class Pause(NamedTuple):
    """Wait for some seconds."""

    seconds: float


class Item(NamedTuple, Generic[T]):
    """Hand an item to whoever iterates."""

    value: T


class Opened(NamedTuple):
    """A response, and its lines if it is a success; the driver knows how to get them."""

    response: httpx.Response
    lines: Any


Step: TypeAlias = Send | Open | NextLine | Pause
Steps: TypeAlias = Generator[Step, Any, T]
"""What a method of the client does: steps, each of which is sent its result, and the result."""
Items: TypeAlias = Generator[Step | Item[T], Any, None]
"""What an iterating method does: steps, and items on the way."""


def get(
    *parts: str,
    read: Reader[T],
    query: Mapping[str, str | int | None] = NONE,
    headers: Mapping[str, str] = NONE,
) -> Call[T]:
    """A read of the path made of `parts`; what is None in the query is left out."""
    given = {name: value for name, value in query.items() if value is not None}
    return Call("GET", _path(parts), read, given, headers)


def post(*parts: str, read: Reader[T], body: Any, token: str | None = None) -> Call[T]:
    """A write, with a key of its own by which a repetition is known."""
    headers = {"Content-Type": JSON, "Idempotency-Key": str(uuid4()), **bearer(token)}
    return Call("POST", _path(parts), read, NONE, headers, msgspec.json.encode(body))


def delete(
    *parts: str, read: Reader[T], read_repeated: Reader[T], token: str | None = None
) -> Call[T]:
    """A deletion; the response to a repetition is read by `read_repeated`."""
    return Call("DELETE", _path(parts), read, NONE, bearer(token), read_repeated=read_repeated)


def bearer(token: str | None) -> dict[str, str]:
    """The header that carries a play token; raises `ClientError` if none can look like this."""
    if token is None:
        return {}
    if not (token.isascii() and token.isprintable()):
        raise ClientError("The play token has characters that no play token has.")
    return {"Authorization": f"Bearer {token}"}


def _path(parts: tuple[str, ...]) -> str:
    """The path under `/v1`; ids come from outside and are quoted."""
    return "/v1/" + "/".join(quote(part, safe="") for part in parts)

"""Reads responses: into models, texts or exceptions."""

import httpx
import msgspec

from service.client.calls import JSON, JSON_LINES, TEXT, Reader, T
from service.client.deals import DailyDeal, KnownDeal
from service.client.errors import ClientError, WrongUrl, problem

_PROBLEM = "application/problem+json"


def json_of(kind: type[T]) -> Reader[T]:
    """Reads a JSON object of this kind."""
    decoder = msgspec.json.Decoder(kind)

    def read(response: httpx.Response) -> T:
        require(response, JSON)
        return decoded(decoder, response.content, response)

    return read


def json_unless_unchanged(kind: type[T]) -> Reader[T | None]:
    """Reads a JSON object of this kind, or None if the response is 304."""
    read = json_of(kind)
    unchanged = httpx.codes.NOT_MODIFIED
    return lambda response: None if response.status_code == unchanged else read(response)


def text(response: httpx.Response) -> str:
    """Reads plain text."""
    require(response, TEXT)
    return response.text


def nothing(response: httpx.Response) -> None:
    """Reads a response without a body."""
    require(response, None)


def nothing_or_gone(response: httpx.Response) -> None:
    """Reads the response to a repeated deletion: 404 if the first one was carried out."""
    if response.status_code != httpx.codes.NOT_FOUND:
        nothing(response)


def lines(response: httpx.Response) -> None:
    """Reads the head of a stream of JSON lines."""
    require(response, JSON_LINES)


def deal(response: httpx.Response) -> KnownDeal | DailyDeal:
    """Reads a numbered or a daily deal."""
    is_daily = b'"day"' in response.content
    return _DAILY(response) if is_daily else _KNOWN(response)


_DAILY, _KNOWN = json_of(DailyDeal), json_of(KnownDeal)


def require(response: httpx.Response, media_type: str | None) -> None:
    """Raises `ClientError` unless the response is a success of this media type."""
    if not response.is_success or (media_type is not None and _media_type(response) != media_type):
        raise refusal(response)


def refusal(response: httpx.Response) -> ClientError:
    """The exception for a response that is not what was asked for."""
    if _media_type(response) == _PROBLEM:
        try:
            found = problem(response.status_code, response.content)
        except msgspec.MsgspecError:
            return _not_asterism(response)
        if found.code == "not-found":  # of no resource: not even the path is one of the API
            found.detail = f"There is nothing at {_place(response)}: check the URL, or the id."
        return found
    return _not_asterism(response)


def decoded(decoder: msgspec.json.Decoder[T], content: bytes, response: httpx.Response) -> T:
    """What `content`, a part of the response, says; raises `WrongUrl` if it is something else."""
    try:
        return decoder.decode(content)
    except msgspec.MsgspecError as error:
        raise _not_asterism(response, f": {error}") from None


def _not_asterism(response: httpx.Response, why: str = "") -> WrongUrl:
    """Something else answers, such as a web page, a proxy or another service."""
    answer = f"{response.status_code} {_media_type(response)}".strip()
    where = response.headers.get("location")
    moved = f", which leads to {where}" if response.is_redirect and where else ""
    return WrongUrl(
        f"{_place(response)} answers {answer}{moved}, not as an Asterism service does{why}"
    )


def _place(response: httpx.Response) -> httpx.URL:
    return response.url.copy_with(query=None)


def _media_type(response: httpx.Response) -> str:
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()

"""A line of the log in its two forms, and where lines go."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime

import orjson

from service.config import LogForm

Fields = Mapping[str, str | int | float | None]
"""The names of a line in their order; what is None is left out."""

Write = Callable[[bytes], object]

_STANDARD_ERROR = 2


def json_line(fields: Fields) -> bytes:
    """One JSON object."""
    given = {name: value for name, value in fields.items() if value is not None}
    return orjson.dumps(given, option=orjson.OPT_APPEND_NEWLINE)


def text_line(fields: Fields) -> bytes:
    """Name and value, one pair after the other; a value that is no plain word stands in quotes."""
    pairs = [f"{name}={_word(value)}" for name, value in fields.items() if value is not None]
    return " ".join(pairs).encode() + b"\n"


FORMS: dict[LogForm, Callable[[Fields], bytes]] = {"json": json_line, "text": text_line}


def to_standard_error(line: bytes) -> None:
    """Writes a line in one piece; if nobody takes it, it is lost, and the request is answered."""
    with suppress(OSError):
        os.write(_STANDARD_ERROR, line)


def moment(seconds: float) -> str:
    """A time in seconds since 1970 as RFC 3339 writes it, to the millisecond."""
    time = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    return f"{time.isoformat(timespec='milliseconds')}Z"


def _word(value: str | float) -> str:
    text = str(value)
    plain = text.isascii() and text.isprintable() and not set(text) & set(' "=')
    return text if plain and text else orjson.dumps(text).decode()

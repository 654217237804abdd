"""Log lines on standard error, as JSON or as logfmt text."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime

import orjson
from structlog.processors import LogfmtRenderer

from service.config import LogForm

Fields = Mapping[str, str | int | float | None]
"""The fields of a line in their order; those that are None are left out."""

_STANDARD_ERROR = 2


def line_renderer(form: LogForm) -> Callable[[Fields], bytes]:
    """Renders fields as a line of JSON, or as a line of logfmt."""
    logfmt = LogfmtRenderer()

    def render(fields: Fields) -> bytes:
        present = {name: value for name, value in fields.items() if value is not None}
        line = orjson.dumps(present) if form == "json" else logfmt(None, "", present).encode()
        return line + b"\n"

    return render


def write_line(line: bytes) -> None:
    """Writes a line in one piece; if nobody reads it, it is dropped, and the request goes on."""
    with suppress(OSError):
        os.write(_STANDARD_ERROR, line)


def timestamp(seconds: float) -> str:
    """Seconds since 1970 as a UTC time in RFC 3339, to the millisecond."""
    time = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    return f"{time.isoformat(timespec='milliseconds')}Z"

"""Log lines on standard error: requests, refused moves, and faults without secrets."""

import logging
import os
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256

import orjson
from typing_extensions import override

from service.config import LogForm
from service.errors import SettingsError
from service.telemetry.context import ObservedRequest, Observer

Fields = Mapping[str, str | int | float | None]
"""The fields of a line in their order; those that are None are left out."""

_STANDARD_ERROR = 2
_ENVIRONMENT_ERRORS = (SettingsError, ImportError, OSError)
"""Errors whose messages are about the machine, never about a game."""
_GUNICORN = "gunicorn.error"
_INVALID = "Invalid request from ip="


def line_renderer(form: LogForm) -> Callable[[Fields], bytes]:
    """Renders fields as a line of JSON, or as a line of logfmt."""

    def render(fields: Fields) -> bytes:
        present = {name: value for name, value in fields.items() if value is not None}
        line = orjson.dumps(present) if form == "json" else _logfmt(present).encode()
        return line + b"\n"

    return render


def _logfmt(fields: Fields) -> str:
    """Fields as `name=value`, in quotes where a value has blanks, quotes or an equals sign.

    structlog has this too, and loads rich and Pygments with it into every worker.
    """
    return " ".join(f"{name}={_quoted(str(value))}" for name, value in fields.items())


def _quoted(value: str) -> str:
    plain = not any(mark in value for mark in ' ="')
    value = (value if plain else value.replace("\\", "\\\\")).replace('"', '\\"')
    value = value.replace("\n", "\\n")
    return value if plain else f'"{value}"'


def write_line(line: bytes) -> None:
    """Writes a line in one piece; if nobody reads it, it is dropped, and the request goes on."""
    with suppress(OSError):
        os.write(_STANDARD_ERROR, line)


def request_log(form: LogForm, write: Callable[[bytes], object] = write_line) -> Observer:
    """An observer that writes a line for each request, and one for each refused move.

    A game is identified by a hash of its id: that finds its lines, but gives no access to it.
    """
    render = line_renderer(form)

    def log(request: ObservedRequest) -> None:
        at = _timestamp(request.at)
        who = {
            "request_id": request.request_id,
            "variant": request.variant,
            "game": None if request.game_id is None else digest(request.game_id),
        }
        if request.rule is not None:
            refused = {"at": at, "event": "refused-move", "rule": request.rule}
            write(render({**refused, **who}))
        line = {
            "at": at,
            "event": "request",
            "method": request.method,
            "route": request.route,
            "status": request.status,
            "code": request.code,
            "ms": _milliseconds(request.seconds),
            "store_ms": _milliseconds(request.store_seconds) if request.calls else None,
        }
        write(render({**line, **who}))

    return log


def digest(game_id: str) -> str:
    """The name of a game in the log: the first twelve digits of the SHA-256 of its id."""
    return sha256(game_id.encode()).hexdigest()[:12]


def log_faults(form: LogForm) -> None:
    """Logs faults of the service and of gunicorn in this form from now on."""
    for name in ("asterism", _GUNICORN):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [FaultHandler(form)], False


class FaultHandler(logging.Handler):
    """Writes records of the logging module.

    A traceback becomes its places and the type of its error. The message is left out, since it may
    contain a card or a seed, except for errors about the machine. Request lines and paths that
    gunicorn logs are left out too: they may contain a token.
    """

    def __init__(self, form: LogForm) -> None:
        super().__init__()
        self._render = line_renderer(form)

    @override
    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        fields = {
            "at": _timestamp(record.created),
            "event": "fault",
            "level": record.levelname.lower(),
            "message": _message(record),
            "trace": None if error is None else _trace(error),
        }
        write_line(self._render(fields))


def _message(record: logging.LogRecord) -> str:
    if record.name == _GUNICORN and record.exc_info:
        return str(record.msg).partition("%s")[0].strip()
    message = record.getMessage()
    return message.partition(": ")[0] if message.startswith(_INVALID) else message


def _trace(error: BaseException) -> str:
    """Where an error came from, the innermost place first."""
    kind = type(error).__name__
    summary = f"{kind}: {error}" if isinstance(error, _ENVIRONMENT_ERRORS) else kind
    places = traceback.extract_tb(error.__traceback__)
    return " < ".join([summary, *(f"{p.filename}:{p.lineno} {p.name}" for p in reversed(places))])


def _timestamp(seconds: float) -> str:
    """Seconds since 1970 as a UTC time in RFC 3339, to the millisecond."""
    time = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    return f"{time.isoformat(timespec='milliseconds')}Z"


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 2)

"""Logs faults of the service and of gunicorn, without the secrets that requests may contain."""

import logging
import traceback

from typing_extensions import override

from service.config import LogForm
from service.errors import SettingsError
from service.telemetry.log_lines import line_renderer, timestamp, write_line

_ENVIRONMENT_ERRORS = (SettingsError, ImportError, OSError)
"""Errors whose messages are about the machine, never about a game."""
_GUNICORN = "gunicorn.error"
_INVALID = "Invalid request from ip="


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
        fields = {
            "at": timestamp(record.created),
            "event": "fault",
            "level": record.levelname.lower(),
            "message": _message(record),
            "trace": _trace(record.exc_info[1]) if record.exc_info else None,
        }
        write_line(self._render(fields))


def _message(record: logging.LogRecord) -> str:
    if record.name == _GUNICORN and record.exc_info:
        return str(record.msg).partition("%s")[0].strip()
    message = record.getMessage()
    return message.partition(": ")[0] if message.startswith(_INVALID) else message


def _trace(error: BaseException | None) -> str | None:
    """Where an error came from, the innermost place first."""
    if error is None:
        return None
    kind = type(error).__name__
    places = [
        f"{place.filename}:{place.lineno} {place.name}"
        for place in traceback.extract_tb(error.__traceback__)
    ]
    summary = f"{kind}: {error}" if isinstance(error, _ENVIRONMENT_ERRORS) else kind
    return " < ".join([summary, *reversed(places)])

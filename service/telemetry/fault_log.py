"""Logs faults of the service and of gunicorn, without the secrets that requests may contain."""

import logging
import traceback
from typing import Any

from gunicorn.glogging import Logger
from typing_extensions import override

from service.config import LogForm
from service.errors import SettingsError
from service.telemetry.log_lines import line_renderer, timestamp, write_line

_ENVIRONMENT_ERRORS = (SettingsError, ImportError, OSError)
"""Errors whose messages are about the machine, never about a game."""
_INVALID = "Invalid request from ip="


class FaultHandler(logging.Handler):
    """Writes records of the logging module.

    A traceback becomes its places and the type of its error. The message is left out, since it may
    contain a card or a seed, except for errors about the machine.
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
            "message": record.getMessage(),
            "trace": _trace(record.exc_info[1]) if record.exc_info else None,
        }
        write_line(self._render(fields))


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


def log_faults(form: LogForm) -> None:
    """Logs faults of the service in this form from now on."""
    logger = logging.getLogger("asterism")
    logger.handlers, logger.propagate = [FaultHandler(form)], False


class GunicornLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's log without request lines and paths: they may contain a token."""

    form: LogForm = "text"

    @override
    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers = [FaultHandler(self.form)]

    @override
    def warning(self, msg: str, *args: Any, **kwargs: Any) -> None:
        if msg.startswith(_INVALID):
            msg = msg.partition(": ")[0]
        super().warning(msg, *args, **kwargs)

    @override
    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        super().exception(msg.partition("%s")[0].strip(), **kwargs)


def gunicorn_logger(form: LogForm) -> type[GunicornLogger]:
    """gunicorn's logger class for lines in this form."""
    return type("GunicornLogger", (GunicornLogger,), {"form": form})

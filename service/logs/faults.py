"""The lines about faults: of the service, and of gunicorn, in the form of all other lines."""

import logging
import traceback
from typing import Any

from gunicorn.glogging import Logger

from service.config import LogForm
from service.errors import SettingsError
from service.logs.lines import FORMS, moment, to_standard_error

_OF_THE_MACHINE = (SettingsError, ImportError, OSError)
_INVALID = "Invalid request from ip="


class Faults(logging.Handler):
    """Writes records of the logging module.

    A traceback is told by its places and the kind of its error: its message may hold what the
    service was working on, a card or a seed, but for those errors that are about the machine.
    """

    def __init__(self, form: LogForm) -> None:
        super().__init__()
        self._form = FORMS[form]

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a line."""
        fields = {
            "at": moment(record.created),
            "event": "fault",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "trace": _trace(record.exc_info[1]) if record.exc_info else None,
        }
        to_standard_error(self._form(fields))


def _trace(error: BaseException | None) -> str | None:
    """Where an error came from, the innermost place first."""
    if error is None:
        return None
    kind = type(error).__name__
    places = [
        f"{place.filename}:{place.lineno} {place.name}"
        for place in traceback.extract_tb(error.__traceback__)
    ]
    said = f"{kind}: {error}" if isinstance(error, _OF_THE_MACHINE) else kind
    return " < ".join([said, *reversed(places)])


def write_faults(form: LogForm) -> None:
    """Lets the faults of the service be written in this form from now on."""
    logger = logging.getLogger("asterism")
    logger.handlers, logger.propagate = [Faults(form)], False


class GunicornLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's own lines, less what it repeats of a request: that may hold a token."""

    form: LogForm = "text"

    def setup(self, cfg: Any) -> None:
        """Sets the loggers up as ever, and lets `Faults` write for them."""
        super().setup(cfg)
        self.error_log.handlers = [Faults(self.form)]

    def warning(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """A warning; of a request that is none, only where it came from."""
        if msg.startswith(_INVALID):
            msg = msg.partition(": ")[0]
        super().warning(msg, *args, **kwargs)

    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """A fault in the midst of a request, whose address is not told."""
        super().exception(msg.partition("%s")[0].strip(), **kwargs)


def gunicorn_logger(form: LogForm) -> type[GunicornLogger]:
    """gunicorn's logger class for lines in this form."""
    return type("GunicornLogger", (GunicornLogger,), {"form": form})

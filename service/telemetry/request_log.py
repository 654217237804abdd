"""The log lines of completed requests and of illegal moves."""

from collections.abc import Callable
from hashlib import sha256

from typing_extensions import override

from service.config import LogForm
from service.telemetry.context import ObservedRequest, Observer
from service.telemetry.log_lines import line_renderer, timestamp, write_line


class RequestLog(Observer):
    """An observer that writes log lines.

    A game is identified by a hash of its id: that finds its lines, but gives no access to it.
    """

    def __init__(self, form: LogForm, write: Callable[[bytes], object] = write_line) -> None:
        self._render = line_renderer(form)
        self._write = write

    @override
    def on_request(self, request: ObservedRequest) -> None:
        who = {
            "request_id": request.request_id,
            "variant": request.variant,
            "game": None if request.game_id is None else digest(request.game_id),
        }
        if request.rule is not None:
            refused = {"at": timestamp(request.at), "event": "refused-move", "rule": request.rule}
            self._write(self._render({**refused, **who}))
        line = {
            "at": timestamp(request.at),
            "event": "request",
            "method": request.method,
            "route": request.route,
            "status": request.status,
            "code": request.code,
            "ms": _milliseconds(request.seconds),
            "store_ms": _milliseconds(request.store_seconds) if request.calls else None,
        }
        self._write(self._render({**line, **who}))


def digest(game_id: str) -> str:
    """The name of a game in the log: the first twelve digits of the SHA-256 of its id."""
    return sha256(game_id.encode()).hexdigest()[:12]


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 2)

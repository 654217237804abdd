"""The line of a request that has been answered, and that of a move which the rules refused."""

from collections.abc import Callable
from hashlib import sha256

from service.config import LogForm
from service.telemetry.context import CompletedRequest
from service.telemetry.fault_log import line_renderer, timestamp, write_line


class RequestLog:
    """An observer that writes.

    A game is told by a digest of its id, by which its lines can be found and nothing be watched.
    """

    def __init__(self, form: LogForm, write: Callable[[bytes], object] = write_line) -> None:
        self._render = line_renderer(form)
        self._write = write

    def on_request(self, request: CompletedRequest) -> None:
        """Writes a line about the request, and one more if the rules refused its move."""
        notes = request.notes
        who = {
            "request_id": request.request_id,
            "variant": notes.variant,
            "game": None if notes.game_id is None else digest(notes.game_id),
        }
        if request.rule is not None:
            refused = {"at": timestamp(request.at), "event": "refused-move", "rule": request.rule}
            self._write(self._render({**refused, **who}))
        told = {
            "at": timestamp(request.at),
            "event": "request",
            "method": request.method,
            "route": request.route,
            "status": request.status,
            "code": request.code,
            "ms": _milliseconds(request.seconds),
            "store_ms": _milliseconds(request.store_seconds) if notes.calls else None,
        }
        self._write(self._render({**told, **who}))

    def on_stream(self, more: int) -> None:
        """Writes nothing: a stream has its line when it has ended."""


def digest(game_id: str) -> str:
    """What a game is called in the log: twelve digits of the SHA-256 of its id."""
    return sha256(game_id.encode()).hexdigest()[:12]


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 2)

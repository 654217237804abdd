"""The process that tells events as one command: a gunicorn at a Unix socket, of one worker."""

from collections.abc import Mapping

from service.config import read_settings
from service.errors import SettingsError
from service.hosting import Hosted
from service.metrics.process import counting_apart, worker_gone

_SPARE = 200
"""Connections beyond the room for watchers: those that are told there is none."""


def tell(environ: Mapping[str, str]) -> None:
    """Tells events until it is told to stop; `SettingsError` if it cannot begin."""
    settings = read_settings(environ)
    if settings.streams is None:
        raise SettingsError("ASTERISM_STREAMS must be the path of the Unix socket to listen at.")
    options = {
        "bind": f"unix:{settings.streams}",
        "workers": 1,
        "worker_class": "service.streams.worker.Worker",
        "worker_connections": settings.room.total + _SPARE,
        "keepalive": 0,  # the next request on a connection may not be about events
        "graceful_timeout": 5,
        "proc_name": "asterism-streams",
        "on_starting": counting_apart("streams"),
        "child_exit": worker_gone,
    }
    Hosted("service.streams.wsgi", options).run()

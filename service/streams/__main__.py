"""`python -m service.streams SOCKET`: tells events until it is told to stop."""

import os
import sys

from service.config import read_settings
from service.hosting import Hosted

_SPARE = 200
"""Connections beyond the room for watchers: those that are told there is none."""


def main(path: str) -> None:
    """Serves the connections that are handed over at the Unix socket `path`."""
    options = {
        "bind": f"unix:{path}",
        "workers": 1,
        "worker_class": "service.streams.worker.Worker",
        "worker_connections": read_settings(os.environ).room.total + _SPARE,
        "keepalive": 0,  # the next request on a connection may not be about events
        "timeout": 30,
        "graceful_timeout": 5,
        "proc_name": "asterism-streams",
        "loglevel": "warning",
    }
    Hosted("service.streams.wsgi", options).run()


if __name__ == "__main__":
    main(sys.argv[1])

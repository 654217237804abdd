"""The process that tells Prometheus what all have counted, as the service starts and stops it."""

import os
import shutil
import sys
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any

from service.companion import Companion
from service.config import METRICS_FOLDER, Address
from service.hosting import require_free


class MetricsProcess:
    """The process that tells, and a fresh folder in which the others count."""

    def __init__(self, address: Address) -> None:
        """`address` is where it listens, which is no place for the public."""
        self._address = address
        self._companion = Companion("The process that tells metrics")

    @property
    def folder(self) -> str:
        """Where the others count: empty at the start, gone at the end."""
        return str(self._companion.folder)

    def start(self) -> None:
        """Starts it and waits until it tells; `SettingsError` if it cannot."""
        require_free(*self._address, "ASTERISM_METRICS")
        self._companion.keep(self._begin)

    def stop(self) -> None:
        """Stops it, and forgets what was counted."""
        self._companion.stop()

    def _begin(self) -> None:
        self._companion.start(
            [sys.executable, "-m", "service", "metrics"],
            env={**os.environ, METRICS_FOLDER: self.folder},
        )
        self._companion.wait(self._tells, "what it has written above")

    def _tells(self) -> bool:
        connection = HTTPConnection(*self._address, timeout=1)
        try:
            connection.request("GET", "/metrics")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()


def counting_apart(part: str) -> Callable[[Any], None]:
    """For gunicorn's `on_starting`: its workers count in a folder of their own, begun anew.

    They count by process id, and two gunicorns in two containers can have workers of one id.
    """

    def begin(_arbiter: Any) -> None:
        shared = os.environ.get(METRICS_FOLDER)
        if shared:
            folder = os.path.join(shared, part)
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
            os.environ[METRICS_FOLDER] = folder

    return begin


def worker_gone(_arbiter: Any, worker: Any) -> None:
    """Closes the books of a worker that has ended, for gunicorn's `child_exit`.

    What it has counted stays; what it had open when it ended is open no more.
    """
    if os.environ.get(METRICS_FOLDER):
        from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 - see counts

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]

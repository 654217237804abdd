"""gunicorn's configuration: its workers serve the API, and metrics at a second address."""

import resource
import socket
import sys
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication

from service.config import METRICS_FOLDER, Address, Settings
from service.errors import SettingsError
from service.server.draining import close_when_leaving, drain_on_sigterm
from service.telemetry.logs import log_faults

CONNECTIONS = 8192
"""The most connections of a worker, if it may have that many open files."""

KEEP_ALIVE_SECONDS = 15
GRACEFUL_SECONDS = 10
_SPARE_FILES = 256
"""Open files of a worker besides its clients: connections to the store, listeners, logs."""
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - gunicorn creates an unnamed file there


class GunicornApplication(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """The service behind gunicorn, built anew in each worker."""

    def __init__(self, settings: Settings, counters: str | None = None) -> None:
        """`counters` is the folder for the counters of Prometheus, None for no metrics."""
        self._settings = settings
        self._counters = counters
        super().__init__()

    def load_config(self) -> None:
        """Configures gunicorn."""
        settings = self._settings
        options = {
            "bind": [str(address) for address in (settings.listen, settings.metrics) if address],
            "workers": settings.workers,
            "worker_class": "service.server.worker.Worker",
            "worker_connections": _connections(),
            "keepalive": KEEP_ALIVE_SECONDS,
            "timeout": 30,
            "graceful_timeout": GRACEFUL_SECONDS,
            # For the heartbeat of the workers, a file that they touch: a slow disk would delay it.
            "worker_tmp_dir": str(_MEMORY_FOLDER) if _MEMORY_FOLDER.is_dir() else None,
            "proc_name": "asterism",
            "loglevel": "warning",
            "on_starting": lambda _arbiter: log_faults(settings.log or "text"),
            "when_ready": self._announce,
            "pre_request": close_when_leaving,
            "control_socket_disable": True,  # all services of a user would share it
            # Only our own settings decide about forwarded headers: gunicorn would trust all clients
            # on loopback.
            "forwarded_allow_ips": "",
            "forwarder_headers": "",
            "secure_scheme_headers": {},
        }
        if self._counters is not None:
            options["raw_env"] = [f"{METRICS_FOLDER}={self._counters}"]
            options["child_exit"] = _remove_gauges
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The WSGI application; called after the fork, so that workers share no connection."""
        from service.server.application import build_application  # noqa: PLC0415 - see above

        return build_application(self._settings)

    def _announce(self, arbiter: Any) -> None:
        def interrupt() -> None:
            arbiter.stop(graceful=False)
            sys.exit(130)  # as shells have it

        arbiter.handle_int = interrupt
        drain_on_sigterm(arbiter, self._settings.drain)
        print(f"{'serving':<9} http://{self._settings.listen}", flush=True)


def raise_file_limit() -> None:
    """Raises the limit of open files to what a worker can use, as far as allowed.

    Not to the hard limit itself: where that is infinite (macOS), the system refuses it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(CONNECTIONS + _SPARE_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _connections() -> int:
    """The connections of a worker: as many as leave room for its other open files."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(CONNECTIONS, max(files - _SPARE_FILES, files // 2))


def require_free(address: Address, variable: str) -> None:
    """Raises `SettingsError` if `address`, which `variable` sets, cannot be listened on.

    gunicorn itself would retry for a while.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            raise SettingsError(
                f"Cannot listen on {address}: {error.strerror}. Choose another with {variable}=."
            ) from None


def _remove_gauges(_arbiter: Any, worker: Any) -> None:
    """gunicorn's `child_exit`: removes the gauges of a worker, and keeps its counters."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 - see metrics

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]

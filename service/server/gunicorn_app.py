"""gunicorn as the service sets it up: one server for play and events, and a second for metrics."""

import resource
import socket
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication

from service.config import METRICS_FOLDER, Address, Settings
from service.errors import SettingsError
from service.server.draining import close_when_leaving, drain_hook
from service.telemetry.fault_log import gunicorn_logger

CONNECTIONS = 8192
"""Connections that a worker holds at most, where it may have that many files open."""

KEEP_ALIVE_SECONDS = 15
GRACEFUL_SECONDS = 10
_SPARE_FILES = 128
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - gunicorn makes a file there that has no name


class GunicornApplication(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """The service behind gunicorn, built anew in each worker."""

    def __init__(self, settings: Settings, counts: str | None = None) -> None:
        """`counts` is the folder in which workers count for Prometheus, None if they do not."""
        self._settings = settings
        self._counts = counts
        super().__init__()

    def load_config(self) -> None:
        """Sets gunicorn up."""
        options = gunicorn_options(self._settings)
        if self._counts is not None:
            options |= {"raw_env": [f"{METRICS_FOLDER}={self._counts}"], "child_exit": _forget}
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The WSGI application, built after the fork, so that workers share no connection."""
        from service.server.application import build_application  # noqa: PLC0415 - see above

        return build_application(self._settings)


def gunicorn_options(settings: Settings) -> dict[str, Any]:
    """gunicorn's own settings for `settings`."""
    drain = drain_hook(settings.drain)

    def when_ready(arbiter: Any) -> None:
        drain(arbiter)
        print(f"{'serving':<9} http://{settings.listen}", flush=True)

    return {
        "bind": [str(address) for address in (settings.listen, settings.metrics) if address],
        "workers": settings.workers,
        "worker_class": "service.server.worker.Worker",
        "worker_connections": min(CONNECTIONS, _open_files() - _SPARE_FILES),
        "keepalive": KEEP_ALIVE_SECONDS,
        "timeout": 30,
        "graceful_timeout": GRACEFUL_SECONDS,
        # Workers touch a file to show that they live, which a disk could hold up.
        "worker_tmp_dir": str(_MEMORY_FOLDER) if _MEMORY_FOLDER.is_dir() else None,
        "proc_name": "asterism",
        "loglevel": "warning",
        "logger_class": gunicorn_logger(settings.log or "text"),
        "when_ready": when_ready,
        "pre_request": close_when_leaving,
        "control_socket_disable": True,  # it would be one for all services of a user
        # The client's address and ours are settled by our own settings, never by gunicorn's trust
        # in whoever connects from loopback.
        "forwarded_allow_ips": "",
        "forwarder_headers": "",
        "secure_scheme_headers": {},
    }


def raise_file_limit() -> None:
    """Lets the process and its workers open as many files as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def require_free(address: Address, variable: str) -> None:
    """Raises `SettingsError` if nothing can listen at `address`: gunicorn would keep trying.

    `variable` is the one that chooses it.
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


def _forget(_arbiter: Any, worker: Any) -> None:
    """gunicorn's `child_exit`: what a worker had open is open no more; what it counted stays."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 - see metrics

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def _open_files() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]

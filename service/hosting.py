"""gunicorn set up by options alone: no configuration file, no command line of its own."""

import socket
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from gunicorn.app.base import BaseApplication

from service.errors import SettingsError

COMMON: Mapping[str, Any] = {
    "timeout": 30,
    "loglevel": "warning",
    "logger_class": "service.logs.faults.GunicornLogger",
    "control_socket_disable": True,  # it would lie in the user's home, one for all services there
}
"""What every gunicorn of ours is set to."""


class Hosted(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """A WSGI application behind gunicorn, made anew in each worker."""

    def __init__(self, module: str, options: Mapping[str, Any]) -> None:
        """`module` holds the application as `app`; `options` are gunicorn's settings."""
        self._module = module
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        """Sets gunicorn up from what all have in common, and the options."""
        for name, value in {**COMMON, **self._options}.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application; read here, after the fork, so that no worker shares a connection."""
        return import_module(self._module).app


def require_free(host: str, port: int, variable: str) -> None:
    """Raises `SettingsError` if nothing can listen there: gunicorn would try and try again.

    `variable` is the one that chooses the place.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SettingsError(
                f"Cannot listen on {host}:{port}: {error.strerror}. Choose another with "
                f"{variable}=."
            ) from None

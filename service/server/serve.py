"""`asterism serve`: gunicorn, and an embedded store if no other is set."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from service import __version__
from service.config import Settings, data_folder, is_set, read_settings
from service.server.data_folder import server_key_file
from service.server.embedded_store import EMBEDDED, with_store
from service.server.gunicorn_app import GunicornApplication, raise_file_limit, require_free
from service.solvers import FORMS, search_form


def serve() -> None:
    """Serves until stopped by a signal; raises `SettingsError` if it cannot start."""
    folder = data_folder()
    with _cleanup() as at_exit:
        key = None if is_set("ASTERISM_SERVER_KEY") else server_key_file(folder)
        settings = read_settings(
            redis_url=EMBEDDED, server_key=key.read_text("ascii").strip() if key else ""
        )
        require_free(settings.listen, "PORT")
        if settings.metrics is not None:
            require_free(settings.metrics, "ASTERISM_METRICS")
        _print_line("asterism", __version__)
        if key is not None:
            _print_line("key", str(key))
        if settings.redis_url == EMBEDDED:
            settings = with_store(settings, at_exit)
            _print_line("games", str(folder / "store"))
        for name in FORMS:
            _print_line("search", search_form(name))
        counters = None
        if settings.metrics is not None:
            counters = at_exit.enter_context(tempfile.TemporaryDirectory(prefix="asterism-"))
            _print_line("metrics", f"http://{settings.metrics}/metrics")
        raise_file_limit()
        at_exit.callback(_start_sweep(settings).terminate)
        GunicornApplication(settings, counters).run()


@contextmanager
def _cleanup() -> Iterator[ExitStack]:
    """Callbacks for the end of this process; workers, which are forked inside, skip them."""
    owner, stack = os.getpid(), ExitStack()
    try:
        yield stack
    finally:
        if os.getpid() == owner:
            stack.close()


def _start_sweep(settings: Settings) -> "subprocess.Popen[bytes]":
    """Records results that an earlier crash prevented, and warns of a store that loses games.

    In a short-lived process: redis-py must not be loaded here, before gevent patches the workers.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "service", "sweep"],
        env={**os.environ, "REDIS_URL": settings.redis_url, "REDIS_URL_FILE": ""},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        process_group=0,  # Ctrl-C must reach only the service, which then stops this
    )


def _print_line(name: str, value: str) -> None:
    print(f"{name:<9} {value}", flush=True)

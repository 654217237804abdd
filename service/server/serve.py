"""The service as one command: gunicorn, and an embedded store where none is given."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from service import __version__
from service.config import Settings, data_folder, is_set, read_settings
from service.server.embedded_store import EmbeddedStore, server_key_file
from service.server.gunicorn_app import GunicornApplication, raise_file_limit, require_free


def serve() -> None:
    """Serves until it is told to stop; `SettingsError` if it cannot begin."""
    folder = data_folder()
    with _master_exit() as at_exit:
        store = None if is_set("REDIS_URL") else EmbeddedStore(folder)
        if store is not None:
            at_exit.callback(store.stop)
        key = None if is_set("ASTERISM_SERVER_KEY") else server_key_file(folder)
        settings = read_settings(
            redis_url="" if store is None else store.url,
            server_key="" if key is None else key.read_text("ascii").strip(),
        )
        require_free(settings.listen, "PORT")
        if settings.metrics is not None:
            require_free(settings.metrics, "ASTERISM_METRICS")
        _say("asterism", __version__)
        if key is not None:
            _say("key", str(key))
        if store is not None:
            store.start()
            _say("games", str(folder / "store"))
        counts = None
        if settings.metrics is not None:
            counts = at_exit.enter_context(tempfile.TemporaryDirectory(prefix="asterism-"))
            _say("metrics", f"http://{settings.metrics}/metrics")
        raise_file_limit()
        at_exit.callback(_begin_sweep(settings).terminate)
        GunicornApplication(settings, counts).run()


@contextmanager
def _master_exit() -> Iterator[ExitStack]:
    """What is to be undone at the end, by this process alone: workers are forked inside."""
    owner, stack = os.getpid(), ExitStack()
    try:
        yield stack
    finally:
        if os.getpid() == owner:
            stack.close()


def _begin_sweep(settings: Settings) -> "subprocess.Popen[bytes]":
    """Enters results that an earlier crash cut short, in a process that soon ends."""
    return subprocess.Popen(
        [sys.executable, "-m", "service", "sweep"],
        env={**os.environ, "REDIS_URL": settings.redis_url, "REDIS_URL_FILE": ""},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        process_group=0,  # so that Ctrl-C does not reach it before the service ends it
    )


def _say(what: str, value: str) -> None:
    print(f"{what:<9} {value}", flush=True)

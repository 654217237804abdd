"""The service as one command: to play, to watch, and a store of its own where none is given."""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from service import __version__
from service.companion import Companion
from service.config import (
    METRICS_FOLDER,
    data_folder,
    metrics_address,
    read_settings,
    secret,
    threads,
    whole_number,
)
from service.draining import close_when_leaving, drained
from service.embedded import EmbeddedStore, server_key_file
from service.hosting import Hosted, require_free
from service.metrics.process import MetricsProcess, counting_apart, worker_gone
from service.streams.process import StreamsProcess


def serve(environ: Mapping[str, str]) -> None:
    """Serves until it is told to stop; `SettingsError` if it cannot begin."""
    folder, playing = data_folder(environ), playing_options(environ)
    require_free(*_listening(environ), "PORT")
    _say("asterism", __version__)
    if not secret(environ, "ASTERISM_SERVER_KEY"):
        os.environ["ASTERISM_SERVER_KEY_FILE"] = str(server_key_file(folder))
        _say("key", os.environ["ASTERISM_SERVER_KEY_FILE"])
    with ExitStack() as companions:
        if not secret(environ, "REDIS_URL"):
            store = EmbeddedStore(folder)
            companions.callback(store.stop)
            store.start()
            os.environ["REDIS_URL"] = store.url
            _say("games", str(folder / "store"))
        read_settings(os.environ)
        metrics = metrics_address(environ)
        if metrics is not None:
            counting = MetricsProcess(metrics)
            companions.callback(counting.stop)
            counting.start()
            os.environ[METRICS_FOLDER] = counting.folder
            _say("metrics", f"http://{environ['ASTERISM_METRICS']}/metrics")
        streams = StreamsProcess()
        companions.callback(streams.stop)
        streams.start()
        os.environ["ASTERISM_STREAMS"] = streams.path
        # What an earlier end has cut short is entered meanwhile, by a process that soon ends.
        sweeping = Companion("The sweep")
        companions.callback(sweeping.stop)
        sweeping.start([sys.executable, "-m", "service", "sweep"], stdout=subprocess.DEVNULL)

        def when_ready(arbiter: Any) -> None:
            playing["when_ready"](arbiter)
            _say("serving", f"http://{playing['bind']}")

        Hosted("service.wsgi", {**playing, "when_ready": when_ready}).run()


def playing_options(environ: Mapping[str, str]) -> dict[str, Any]:
    """gunicorn's settings for those who play; `SettingsError` names the variable at fault."""
    host, port = _listening(environ)
    return {
        "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
        "workers": whole_number(environ, "ASTERISM_WORKERS", 2, 1, 256),
        "threads": threads(environ),
        "worker_class": "service.playing.Worker",
        "worker_connections": 900,  # a process may often have 1,024 files open, and no more
        "keepalive": 15,
        "graceful_timeout": 10,
        "proc_name": "asterism",
        "on_starting": counting_apart("play"),
        "when_ready": drained(whole_number(environ, "ASTERISM_DRAIN", 0, 0, 600)),
        "pre_request": close_when_leaving,
        "child_exit": worker_gone,
    }


def _listening(environ: Mapping[str, str]) -> tuple[str, int]:
    return environ.get("HOST") or "127.0.0.1", whole_number(environ, "PORT", 8000, 1, 65535)


def _say(what: str, value: str) -> None:
    print(f"{what:<9} {value}", flush=True)

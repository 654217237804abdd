"""A process beside the service: started with it, started again if it ends, and ended with it."""

import ctypes
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from service.errors import SettingsError

SECONDS_TO_START = 30.0
SECONDS_TO_STOP = 10.0
SECONDS_BETWEEN_LOOKS = 0.5

_PR_SET_PDEATHSIG = 1
_log = logging.getLogger("asterism")


class Companion:
    """A process, and a private folder for the socket it listens on."""

    def __init__(self, name: str) -> None:
        """`name` is what the process is called when it fails, as in "The store"."""
        self._name = name
        # A socket's path has 107 bytes at the most, so it cannot lie in a folder of any depth.
        self.folder = Path(tempfile.mkdtemp(prefix="asterism-"))
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: threading.Thread | None = None
        self._stopping = threading.Event()

    def keep(self, begin: Callable[[], None]) -> None:
        """Calls `begin`, which starts the process, now and whenever that has ended, until `stop`.

        What it raises now is raised, when all is stopped; what it raises later is logged, and it
        is called again.
        """
        try:
            begin()
        except BaseException:
            self.stop()
            raise
        self._keeper = threading.Thread(target=self._watch_over, args=(begin,), daemon=True)
        self._keeper.start()

    def start(self, command: Sequence[str], **options: Any) -> None:
        """Starts `command`, our own words and no shell, with these options of `Popen`."""
        self._process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            process_group=0,  # so that Ctrl-C reaches the service first, which then stops this
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
            **options,
        )

    def wait(self, serves: Callable[[], bool], log: str) -> None:
        """Waits until it serves; `SettingsError` if it does not. `log` is where it says why."""
        assert self._process is not None
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline and not self._stopping.is_set():
            if serves():
                return
            if self._process.poll() is not None:
                raise SettingsError(f"{self._name} did not start; {log} says why.")
            time.sleep(0.02)
        raise SettingsError(f"{self._name} did not serve in {SECONDS_TO_START:.0f} s; see {log}.")

    def stop(self) -> None:
        """Ends the process, and removes the folder.

        Does nothing in a process that was forked from the one that started it: a worker that
        ends leaves the companion to the others.
        """
        if os.getpid() != self._owner:
            return
        self._stopping.set()
        if self._keeper is not None:
            self._keeper.join()
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def _watch_over(self, begin: Callable[[], None]) -> None:
        """Looks every so often whether the process has ended.

        To wait for that is no use: gunicorn takes note of all children that end, also of those
        that are not its own.
        """
        while not self._stopping.wait(SECONDS_BETWEEN_LOOKS):
            assert self._process is not None
            if self._process.poll() is None:
                continue
            _log.error("%s has ended. It is started again.", self._name)
            try:
                begin()
            except (SettingsError, OSError) as error:
                if not self._stopping.is_set():
                    _log.error("%s", error)


def _end_with_parent() -> None:
    """Lets the kernel stop the process when the service is gone without a word (SIGKILL)."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

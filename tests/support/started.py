"""Starts programs for tests so that none outlives them."""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Self

_PR_SET_PDEATHSIG = 1


class Stoppable:
    """Something that runs, and is stopped when the block that uses it ends."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stops it in good order; does nothing if it has been stopped already."""
        raise NotImplementedError


def start(command: Sequence[str], **options: Any) -> subprocess.Popen:
    """Starts `command` with these options of `Popen`; it gets SIGTERM when the tests end or die.

    Ctrl-C reaches it even if the tests run in the background, where the shell lets them ignore it.
    """
    return subprocess.Popen(command, preexec_fn=_prepare, **options)  # noqa: PLW1509


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

"""Graceful shutdown with a drain: first `/readyz` fails, and some seconds later the service stops.

A load balancer needs that time to notice. Meanwhile every request is answered, and its connection
is then closed, so that none is under way when the service stops.
"""

import mmap
import signal
from types import FrameType
from typing import Any

_LEAVING = mmap.mmap(-1, 1)
"""A byte that gunicorn's master shares with its workers: 1 from the first SIGTERM on."""


def is_leaving() -> bool:
    """Whether this instance is about to stop."""
    return _LEAVING[0] == 1


def drain_on_sigterm(arbiter: Any, seconds: int) -> None:
    """Lets SIGTERM stop gunicorn after so many seconds, a second one at once."""

    def stop(*_: object) -> None:
        arbiter.signal(signal.SIGTERM, None)

    def leave(signum: int, frame: FrameType | None) -> None:
        if is_leaving():
            stop()
            return
        _LEAVING[0] = 1
        signal.signal(signal.SIGALRM, stop)
        signal.alarm(seconds)

    if seconds:
        signal.signal(signal.SIGTERM, leave)


def close_when_leaving(_worker: Any, request: Any) -> None:
    """gunicorn's `pre_request`: no keep-alive while this instance is about to stop."""
    if is_leaving():
        request.force_close()

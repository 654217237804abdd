"""Retries store commands until a deadline, and says in plain words why a store is unavailable."""

import random
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from redis.exceptions import (
    AskError,
    AuthenticationError,
    AuthorizationError,
    ClusterDownError,
    ConnectionError,
    MovedError,
    NoPermissionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    TimeoutError,
    TryAgainError,
)
from redis.sentinel import MasterNotFoundError

from service.errors import GameUnreadableError, StoreUnavailableError

P = ParamSpec("P")
T = TypeVar("T")

RETRY_SECONDS = 3.0
"""Seconds after which a command is not retried."""

_PERMANENT = (AuthenticationError, AuthorizationError, NoPermissionError)
_TEMPORARY = (
    *(ConnectionError, TimeoutError, ReadOnlyError, NoScriptError),
    *(ClusterDownError, MovedError, AskError, TryAgainError),
)
_TEMPORARY_CODES = ("BUSY", "NOREPLICAS", "UNBLOCKED")

_REASONS: tuple[tuple[type[RedisError] | tuple[type[RedisError], ...], str, str], ...] = (
    (NoPermissionError, "channel", "does not let the service use its channels"),
    (_PERMANENT, "", "refuses the service's credentials"),
    (MasterNotFoundError, "auth:", "refuses the service's credentials"),
    (MasterNotFoundError, "network:", "did not answer in time"),
    (MasterNotFoundError, "", "has no master that the sentinels know by this name"),
    (ReadOnlyError, "", "is read-only just now"),
    (AskError, "", "is a cluster that is being changed, or that REDIS_URL does not call one"),
    (TryAgainError, "", "is moving some games just now"),
    (ClusterDownError, "not covered", "is a cluster in which no server has these games"),
    (RedisError, "OOM", "is full"),
    (OutOfMemoryError, "", "is full"),
    (RedisError, "MISCONF", "cannot write to its disk"),
    (RedisError, "NOREPLICAS", "has not enough replicas just now"),
    (RedisError, "cluster support disabled", "is no cluster, as REDIS_URL says"),
    ((ConnectionError, TimeoutError), "", "did not answer in time"),
    (RedisError, "", "cannot do this just now"),
)
"""Kinds of errors, a part of their text, and the reason they stand for; the first that fits."""


def with_retries(run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of `run`, retried for `RETRY_SECONDS`; raises as `retry_for` does."""
    return retry_for(RETRY_SECONDS, run, *args, **kwargs)


def retry_for(seconds: float, run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of `run`, retried with growing pauses while the store is unavailable.

    The first retry comes at once: a connection that idled too long is found closed. Raises
    `StoreUnavailableError`, and `GameUnreadableError` for a key of another type.
    """
    deadline = time.monotonic() + seconds
    pause = 0.0
    while True:
        try:
            return run(*args, **kwargs)
        except RedisError as error:
            if "WRONGTYPE" in str(error):
                raise GameUnreadableError("its key holds another type of value") from None
            if not _is_temporary(error) or time.monotonic() + pause > deadline:
                raise StoreUnavailableError(reason(error)) from None
        time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads retries
        pause = min(pause * 2 + 0.05, 0.4)


def reason(error: RedisError) -> str:
    """What follows on "The store …" to tell the cause: the error's own text may tell addresses."""
    return next(
        words for kinds, text, words in _REASONS if isinstance(error, kinds) and text in str(error)
    )


def _is_temporary(error: RedisError) -> bool:
    """Whether a retry soon can help: a lost connection, a failover, a server that loads."""
    temporary = isinstance(error, _TEMPORARY) and not isinstance(error, _PERMANENT)
    return temporary or str(error).startswith(_TEMPORARY_CODES)

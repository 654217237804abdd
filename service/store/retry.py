"""Retries store commands until a deadline, and says in plain words why a store is unavailable."""

import random
import time
from collections.abc import Callable
from typing import TypeVar

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
    ResponseError,
    TimeoutError,
    TryAgainError,
)
from redis.sentinel import MasterNotFoundError

from service.errors import GameUnreadableError, StoreUnavailableError

T = TypeVar("T")

RETRY_SECONDS = 3.0
"""Seconds after which a command is not tried again."""


class NotReplicatedError(RedisError):
    """A write has not reached enough replicas yet."""


_PERMANENT = (AuthenticationError, AuthorizationError, NoPermissionError)
_TEMPORARY = (
    *(ConnectionError, TimeoutError, ReadOnlyError, NoScriptError, NotReplicatedError),
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
    (NotReplicatedError, "", "has not enough replicas just now"),
    (RedisError, "NOREPLICAS", "has not enough replicas just now"),
    (RedisError, "cluster support disabled", "is no cluster, as REDIS_URL says"),
    ((ConnectionError, TimeoutError), "", "did not answer in time"),
)
"""Kinds of errors, a part of their text, and the reason they stand for; the first that fits."""


def with_retries(run: Callable[[], T]) -> T:
    """What `run` gives, tried again with growing pauses while the store is unavailable.

    The first new try comes at once: a connection that idled too long is found closed. Raises
    `StoreUnavailableError`, and `GameUnreadableError` for a key of another type.
    """
    deadline = time.monotonic() + RETRY_SECONDS
    pause = 0.0
    while True:
        try:
            return run()
        except RedisError as error:
            if not _is_temporary(error):
                raise _permanent(error) from None
            if time.monotonic() + pause > deadline:
                raise unavailable(error) from None
        time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads retries
        pause = min(pause * 2 + 0.05, 0.4)


def unavailable(error: RedisError) -> StoreUnavailableError:
    """A 503 in words that tell operators the cause and clients no addresses."""
    return StoreUnavailableError(reason(error))


def reason(error: RedisError) -> str:
    """What follows on "The store …" to tell the cause, without the text of the error."""
    for kinds, text, words in _REASONS:
        if isinstance(error, kinds) and text in str(error):
            return words
    return "cannot do this just now"


def _is_temporary(error: RedisError) -> bool:
    """Whether trying again soon can help: a lost connection, a failover, a server that loads."""
    temporary = isinstance(error, _TEMPORARY) and not isinstance(error, _PERMANENT)
    return temporary or str(error).startswith(_TEMPORARY_CODES)


def _permanent(error: RedisError) -> Exception:
    """The error of ours that a server error stands for, where trying again would not help."""
    if isinstance(error, ResponseError) and "WRONGTYPE" in str(error):
        return GameUnreadableError("its key holds another type of value")
    return unavailable(error)

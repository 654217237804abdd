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
    NoPermissionError,
    NoScriptError,
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


_NO_LOGIN = "refuses the service's credentials"
_NO_ANSWER = "did not answer in time"
_NOT_NOW = "cannot do this just now"
_NOT_CALLED_ONE = "is a cluster that is being changed, or that REDIS_URL does not call one"

_Kinds = type[RedisError] | tuple[type[RedisError], ...]

_CAUSES: tuple[tuple[_Kinds, str, bool, str], ...] = (
    (NoPermissionError, "channel", False, "does not let the service use its channels"),
    (NoPermissionError, "", False, "does not let the service run its commands"),
    ((AuthenticationError, AuthorizationError), "", False, _NO_LOGIN),
    (MasterNotFoundError, "auth:", True, _NO_LOGIN),
    (MasterNotFoundError, "network:", True, _NO_ANSWER),
    (MasterNotFoundError, "", True, "has no master that the sentinels know by this name"),
    (ReadOnlyError, "", True, "is read-only just now"),
    (AskError, "", True, _NOT_CALLED_ONE),
    (TryAgainError, "", True, "is moving some games just now"),
    (ClusterDownError, "not covered", True, "is a cluster in which no server has these games"),
    (RedisError, "maxmemory", False, "is full"),
    (RedisError, "MISCONF", False, "cannot write to its disk"),
    (RedisError, "NOREPLICAS", True, "has not enough replicas just now"),
    (RedisError, "cluster support disabled", False, "is no cluster, as REDIS_URL says"),
    ((ConnectionError, TimeoutError), "", True, _NO_ANSWER),
    ((ClusterDownError, NoScriptError), "", True, _NOT_NOW),
    (RedisError, "BUSY", True, _NOT_NOW),
    (RedisError, "UNBLOCKED", True, _NOT_NOW),
    (RedisError, "", False, _NOT_NOW),
)
"""Kinds of errors, a part of their text, whether a retry soon can help, and what is wrong then.

The first row that fits an error is its own. A retry can help after a lost connection, during a
failover, and while a server loads.
"""


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
            passes, why = _cause(error)
            if not passes or time.monotonic() + pause > deadline:
                raise StoreUnavailableError(why) from None
        time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads retries
        pause = min(pause * 2 + 0.05, 0.4)


def reason(error: RedisError) -> str:
    """What follows on "The store …" to tell the cause: the error's own text may tell addresses."""
    return _cause(error)[1]


def _cause(error: RedisError) -> tuple[bool, str]:
    """Whether a retry soon can help, and the reason."""
    for kinds, text, passes, why in _CAUSES:
        if isinstance(error, kinds) and text in str(error):
            return passes, why
    raise error  # the last row fits all

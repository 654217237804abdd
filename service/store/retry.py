"""Retries store commands until a deadline, and says in plain words why a store is unavailable."""

import random
import time
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

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


class _Cause(NamedTuple):
    """A kind of errors, whose text contains `text`: what is wrong with the store.

    `passes` tells whether a retry soon can help: a lost connection, a failover, a slow start.
    """

    kinds: type[RedisError] | tuple[type[RedisError], ...]
    text: str
    passes: bool
    reason: str


_NO_LOGIN = "refuses the service's credentials"
_NO_ANSWER = "did not answer in time"
_NOT_NOW = "cannot do this just now"

_CAUSES = (
    _Cause(NoPermissionError, "channel", False, "does not let the service use its channels"),
    _Cause(NoPermissionError, "", False, "does not let the service run its commands"),
    _Cause((AuthenticationError, AuthorizationError), "", False, _NO_LOGIN),
    _Cause(MasterNotFoundError, "auth:", True, _NO_LOGIN),
    _Cause(MasterNotFoundError, "network:", True, _NO_ANSWER),
    _Cause(MasterNotFoundError, "", True, "has no master that the sentinels know by this name"),
    _Cause(ReadOnlyError, "", True, "is read-only just now"),
    _Cause(
        AskError,
        "",
        True,
        "is a cluster that is being changed, or that REDIS_URL does not call one",
    ),
    _Cause(TryAgainError, "", True, "is moving some games just now"),
    _Cause(
        ClusterDownError, "not covered", True, "is a cluster in which no server has these games"
    ),
    _Cause(RedisError, "maxmemory", False, "is full"),
    _Cause(RedisError, "MISCONF", False, "cannot write to its disk"),
    _Cause(RedisError, "NOREPLICAS", True, "has not enough replicas just now"),
    _Cause(RedisError, "cluster support disabled", False, "is no cluster, as REDIS_URL says"),
    _Cause((ConnectionError, TimeoutError), "", True, _NO_ANSWER),
    _Cause((ClusterDownError, NoScriptError), "", True, _NOT_NOW),
    _Cause(RedisError, "BUSY", True, _NOT_NOW),
    _Cause(RedisError, "UNBLOCKED", True, _NOT_NOW),
    _Cause(RedisError, "", False, _NOT_NOW),
)
"""The causes of errors; the first that fits an error is its own."""


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
            cause = _cause(error)
            if not cause.passes or time.monotonic() + pause > deadline:
                raise StoreUnavailableError(cause.reason) from None
        time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads retries
        pause = min(pause * 2 + 0.05, 0.4)


def reason(error: RedisError) -> str:
    """What follows on "The store …" to tell the cause: the error's own text may tell addresses."""
    return _cause(error).reason


def _cause(error: RedisError) -> _Cause:
    return next(
        cause for cause in _CAUSES if isinstance(error, cause.kinds) and cause.text in str(error)
    )

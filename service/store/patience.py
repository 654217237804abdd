"""Commands are tried again while the store is away, within a deadline; then it is our own error."""

import random
import time
from typing import Any

from redis.exceptions import (
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

from service.errors import GameUnreadableError, StoreUnavailableError
from service.store.replicas import NotReplicatedError
from service.store.script import Command, Word, in_full
from service.store.servers import NobodyKnowsError
from service.store.wire import Send

DEADLINE = 3.0
"""Seconds after which a command is not tried again."""

_LASTING = (AuthenticationError, AuthorizationError, NoPermissionError)
_PASSING = (
    *(ConnectionError, TimeoutError, ReadOnlyError),
    *(ClusterDownError, MovedError, TryAgainError, NotReplicatedError),
)
_PASSING_SIGNS = ("BUSY", "NOREPLICAS", "UNBLOCKED")

_REASONS: tuple[tuple[type[RedisError] | tuple[type[RedisError], ...], str, str], ...] = (
    (NobodyKnowsError, "", ""),
    (_LASTING, "", "refuses the service's credentials"),
    (ReadOnlyError, "", "is read-only just now"),
    (MovedError, "", "is a cluster that is being changed, or that REDIS_URL does not call one"),
    (TryAgainError, "", "is moving some games just now"),
    (RedisError, "OOM", "is full"),
    (OutOfMemoryError, "", "is full"),
    (RedisError, "MISCONF", "cannot write to its disk"),
    (NotReplicatedError, "", "has not enough replicas just now"),
    (RedisError, "NOREPLICAS", "has not enough replicas just now"),
    (RedisError, "cluster support disabled", "is no cluster, as REDIS_URL says"),
    ((ConnectionError, TimeoutError), "", "did not answer in time"),
)
"""What kind of error, or what in its text, stands for which reason; none: its own text."""


def patient(send: Send) -> Send:
    """`send`, with a command tried again with growing pauses while the store is away.

    The first new try comes at once: a connection that idled too long is found closed. Raises
    `StoreUnavailableError`, and `GameUnreadableError` for a key of another kind.
    """

    def sent(*words: Word) -> Any:
        command: Command = words
        deadline = time.monotonic() + DEADLINE
        pause = 0.0
        while True:
            try:
                return send(*command)
            except NoScriptError:  # the server is new, or has been started again
                command = in_full(command)
            except RedisError as error:
                if not _passes(error):
                    raise _meaning(error) from None
                if time.monotonic() + pause > deadline:
                    raise unavailable(error) from None
            time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads retries
            pause = min(pause * 2 + 0.05, 0.4)

    return sent


def unavailable(error: RedisError) -> StoreUnavailableError:
    """A 503 in words that tell operators the cause and clients no addresses."""
    for kinds, sign, reason in _REASONS:
        if isinstance(error, kinds) and sign in str(error):
            return StoreUnavailableError(reason or str(error))
    return StoreUnavailableError("cannot do this just now")


def _passes(error: RedisError) -> bool:
    """Whether trying again soon can help: a lost connection, a failover, a server that loads."""
    passes = isinstance(error, _PASSING) and not isinstance(error, _LASTING)
    return passes or str(error).startswith(_PASSING_SIGNS)


def _meaning(error: RedisError) -> Exception:
    """The error of ours that a server error stands for, where trying again would not help."""
    if isinstance(error, ResponseError) and "WRONGTYPE" in str(error):
        return GameUnreadableError("its key holds another kind of value")
    return unavailable(error)

"""Rate limits: requests a minute per client address or play token, counted in each worker.

The header fields are those of draft-ietf-httpapi-ratelimit-headers-11.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import ceil
from typing import NamedTuple

from flask import request

from service.api.client_address import client_address
from service.api.request_headers import play_token
from service.errors import TooManyRequestsError

Clock = Callable[[], float]

BY_PLAY_TOKEN = "game-"  # noqa: S105 - no secret
"""Limits with this prefix count per play token, all others per address."""

MOST_CLIENTS = 20_000
"""Clients that a limit counts at once, in about 4 MB; one more resets all its counts."""

_MINUTE = 60


class Usage(NamedTuple):
    """A limit after a request: `remaining` of `quota` requests; `reset` is in so many seconds."""

    limit: str
    quota: int
    remaining: int
    reset: int
    allowed: bool


class RateLimits:
    """Counts requests in this process alone. A limit without a quota is not enforced.

    The window is the clock minute, which ends at the same moment in every worker: a client that
    waits until then is served, whichever worker responds. (A moving window would store the times
    of up to 60,000 requests per client.)
    """

    def __init__(self, quotas: Mapping[str, int], clock: Clock = time.time) -> None:
        """`quotas` are requests a minute by limit; `clock` gives seconds since 1970."""
        self._clock = clock
        self._limits = {limit: (quota, _Minute()) for limit, quota in quotas.items()}

    def __contains__(self, limit: str) -> bool:
        return limit in self._limits

    def hit(self, limit: str, client: str) -> Usage:
        """Counts one request of `client`."""
        quota, minute = self._limits[limit]
        now = self._clock()
        count = minute.count(int(now // _MINUTE), client)
        reset = ceil((minute.number + 1) * _MINUTE - now)
        return Usage(limit, quota, max(0, quota - count), max(0, reset), count <= quota)


class _Minute:
    """Counts of the current minute in memory; needs no cleanup.

    The package `limits` does this too, but loads much of asyncio into every worker, and scans its
    counters in a thread: 100,000 forged tokens or addresses would block the event loop for 30 ms.
    """

    def __init__(self) -> None:
        self.number = 0
        self._counts = Counter[str]()

    def count(self, number: int, client: str) -> int:
        """The requests of `client` in the minute of this number since 1970, with this one."""
        if number != self.number or len(self._counts) >= MOST_CLIENTS:
            self.number = number
            self._counts.clear()
        self._counts[client] += 1
        return self._counts[client]


def enforce(limits: RateLimits, names: Iterable[str]) -> None:
    """Counts the request against these limits; `TooManyRequestsError` if one is exceeded."""
    usages = [
        limits.hit(name, client) for name in names if name in limits and (client := _client(name))
    ]
    if not usages:
        return
    request.environ["asterism.limits"] = [
        ("RateLimit-Policy", _policies(tuple((usage.limit, usage.quota) for usage in usages))),
        ("RateLimit", ", ".join(f'"{u.limit}";r={u.remaining};t={u.reset}' for u in usages)),
    ]
    for usage in usages:
        if not usage.allowed:
            raise TooManyRequestsError(usage.limit, usage.quota, max(1, usage.reset))


def _client(limit: str) -> str | None:
    if not limit.startswith(BY_PLAY_TOKEN):
        return client_address()
    token = play_token()
    return token and str(hash(token))  # forged tokens can be long


@cache
def _policies(quotas: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f'"{limit}";q={quota};w={_MINUTE}' for limit, quota in quotas)

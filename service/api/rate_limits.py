"""Rate limits: requests a minute by client address or play token, counted by each worker process.

The header fields are those of draft-ietf-httpapi-ratelimit-headers-11.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from math import ceil
from typing import Any, NamedTuple, TypeVar

from flask import current_app, request
from limits import RateLimitItemPerMinute
from limits.storage.base import Storage
from limits.strategies import FixedWindowRateLimiter

from service.api import requests
from service.api.client_address import client_address
from service.errors import TooManyRequestsError

View = TypeVar("View", bound=Callable[..., Any])
Clock = Callable[[], float]

BY_PLAY_TOKEN = "game-"  # noqa: S105 - no secret
"""Limits whose name begins so count by play token, all others by address."""

MOST_CLIENTS = 20_000
"""Clients that a limit counts at once, in about 4 MB; one more, and all counts begin at 0."""

_MINUTE = 60


class Usage(NamedTuple):
    """A limit after a request: `remaining` of `quota` requests until the `reset`, in seconds."""

    limit: str
    quota: int
    remaining: int
    reset: int
    allowed: bool


class RateLimits:
    """Counts requests in this process alone. A limit without a quota is not enforced.

    The window is the minute by the clock, so it ends at the same moment in every worker: whoever
    waits until then gets through, whichever worker answers. (A moving window would keep the time
    of up to 60,000 requests for each client.)
    """

    def __init__(self, quotas: Mapping[str, int], clock: Clock = time.time) -> None:
        """`quotas` are requests a minute by limit; `clock` gives seconds since 1970."""
        self._clock = clock
        self._limits = {
            limit: (RateLimitItemPerMinute(quota), FixedWindowRateLimiter(MinuteStorage(clock)))
            for limit, quota in quotas.items()
        }

    def __contains__(self, limit: str) -> bool:
        return limit in self._limits

    def hit(self, limit: str, client: str) -> Usage:
        """Counts one request of `client`."""
        item, limiter = self._limits[limit]
        allowed = limiter.hit(item, client)
        window = limiter.get_window_stats(item, client)
        reset = ceil(window.reset_time - self._clock())
        return Usage(limit, item.amount, window.remaining, max(0, reset), allowed)


class MinuteStorage(Storage):
    """Counts of the current minute in memory, for the strategies of `limits`; needs no sweeping.

    The MemoryStorage of `limits` starts a thread that looks through all its counters, up to a
    hundred times a second. Under gevent that happens in the event loop: 100,000 made-up tokens or
    addresses would stall it for 30 ms each time.
    """

    base_exceptions = ()

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._minute = 0
        self._counts = Counter[str]()

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Counts `amount` more; `expiry` is a minute."""
        minute = int(self._clock() // _MINUTE)
        if minute != self._minute or len(self._counts) >= MOST_CLIENTS:
            self._minute = minute
            self.reset()
        self._counts[key] += amount
        return self._counts[key]

    def get(self, key: str) -> int:
        """How much was counted in this minute."""
        return self._counts[key]

    def get_expiry(self, key: str) -> float:
        """When the minute ends, in seconds since 1970."""
        return (self._minute + 1) * _MINUTE

    def check(self) -> bool:
        """Whether the storage works: memory always does."""
        return True

    def reset(self) -> None:
        """Forgets all counts."""
        self._counts.clear()

    def clear(self, key: str) -> None:
        """Forgets one count."""
        del self._counts[key]


def rate_limited(*limits: str) -> Callable[[View], View]:
    """Marks a view whose requests count against these limits; by default they count as reads."""

    def mark(view: View) -> View:
        view.limits = limits  # type: ignore[attr-defined]
        return view

    return mark


def enforce(view: Callable[..., Any]) -> None:
    """Counts the request against the limits of `view`; `TooManyRequestsError` if one is used up."""
    limits: RateLimits = current_app.extensions["asterism.limits"]
    usages = [
        limits.hit(limit, client)
        for limit in getattr(view, "limits", ("reads",))
        if limit in limits and (client := _client(limit))
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
    token = requests.play_token()
    return token and str(hash(token))  # tokens that are made up can be long


@cache
def _policies(quotas: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f'"{limit}";q={quota};w={_MINUTE}' for limit, quota in quotas)

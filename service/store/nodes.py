"""The masters of a store: a single server, those of a cluster, or the one that sentinels name."""

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from redis import Redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import (
    ClusterDownError,
    ConnectionError,
    MaxConnectionsError,
    MovedError,
    ReadOnlyError,
    RedisError,
    TimeoutError,
)

T = TypeVar("T")

Slots = Mapping[range, Redis]
"""The masters by the cluster slots that each has."""

EVERY_SLOT = range(REDIS_CLUSTER_HASH_SLOTS)

REFRESH_TIMEOUT = 0.3
"""Seconds that a thread waits while another looks up the masters."""


class Nodes:
    """The masters of one store, each with a client of its own, for all threads of a process.

    Clients retry nothing, and connect at the first command. Every method may raise `RedisError`.
    """

    def __init__(
        self, discover: Callable[[Slots, Redis | None], Slots], valid_for: float = math.inf
    ) -> None:
        """`discover` looks up the masters, by what is known of them and the one that failed.

        They are looked up again after `valid_for` seconds, and whenever one fails.
        """
        self._discover = discover
        self._valid_for = valid_for
        self._lock = threading.Lock()
        self._slots: Slots = {}
        self._expires = 0.0

    def master_of(self, key: str) -> Redis:
        """The master that has `key`."""
        slots = self._valid_slots()
        slot = key_slot(key.encode()) if len(slots) > 1 else 0
        for covered, node in slots.items():
            if slot in covered:
                return node
        self.refresh()
        raise ClusterDownError("slots not covered")

    def masters(self) -> Sequence[Redis]:
        """Every master, at least one."""
        return list(dict.fromkeys(self._valid_slots().values()))

    def run_on(self, node: Redis, command: Callable[[Redis], T]) -> T:
        """The result of `command` on `node`; looks up the masters if it seems to be none now."""
        try:
            return command(node)
        except MaxConnectionsError:  # says nothing about the server
            raise
        except (ConnectionError, TimeoutError, ReadOnlyError, ClusterDownError, MovedError):
            with suppress(RedisError):
                self.refresh(node)
            raise

    def refresh(self, failed: Redis | None = None) -> None:
        """Looks up the masters, asking `failed` last; if that fails, there are none until it works.

        `ConnectionError` if others are looking them up for longer than `REFRESH_TIMEOUT`.
        """
        if not self._lock.acquire(timeout=REFRESH_TIMEOUT):
            raise ConnectionError("another thread is still looking up the masters")
        try:
            self._expires = time.monotonic() + self._valid_for  # others go on meanwhile
            self._slots = self._discover(self._slots, failed)
        except RedisError:
            self._slots = {}
            raise
        finally:
            self._lock.release()

    def _valid_slots(self) -> Slots:
        if not self._slots or time.monotonic() >= self._expires:
            self.refresh()
        if not (slots := self._slots):
            raise ConnectionError("nobody names the masters")
        return slots


class SingleNode(Nodes):
    """One server, whatever happens."""

    def __init__(self, client: Redis) -> None:
        super().__init__(lambda *_: {EVERY_SLOT: client})

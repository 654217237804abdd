"""The masters of a store: a single server, those of a cluster, or the one that sentinels name."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Protocol, TypeVar

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import (
    ClusterDownError,
    ConnectionError,
    MaxConnectionsError,
    MovedError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    SlotNotCoveredError,
    TimeoutError,
)
from typing_extensions import override

T = TypeVar("T")

MASTER_TRUSTED = 1.0
"""Seconds after which the sentinels are asked again for the master.

A master that hung or was cut off still takes itself for the master when it comes back, until a
sentinel reconfigures it: for so long, nothing may be sent to it.
"""

REFRESH_TIMEOUT = 0.3
"""Seconds that a thread waits while another looks up the masters."""

_NO_SLOTS = "slots not covered"


class Nodes(Protocol):
    """The masters of one store, each with a client of its own, for all threads of a process.

    Clients retry nothing, and connect at the first command. Every method may raise `RedisError`.
    """

    def master_of(self, key: str) -> Redis:
        """The master that has `key`."""

    def masters(self) -> Sequence[Redis]:
        """Every master, at least one."""
        return (self.master_of(""),)

    def refresh(self, failed: Redis | None = None) -> None:
        """Looks up the masters again, asking `failed` last; raises if nobody confirms them."""


def run_on(nodes: Nodes, node: Redis, command: Callable[[Redis], T]) -> T:
    """The result of `command` on `node`; looks up the masters if it seems to be none any more."""
    try:
        return command(node)
    except MaxConnectionsError:  # says nothing about the server
        raise
    except (ConnectionError, TimeoutError, ReadOnlyError, ClusterDownError, MovedError):
        with suppress(RedisError):
            nodes.refresh(node)
        raise


class SingleNode(Nodes):
    """One server, whatever happens."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    @override
    def master_of(self, key: str) -> Redis:
        return self._client

    @override
    def refresh(self, failed: Redis | None = None) -> None:
        return  # there is no other


class SentinelNodes(Nodes):
    """The master that the sentinels name, if one of them does."""

    def __init__(
        self, discover: Callable[[], tuple[str, int]], connect: Callable[[str, int], Redis]
    ) -> None:
        """`discover` asks the sentinels for host and port, `connect` gives the client of these."""
        self._discover = discover
        self._connect = connect
        self._lock = threading.Lock()
        self._master: Redis | None = None
        self._expires = 0.0

    @override
    def master_of(self, key: str) -> Redis:
        if self._master is None or time.monotonic() >= self._expires:
            self.refresh()
        if self._master is None:
            raise ConnectionError("no sentinel names a master")
        return self._master

    @override
    def refresh(self, failed: Redis | None = None) -> None:
        with _within_timeout(self._lock):
            self._expires = time.monotonic() + MASTER_TRUSTED  # others go on meanwhile
            try:
                self._master = self._connect(*self._discover())
            except RedisError:
                self._master = None
                raise


class ClusterNodes(Nodes):
    """The masters of a cluster."""

    def __init__(
        self, discover: Callable[[], RedisCluster], connect: Callable[[str, int], Redis]
    ) -> None:
        """`discover` makes a client of the cluster, which looks up the topology at once.

        `connect` gives the client of a host and port.
        """
        self._cluster = cache(discover)
        self._connect = connect
        self._lock = threading.Lock()

    @override
    def master_of(self, key: str) -> Redis:
        with _redis_errors():
            try:
                node = self._cluster().get_node_from_key(key)
            except SlotNotCoveredError:
                self.refresh()
                raise
        return self._connect(node.host, node.port)

    @override
    def masters(self) -> Sequence[Redis]:
        with _redis_errors():
            nodes = self._cluster().get_primaries()
        if not nodes:
            self.refresh()
            raise ClusterDownError(_NO_SLOTS)
        return [self._connect(node.host, node.port) for node in nodes]

    @override
    def refresh(self, failed: Redis | None = None) -> None:
        name = "{host}:{port}".format_map(failed.get_connection_kwargs()) if failed else None
        with _within_timeout(self._lock), _redis_errors():
            cluster = self._cluster()
            cluster.nodes_manager.initialize(
                [(node.host, node.port) for node in cluster.get_nodes()],
                disconnect_startup_nodes_pools=False,
                last_failed_node_name=name,
            )


@contextmanager
def _within_timeout(lock: threading.Lock) -> Iterator[None]:
    """Holds `lock`; `ConnectionError` if others hold it for `REFRESH_TIMEOUT` seconds."""
    if not lock.acquire(timeout=REFRESH_TIMEOUT):
        raise ConnectionError("another thread is still looking up the masters")
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _redis_errors() -> Iterator[None]:
    """Raises errors of the cluster client as a `RedisError`: the one behind it, if there is one."""
    try:
        yield
    except (RedisClusterException, IndexError) as error:  # IndexError: no node has a slot
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, RedisError):
            cause = cause.__cause__ or cause.__context__
        raise (cause or ClusterDownError(_NO_SLOTS)) from None

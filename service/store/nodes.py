"""Which server has a game: the only one, one of a cluster, or the one that sentinels name."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

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

MASTER_TRUSTED = 1.0
"""Seconds after which sentinels are asked again who is the master.

One that hung or was cut off still takes itself for the master when it comes back, until a sentinel
tells it otherwise: no connection to it must be used for that long.
"""

ASKING_TIMEOUT = 0.3
"""Seconds that a thread waits for others to ask; then it goes on with what is known."""

_NO_SLOTS = "slots not covered"


class Nodes(ABC):
    """The masters of one store, each with a client of its own, for all threads of a process.

    A client retries nothing. Nothing is connected before the first command. Every method may raise
    redis-py's `RedisError`.
    """

    @abstractmethod
    def of(self, key: str) -> Redis:
        """The master that has `key`."""

    @abstractmethod
    def masters(self) -> Sequence[Redis]:
        """Every master, at least one."""

    def run(self, node: Redis, command: Callable[[Redis], Any]) -> Any:
        """What `command` gives on `node`; asks who the masters are if it seems not to be one."""
        try:
            return command(node)
        except MaxConnectionsError:  # says nothing of the server
            raise
        except (ConnectionError, TimeoutError, ReadOnlyError, ClusterDownError, MovedError):
            self.refresh(node)
            raise

    @abstractmethod
    def refresh(self, failed: Redis | None = None) -> None:
        """Asks who the masters are now, `failed` last; those stay known if nobody answers."""

    def is_still_master(self, node: Redis, key: str) -> bool:
        """Whether `node` has `key` according to others, who are asked for that."""
        self.refresh(node)
        return self.of(key) is node


class SingleNode(Nodes):
    """One server, whatever happens."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def of(self, key: str) -> Redis:
        """The server."""
        return self._client

    def masters(self) -> Sequence[Redis]:
        """The server."""
        return (self._client,)

    def refresh(self, failed: Redis | None = None) -> None:
        """There is no other."""


class _DiscoveredNodes(Nodes):
    """Masters that others tell of, one thread at a time."""

    def __init__(self) -> None:
        self._asking = threading.Lock()

    def refresh(self, failed: Redis | None = None) -> None:
        """Asks who the masters are now, `failed` last."""
        if self._asking.acquire(timeout=ASKING_TIMEOUT):
            try:
                self._ask(failed)
            finally:
                self._asking.release()

    @abstractmethod
    def _ask(self, failed: Redis | None) -> None:
        """Asks, and takes note of the answer; raises nothing if masters are known."""


class SentinelNodes(_DiscoveredNodes):
    """The master that sentinels name."""

    def __init__(
        self, discover: Callable[[], tuple[str, int]], connect: Callable[[str, int], Redis]
    ) -> None:
        """`discover` asks the sentinels for host and port, `connect` makes a client of these."""
        super().__init__()
        self._discover = discover
        self._connect = connect
        self._address: tuple[str, int] | None = None
        self._master: Redis | None = None
        self._due = 0.0

    def of(self, key: str) -> Redis:
        """The master."""
        if self._master is None or time.monotonic() >= self._due:
            self.refresh()
        if self._master is None:
            raise ConnectionError("the sentinels have not answered yet")
        return self._master

    def masters(self) -> Sequence[Redis]:
        """The master."""
        return (self.of(""),)

    def _ask(self, failed: Redis | None) -> None:
        self._due = time.monotonic() + MASTER_TRUSTED
        try:
            address = self._discover()
        except RedisError:
            if self._master is None:
                raise
            return
        if address != self._address:
            self._address, self._master = address, self._connect(*address)


class ClusterNodes(_DiscoveredNodes):
    """The masters of a cluster."""

    def __init__(
        self, discover: Callable[[], RedisCluster], connect: Callable[[str, int], Redis]
    ) -> None:
        """`discover` makes a client of the cluster, which asks for the topology at once.

        `connect` makes a client of one server, from host and port.
        """
        super().__init__()
        self._cluster = cache(discover)
        self._connect = cache(connect)

    def of(self, key: str) -> Redis:
        """The master of the key's slot."""
        with _redis_errors():
            try:
                node = self._cluster().get_node_from_key(key)
            except SlotNotCoveredError:
                self.refresh()
                raise
        return self._connect(node.host, node.port)

    def masters(self) -> Sequence[Redis]:
        """The masters."""
        with _redis_errors():
            nodes = self._cluster().get_primaries()
        if not nodes:
            self.refresh()
            raise ClusterDownError(_NO_SLOTS)
        return [self._connect(node.host, node.port) for node in nodes]

    def _ask(self, failed: Redis | None) -> None:
        name = "{host}:{port}".format_map(failed.get_connection_kwargs()) if failed else None
        cluster = self._cluster()
        with suppress(RedisError), _redis_errors():
            cluster.nodes_manager.initialize(
                [(node.host, node.port) for node in cluster.get_nodes()],
                disconnect_startup_nodes_pools=False,
                last_failed_node_name=name,
            )


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

"""redis-py's clients for REDIS_URL: of one server, of a cluster, or of a master under sentinels."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from redis import ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import ClusterDownError, ConnectionError, RedisError, TimeoutError
from redis.retry import Retry
from redis.sentinel import Sentinel

from service.store.nodes import EVERY_SLOT, Nodes, SingleNode, Slots
from service.store.url import read_url

SENTINEL_TIMEOUT = 0.3
"""Seconds for one answer of a sentinel."""

MASTER_TRUSTED = 1.0
"""Seconds after which the sentinels are asked again for the master.

A master that hung or was cut off still takes itself for the master when it comes back, until a
sentinel reconfigures it: for so long, nothing may be sent to it.
"""

Connect = Callable[[str, int], Redis]


def open_nodes(url: str, timeout: float) -> Nodes:
    """The masters of the store at `url`, with `timeout` seconds for an answer; connects later.

    Raises `SettingsError` if `url` is not one that `read_url` takes.
    """
    address = read_url(url)
    connect = cache(partial(_client, {**address.options, **_client_options(timeout)}))
    if address.kind == "cluster":
        return Nodes(partial(_cluster_slots, connect, address.hosts))
    if address.kind == "sentinel":
        options = {**address.sentinel_options, **_client_options(SENTINEL_TIMEOUT)}
        sentinels = Sentinel(address.hosts, sentinel_kwargs=options)
        return Nodes(
            lambda *_: {EVERY_SLOT: connect(*sentinels.discover_master(address.service))},
            MASTER_TRUSTED,
        )
    return SingleNode(connect(*address.hosts[0]))


def _cluster_slots(
    connect: Connect, hosts: Sequence[tuple[str, int]], known: Slots, failed: Redis | None
) -> Slots:
    """The slots of a cluster, by the first server that answers; `failed` is asked last.

    redis-py's own client of clusters is not used, as it fails while slots move. `hosts` are the
    names in REDIS_URL, which stay valid when addresses change.
    """
    error: RedisError = ClusterDownError("slots not covered")
    servers = dict.fromkeys((*(connect(*host) for host in hosts), *known.values()))
    for server in sorted(servers, key=lambda server: server is failed):
        try:
            rows: Any = server.execute_command("CLUSTER SLOTS")
        except (ConnectionError, TimeoutError) as unanswered:
            error = unanswered
            continue
        if rows:  # none in a server that has joined no cluster yet
            here = server.get_connection_kwargs()["host"]
            return {
                range(first, last + 1): connect((host or b"").decode() or here, port)
                for first, last, (host, port, *_), *_ in rows
            }
    raise error


class _Client(Redis):
    """A client without redis-py's own retries and metrics, which take longer than a command."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """The answer to a command; a connection that fails has closed itself."""
        pool = self.connection_pool
        connection = pool.get_connection()
        try:
            connection.send_command(*args, check_health=False)
            return self.parse_response(connection, args[0], **options)  # type: ignore[no-untyped-call]
        finally:
            pool.release(connection)


class _Pool(ConnectionPool):
    """A pool that hands out connections without redis-py's locks, warnings and metrics.

    Under gevent these take longer than the command, and so does polling a connection before it. A
    closed one fails the command, which is then retried. A new one over TLS has data already, its
    session tickets. None is open before a fork.
    """

    def get_connection(self, *args: Any, **options: Any) -> Any:
        """A connection that is open, as far as is known without asking it."""
        idle = self._available_connections
        connection = idle.pop() if idle else self.make_connection()
        self._in_use_connections.add(connection)
        try:
            if not connection.is_connected:
                connection.connect()
        except BaseException:
            self.release(connection)
            raise
        return connection

    def release(self, connection: Any) -> None:
        """Takes a connection back, once."""
        if connection in self._in_use_connections:
            self._in_use_connections.discard(connection)
            self._available_connections.append(connection)


def _client(options: Mapping[str, Any], host: str, port: int) -> Redis:
    """A client with a pool of up to 100 connections; a command that finds none free is retried."""
    if port == 0:
        return _Client.from_pool(_Pool(UnixDomainSocketConnection, path=host, **options))
    tls, rest = "ssl" in options, {name: options[name] for name in options if name != "ssl"}
    return _Client.from_pool(
        _Pool(SSLConnection if tls else Connection, host=host, port=port, **rest)
    )


def _client_options(timeout: float) -> dict[str, Any]:
    """Clients retry nothing, and say nothing about themselves when they connect."""
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "driver_info": None,
    }

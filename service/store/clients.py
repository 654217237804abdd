"""redis-py's clients for REDIS_URL: of one server, of a cluster, or of a master under sentinels."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from redis import ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.retry import Retry
from redis.sentinel import Sentinel

from service.store.nodes import ClusterNodes, Nodes, SentinelNodes, SingleNode
from service.store.url import read_url

SENTINEL_TIMEOUT = 0.3
"""Seconds for one answer of a sentinel."""


def open_nodes(url: str, timeout: float) -> Nodes:
    """The masters of the store at `url`, with `timeout` seconds for an answer; connects later.

    Raises `SettingsError` if `url` is not one that `read_url` takes.
    """
    address = read_url(url)
    options = {**address.options, **_client_options(timeout)}
    connect = cache(partial(_client, options))
    if address.kind == "cluster":
        discover = partial(
            RedisCluster,
            startup_nodes=[ClusterNode(*host) for host in address.hosts],
            dynamic_startup_nodes=False,  # host names stay valid when addresses change
            require_full_coverage=False,
            **options,
        )
        return ClusterNodes(discover, connect)
    if address.kind == "sentinel":
        sentinel_options = {**address.sentinel_options, **_client_options(SENTINEL_TIMEOUT)}
        sentinels = Sentinel(address.hosts, sentinel_kwargs=sentinel_options)
        return SentinelNodes(partial(sentinels.discover_master, address.service), connect)
    return SingleNode(connect(*address.hosts[0]))


class _Unchecked(AbstractConnection):
    """A connection that its pool takes for usable, without polling it before each command.

    Under gevent that takes longer than the command. A closed one fails the command, which is then
    retried.
    """

    def can_read(self, timeout: float = 0) -> bool:
        """Whether data comes within `timeout` seconds; False to the pool, which gives no time."""
        return timeout > 0 and super().can_read(timeout)


_TCP, _TLS, _UNIX = (
    type(kind.__name__, (_Unchecked, kind), {})
    for kind in (Connection, SSLConnection, UnixDomainSocketConnection)
)


def _client(options: Mapping[str, Any], host: str, port: int) -> Redis:
    """A client with a pool of up to 100 connections; a command that finds none free is retried."""
    if port == 0:
        return Redis.from_pool(ConnectionPool(_UNIX, path=host, **options))
    tls, rest = "ssl" in options, {name: options[name] for name in options if name != "ssl"}
    return Redis.from_pool(ConnectionPool(_TLS if tls else _TCP, host=host, port=port, **rest))


def _client_options(timeout: float) -> dict[str, Any]:
    """Clients retry nothing, and say nothing about themselves when they connect."""
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "driver_info": None,
    }

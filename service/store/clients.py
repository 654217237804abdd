"""redis-py's clients for REDIS_URL: of one server, of a cluster, or of a master under sentinels."""

from collections.abc import Mapping
from functools import partial
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
    """The servers of the store at `url`, with `timeout` seconds for an answer; connects later.

    Raises `SettingsError` if `url` is not one that `read_url` takes.
    """
    address = read_url(url)
    options = {**address.options, **_behaviour(timeout)}
    if address.kind == "cluster":
        topology = partial(
            RedisCluster,
            startup_nodes=[ClusterNode(*host) for host in address.hosts],
            dynamic_startup_nodes=False,  # their names outlive the addresses behind them
            require_full_coverage=False,
            **options,
        )
        return ClusterNodes(topology, partial(_client, options))
    if address.kind == "sentinel":
        theirs = {**address.sentinel_options, **_behaviour(SENTINEL_TIMEOUT)}
        sentinels = Sentinel(address.hosts, sentinel_kwargs=theirs)
        master = partial(sentinels.discover_master, address.service)
        return SentinelNodes(master, partial(_client, options))
    return SingleNode(_client(options, *address.hosts[0]))


class _Unchecked(AbstractConnection):
    """A connection that its pool takes for usable, without polling it before each command.

    Under gevent that takes longer than the command. One that is closed fails the command, which is
    then retried.
    """

    def can_read(self, timeout: float = 0) -> bool:
        """Whether data comes within `timeout` seconds; False to the pool, which gives no time."""
        return timeout > 0 and super().can_read(timeout)


class _Tcp(_Unchecked, Connection):
    """Over TCP."""


class _Tls(_Unchecked, SSLConnection):
    """Over TLS."""


class _Unix(_Unchecked, UnixDomainSocketConnection):
    """Over a Unix socket."""


def _client(options: Mapping[str, Any], host: str, port: int) -> Redis:
    """A client with a pool of up to 100 connections; a command that finds none free is retried."""
    if port == 0:
        return Redis.from_pool(ConnectionPool(_Unix, path=host, **options))
    own = {name: value for name, value in options.items() if name != "ssl"}
    kind = _Tls if "ssl" in options else _Tcp
    return Redis.from_pool(ConnectionPool(kind, host=host, port=port, **own))


def _behaviour(timeout: float) -> dict[str, Any]:
    """How clients behave: they retry nothing, and say nothing of themselves when they connect."""
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "driver_info": None,
    }

"""The store at REDIS_URL: on Redis or Valkey, a cluster, or a master under sentinels."""

from service.store.clients import open_nodes
from service.store.executor import PING_TIMEOUT, Executor
from service.store.games import Store
from service.store.nodes import Nodes

ANSWER_TIMEOUT = 1.0
"""Seconds for one answer of a server."""

DAYS_REMEMBERED = 90
"""How long results, first attempts, owners of labels and used ids are remembered.

Longer where games are kept for longer.
"""

_A_DAY = 24 * 60 * 60 * 1000


def redis_store(url: str, ttl: int, replicas: int = 0) -> Store:
    """The store at `url`, whose writes wait for so many `replicas`; connects later.

    `ttl` is the expiry of a game in seconds.
    """
    nodes, probe = open_nodes(url, ANSWER_TIMEOUT), open_nodes(url, PING_TIMEOUT)
    return store_on(nodes, probe, ttl, replicas)


def store_on(nodes: Nodes, probe: Nodes, ttl: int, replicas: int = 0) -> Store:
    """The same on `nodes`, which serve commands, and `probe`, which serves health checks."""
    kept = ttl * 1000
    remembered = max(kept, DAYS_REMEMBERED * _A_DAY)
    return Store(Executor(nodes, probe, replicas), kept, remembered)

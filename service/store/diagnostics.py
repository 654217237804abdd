"""The state of the store's servers, as they report it, and what they let the service do."""

import time
from dataclasses import dataclass

from redis import Redis

from service.store.clients import open_nodes
from service.store.executor import check_rights
from service.store.retry import with_retries

_TIMEOUT = 2.0
_LAST_WRITES = ("aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status")


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The state of one server.

    `ahead` is by how many seconds its clock is ahead of ours; `fraction` is how much of its memory
    limit is used, None without a limit. `replicas` is how many are connected.
    """

    product: str
    version: tuple[int, ...]
    role: str
    replicas: int
    append_only: bool
    write_errors: tuple[str, ...]
    policy: str
    fraction: float | None
    evicted: int
    ahead: float


def diagnose(url: str, replicas: int = 0) -> list[ServerStatus]:
    """The state of each master of the store at `url`, whose writes wait for so many `replicas`.

    Raises `SettingsError` if `url` is not valid, and `StoreUnavailableError` if a master does not
    answer or does not let the service do all that it needs.
    """
    nodes = open_nodes(url, _TIMEOUT)
    return [with_retries(_status, node, replicas) for node in with_retries(nodes.masters)]


def _status(node: Redis, replicas: int) -> ServerStatus:
    check_rights(node, replicas)
    info = node.info()
    before = time.time()
    seconds, microseconds = node.time()
    ours = (before + time.time()) / 2
    limit, used = info.get("maxmemory", 0), info.get("used_memory", 0)
    version = str(info.get("valkey_version") or info.get("redis_version", "0"))
    return ServerStatus(
        product=str(info.get("server_name", "redis")).capitalize(),
        version=tuple(int(part) for part in version.split(".") if part.isdigit()),
        role=info.get("role", ""),
        replicas=info.get("connected_slaves", 0),
        append_only=info.get("aof_enabled") == 1,
        write_errors=tuple(name for name in _LAST_WRITES if info.get(name, "ok") != "ok"),
        policy=info.get("maxmemory_policy", ""),
        fraction=used / limit if limit else None,
        evicted=info.get("evicted_keys", 0),
        ahead=seconds + microseconds / 1e6 - ours,
    )

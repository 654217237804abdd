"""The condition of the servers that keep the games, as they tell it themselves."""

import time
from dataclasses import dataclass
from typing import Any

from service.store.address import read_address
from service.store.patience import patient
from service.store.wire import OwnWire, Send, servers_at

_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition of one server.

    `ahead` is by how many seconds its clock is ahead of ours, `fraction` which part of the memory
    it may take is taken, None where there is no limit. `replicas` are those that are there.
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


def examine(url: str) -> list[Condition]:
    """The condition of each server at `url` that keeps games of its own.

    Raises `SettingsError` if `url` is none, and `StoreUnavailableError` if one does not answer, or
    does not let the service run scripts.
    """
    servers = servers_at(read_address(url))
    wire = OwnWire(servers, _TIMEOUT)
    return [_condition(patient(send)) for send in patient(wire.shards)()]


def _condition(send: Send) -> Condition:
    send("EVAL", "return 1", 0)
    told = _fields(send("INFO"))
    before = time.time()
    seconds, microseconds = send("TIME")
    ours = (before + time.time()) / 2
    most, used = int(told.get("maxmemory", 0)), int(told.get("used_memory", 0))
    return Condition(
        product=told.get("server_name", "redis").capitalize(),
        version=_version(told.get("valkey_version") or told.get("redis_version", "0")),
        role=told.get("role", ""),
        replicas=int(told.get("connected_slaves", 0)),
        append_only=told.get("aof_enabled") == "1",
        write_errors=tuple(
            name
            for name in ("aof_last_write_status", "aof_last_bgrewrite_status", _SNAPSHOT)
            if told.get(name, "ok") != "ok"
        ),
        policy=told.get("maxmemory_policy", ""),
        fraction=used / most if most else None,
        evicted=int(told.get("evicted_keys", 0)),
        ahead=int(seconds) + int(microseconds) / 1e6 - ours,
    )


_SNAPSHOT = "rdb_last_bgsave_status"


def _fields(info: Any) -> dict[str, str]:
    """The lines `name:value` of an answer to INFO."""
    lines = (line.partition(":") for line in bytes(info).decode().splitlines())
    return {name: value for name, colon, value in lines if colon}


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())

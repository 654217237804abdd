"""Checks the store: release, role, replicas, persistence, memory and clock of each server."""

from collections.abc import Iterator
from functools import partial
from typing import Literal, NamedTuple

from service.config import Settings
from service.errors import SettingsError, StoreUnavailableError
from service.store.diagnostics import ServerStatus, diagnose

OLDEST = 7
"""The oldest major version of Redis or Valkey that the service is tested on."""

_MAX_CLOCK_DIFFERENCE = 2.0
_MEMORY_WARNING, _MEMORY_FAILURE = 0.75, 0.9


class Finding(NamedTuple):
    """The result of a check; `remedy` is empty where all is well."""

    level: Literal["ok", "warn", "fail"]
    topic: str
    text: str
    remedy: str = ""


ok, warn, fail = partial(Finding, "ok"), partial(Finding, "warn"), partial(Finding, "fail")


def check_store(settings: Settings) -> Iterator[Finding]:
    """Checks of every server of the store; one that is not reached is a finding, too."""
    try:
        servers = diagnose(settings.redis_url, settings.replicas)
    except StoreUnavailableError as error:
        remedy = "Check REDIS_URL, that the server is up, and that it admits this machine and user."
        yield fail("store", str(error).partition(" Try")[0], remedy)
    except SettingsError as error:
        yield fail("store", str(error))
    else:
        for server in servers:
            yield from check_server(server, settings.replicas)


def check_server(server: ServerStatus, replicas: int) -> Iterator[Finding]:
    """Checks of one server; `replicas` must have each write."""
    yield _release_and_role(server)
    if server.replicas < replicas:
        text = f"{server.replicas} replicas are connected, but writes wait for {replicas}."
        remedy = "Start replicas or lower ASTERISM_REPLICAS: until then no move is accepted."
        yield fail("replicas", text, remedy)
    elif server.replicas:
        yield ok("replicas", f"{server.replicas} are connected.")
    yield _persistence(server)
    yield _memory(server)
    if abs(server.ahead) > _MAX_CLOCK_DIFFERENCE:
        text = f"Its clock and this machine's differ by {abs(server.ahead):.1f} s."
        yield warn("clock", text, "Synchronise both (NTP).")
    else:
        yield ok("clock", "Its clock agrees with this machine's.")


def _release_and_role(server: ServerStatus) -> Finding:
    version = ".".join(map(str, server.version))
    text = f"{server.product} {version} answers and runs scripts."
    if server.version < (OLDEST,):
        return fail("store", text, f"Use release {OLDEST} or later.")
    if server.role != "master":
        remedy = "Set REDIS_URL to the master, or to the sentinels that watch it."
        return fail("store", f"It is a {server.role}, which accepts no moves.", remedy)
    return ok("store", text)


def _persistence(server: ServerStatus) -> Finding:
    if server.write_errors:
        text = f"Its last write to disk failed: {', '.join(server.write_errors)}."
        return fail("persistence", text, "Check its log and its disk.")
    if not server.append_only:
        remedy = "Set appendonly yes and appendfsync everysec: without it a restart loses games."
        return warn("persistence", "The append-only file is off.", remedy)
    return ok("persistence", "The append-only file is on and can be written.")


def _memory(server: ServerStatus) -> Finding:
    if server.fraction is None:
        remedy = "Set maxmemory, and maxmemory-policy noeviction, before the machine swaps."
        return warn("memory", "There is no limit.", remedy)
    text = f"{server.fraction:.0%} of maxmemory is used, the policy is {server.policy}."
    if server.policy != "noeviction":
        remedy = "Set maxmemory-policy noeviction: any other lets a full store delete games."
        return fail("memory", text, remedy)
    if server.fraction > _MEMORY_WARNING:
        report = fail if server.fraction > _MEMORY_FAILURE else warn
        return report("memory", text, "Raise maxmemory, add a server, or lower ASTERISM_GAME_TTL.")
    if server.evicted:
        text = f"{server.evicted} keys have been evicted since the server started."
        return warn("memory", text, "The policy was another then: games may be missing.")
    return ok("memory", text)

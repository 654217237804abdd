"""What is right and what is wrong with how the service is set up, each in words and a way out."""

import difflib
import ipaddress
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from service.config import VARIABLES, Settings, data_folder, is_set, read_settings
from service.errors import SettingsError, StoreUnavailableError
from service.play.keys import SHORTEST_SERVER_KEY
from service.server.embedded_store import server_binary
from service.store.diagnostics import ServerStatus, diagnose

Level = Literal["ok", "warn", "fail"]

OLDEST = 7
"""The first release of Redis or Valkey that the service is tested on."""

_CLOCKS_APART = 2.0
_NEARLY_FULL, _FILLING = 0.9, 0.75
_LEAST_ROOM = 1 << 30
_OWN_STORE, _NEW_KEY = "unix:///own", "k" * SHORTEST_SERVER_KEY
"""Stand in where the environment names no store and no key."""


class Finding(NamedTuple):
    """What was found of one thing; `way_out` is empty where all is well."""

    level: Level
    about: str
    words: str
    way_out: str = ""


def diagnose_setup() -> Iterator[Finding]:
    """All that can be said of the set-up in the environment, settings first. Changes nothing."""
    try:
        settings = read_settings(redis_url=_OWN_STORE, server_key=_NEW_KEY)
    except SettingsError as error:
        settings = None
        yield from map(_fault, error.args)
    unknown = list(_unknown_variables())
    yield from unknown
    if settings is not None and not unknown:
        yield Finding("ok", "settings", "All that is set can be read.")
    yield from _secrets()
    yield from _folder()
    if settings is not None:
        yield _processes(settings)
        yield from _metrics(settings)
        yield from _store(settings)


def _fault(text: str) -> Finding:
    first, _, way_out = text.partition(". ")
    return Finding("fail", "settings", first.removesuffix(".") + ".", way_out)


def _unknown_variables() -> Iterator[Finding]:
    for name in sorted(os.environ):
        if name.startswith("ASTERISM_") and name not in VARIABLES:
            like = difflib.get_close_matches(name, VARIABLES, 1)
            way_out = f"Is it {like[0]} that is meant?" if like else "Unset it."
            yield Finding("warn", "settings", f"{name} is read by nobody.", way_out)


def _secrets() -> Iterator[Finding]:
    """Where the server key is, and who else may read what is secret."""
    own = data_folder() / "server.key"
    named = [os.environ.get(f"{name}_FILE") for name in ("ASTERISM_SERVER_KEY", "REDIS_URL")]
    named.append(os.environ.get("ASTERISM_FORMER_SERVER_KEYS_FILE"))
    for file in [Path(name) for name in named if name] + [own] * own.exists():
        try:
            status = file.stat()
        except OSError:
            continue  # the settings have said so
        if status.st_uid != os.getuid():
            yield Finding("ok", "secrets", f"{file} is guarded by its owner, who is another user.")
        elif status.st_mode & 0o077:
            yield Finding("warn", "secrets", f"{file} is for others, too.", f"chmod 600 {file}")
        else:
            yield Finding("ok", "secrets", f"{file} is for its owner alone.")
    if is_set("ASTERISM_SERVER_KEY"):
        return
    if is_set("REDIS_URL"):
        yield Finding(
            "warn",
            "secrets",
            f"The server key is that of this machine, {own}.",
            "Set ASTERISM_SERVER_KEY where several instances share a store: else each takes the "
            "play tokens of the others for wrong.",
        )
    elif not own.exists():
        yield Finding("ok", "secrets", "A server key will be made at the first start.")


def _folder() -> Iterator[Finding]:
    """Whether there is a place for the key, and for the store if it is the service's own."""
    folder = data_folder()
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        way_out = "Let the user of the service write there, or set ASTERISM_DATA."
        yield Finding("fail", "folder", f"{folder} cannot be written to.", way_out)
        return
    free = shutil.disk_usage(there).free
    if free < _LEAST_ROOM:
        way_out = "Make room: a store that cannot write takes no moves."
        yield Finding("warn", "folder", f"{folder} has {free >> 20} MiB left.", way_out)
    else:
        yield Finding("ok", "folder", f"{folder} can be written to, {free >> 30} GiB are free.")


def _processes(settings: Settings) -> Finding:
    """Whether the number of processes suits the machine."""
    cores = os.cpu_count() or 1
    words = f"{settings.workers} worker processes on {cores} cores."
    if settings.workers > 4 * cores:
        way_out = "More than two processes a core take memory and gain nothing: ASTERISM_WORKERS."
        return Finding("warn", "processes", words, way_out)
    return Finding("ok", "processes", words)


def _metrics(settings: Settings) -> Iterator[Finding]:
    """Whether metrics are shown to no stranger."""
    metrics = settings.metrics
    if metrics is not None and _is_public(metrics.host):
        way_out = "Set a loopback or private address, or let a firewall keep strangers out."
        yield Finding("warn", "metrics", f"{metrics.host} may be for everybody.", way_out)
    elif metrics is not None:
        yield Finding("ok", "metrics", f"Shown at {metrics.host}, port {metrics.port}.")


def _store(settings: Settings) -> Iterator[Finding]:
    """The servers that keep the games."""
    try:
        if settings.redis_url == _OWN_STORE:
            yield Finding("ok", "store", f"An embedded one will be started: {server_binary()}.")
            return
        conditions = diagnose(settings.redis_url)
    except StoreUnavailableError as error:
        way_out = "Is REDIS_URL right, is the server up, does it let this machine and user in?"
        yield Finding("fail", "store", str(error).partition(" Try")[0], way_out)
        return
    except SettingsError as error:
        yield Finding("fail", "store", str(error))
        return
    for condition in conditions:
        yield from _of_server(condition, settings.replicas)


def _of_server(condition: ServerStatus, replicas: int) -> Iterator[Finding]:
    version = ".".join(map(str, condition.version))
    words = f"{condition.product} {version} answers, and runs scripts."
    if condition.version < (OLDEST,):
        yield Finding("fail", "store", words, f"Take release {OLDEST} or a later one.")
    elif condition.role != "master":
        way_out = "Name the master in REDIS_URL, or sentinels that know it."
        yield Finding("fail", "store", f"It is a {condition.role}, which takes no moves.", way_out)
    else:
        yield Finding("ok", "store", words)
    if condition.replicas < replicas:
        way_out = "Start replicas, or lower ASTERISM_REPLICAS: no move is taken meanwhile."
        words = f"{condition.replicas} replicas are there, and writes wait for {replicas}."
        yield Finding("fail", "replicas", words, way_out)
    elif condition.replicas:
        yield Finding("ok", "replicas", f"{condition.replicas} are there.")
    if condition.write_errors:
        words = f"Its last write failed: {', '.join(condition.write_errors)}."
        yield Finding("fail", "persistence", words, "Look at its log and at its disk.")
    elif not condition.append_only:
        way_out = "appendonly yes, with appendfsync everysec: else a restart takes games with it."
        yield Finding("warn", "persistence", "There is no append-only file.", way_out)
    else:
        yield Finding("ok", "persistence", "It has an append-only file and can write it.")
    yield _memory(condition)
    if abs(condition.ahead) > _CLOCKS_APART:
        words = f"Its clock and ours are {abs(condition.ahead):.1f} s apart."
        yield Finding("warn", "clock", words, "Let both follow one time server (NTP).")
    else:
        yield Finding("ok", "clock", "Its clock and ours agree.")


def _memory(condition: ServerStatus) -> Finding:
    taken = condition.fraction
    if taken is None:
        way_out = "Set maxmemory and maxmemory-policy noeviction, before the machine swaps."
        return Finding("warn", "memory", "There is no limit.", way_out)
    words = f"{taken:.0%} of the limit are taken, the policy is {condition.policy}."
    if condition.policy != "noeviction":
        way_out = "maxmemory-policy noeviction: any other lets a full store drop games."
        return Finding("fail", "memory", words, way_out)
    if taken > _FILLING:
        level: Level = "fail" if taken > _NEARLY_FULL else "warn"
        way_out = "Raise maxmemory, add a server, or lower ASTERISM_GAME_TTL."
        return Finding(level, "memory", words, way_out)
    if condition.evicted:
        words = f"{condition.evicted} keys have been dropped since it started."
        return Finding("warn", "memory", words, "It had another policy: games may be gone.")
    return Finding("ok", "memory", words)


def _is_public(host: str) -> bool:
    """Whether strangers may reach an address; a name is taken at its word."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_unspecified or not (address.is_private or address.is_loopback)

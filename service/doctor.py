"""What is right and what is wrong with how the service is set up, each in words and a way out."""

import difflib
import ipaddress
import os
import shutil
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from service.config import (
    VARIABLES,
    data_folder,
    metrics_address,
    read_settings,
    secret,
    threads,
    whole_number,
)
from service.embedded import server_binary
from service.errors import SettingsError, StoreUnavailableError
from service.keys import SHORTEST_SERVER_KEY
from service.server import playing_options
from service.store.diagnostics import ServerStatus, diagnose

Level = Literal["ok", "warn", "fail"]

OLDEST = 7
"""The first release of Redis or Valkey that the service is tested on."""

_CLOCKS_APART = 2.0
_NEARLY_FULL, _FILLING = 0.9, 0.75
_LEAST_ROOM = 1 << 30
_OWN = {"REDIS_URL": "unix:///own", "ASTERISM_SERVER_KEY": "k" * SHORTEST_SERVER_KEY}


class Finding(NamedTuple):
    """What was found of one thing; `way_out` is empty where all is well."""

    level: Level
    about: str
    words: str
    way_out: str = ""


def examined(environ: Mapping[str, str]) -> Iterator[Finding]:
    """All that can be said of the set-up in `environ`, the settings first. Changes nothing."""
    yield from _settings(environ)
    yield from _secrets(environ)
    yield from _folder(environ)
    yield from _processes(environ)
    yield from _addresses(environ)
    yield from _store(environ)


def _settings(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Every fault there is: what is wrong is set aside, and the rest is read again."""
    left, sound = dict(environ), True
    for name, other in _OWN.items():
        if not (left.get(name) or left.get(f"{name}_FILE")):
            left[name] = other
    while True:
        try:
            read_settings(left)
            playing_options(left)
            metrics_address(left)
            break
        except SettingsError as error:
            sound = False
            named = [name for name in (*VARIABLES, *_OWN) if name in str(error) and left.get(name)]
            first, _, way_out = str(error).partition(". ")
            yield Finding("fail", "settings", first.removesuffix(".") + ".", way_out)
            if not named:
                return
            fault = max(named, key=len)
            left.pop(fault)
            left |= {name: other for name, other in _OWN.items() if fault in (name, f"{name}_FILE")}
    for name in sorted(environ):
        if name.startswith("ASTERISM_") and name not in VARIABLES:
            sound = False
            like = difflib.get_close_matches(name, VARIABLES, 1)
            way_out = f"Is it {like[0]} that is meant?" if like else "Unset it."
            yield Finding("warn", "settings", f"{name} is read by nobody.", way_out)
    if sound:
        yield Finding("ok", "settings", "All that is set can be read.")


def _secrets(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Where the server key is, and who else may read what is secret."""
    own = data_folder(environ) / "server.key"
    named = [environ.get(f"{name}_FILE") for name in ("ASTERISM_SERVER_KEY", "REDIS_URL")]
    named.append(environ.get("ASTERISM_FORMER_SERVER_KEYS_FILE"))
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
    if environ.get("ASTERISM_SERVER_KEY") or environ.get("ASTERISM_SERVER_KEY_FILE"):
        return
    if environ.get("REDIS_URL") or environ.get("REDIS_URL_FILE"):
        yield Finding(
            "warn",
            "secrets",
            f"The server key is that of this machine, {own}.",
            "Set ASTERISM_SERVER_KEY where several instances share a store: else each takes the "
            "play tokens of the others for wrong.",
        )
    elif not own.exists():
        yield Finding("ok", "secrets", "A server key will be made at the first start.")


def _folder(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether there is a place for the key, and for the store if it is the service's own."""
    folder = data_folder(environ)
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


def _processes(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether processes and threads suit the machine."""
    try:
        workers, each = whole_number(environ, "ASTERISM_WORKERS", 2, 1, 256), threads(environ)
    except SettingsError:
        return  # the settings have said so
    cores = os.cpu_count() or 1
    words = f"{workers} processes of {each} threads on {cores} cores."
    if workers > 4 * cores:
        way_out = "More than two processes a core take memory and gain nothing: ASTERISM_WORKERS."
        yield Finding("warn", "processes", words, way_out)
    elif each == 1:
        way_out = "One that waits for the store holds its process up: ASTERISM_THREADS=4."
        yield Finding("warn", "processes", words, way_out)
    else:
        yield Finding("ok", "processes", words)


def _addresses(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether events are told where connections are handed over, and metrics to no stranger."""
    path = environ.get("ASTERISM_STREAMS")
    if path and not _listens(path):
        way_out = "Start `asterism streams` with the same ASTERISM_STREAMS."
        yield Finding("fail", "events", f"Nobody listens at {path}.", way_out)
    elif path:
        yield Finding("ok", "events", f"Connections can be handed over at {path}.")
    try:
        metrics = metrics_address(environ)
    except SettingsError:
        return  # the settings have said so
    if metrics is not None and _is_public(metrics.host):
        way_out = "Set a loopback or private address, or let a firewall keep strangers out."
        yield Finding("warn", "metrics", f"{metrics.host} may be for everybody.", way_out)
    elif metrics is not None:
        yield Finding("ok", "metrics", f"Told at {metrics.host}, port {metrics.port}.")


def _store(environ: Mapping[str, str]) -> Iterator[Finding]:
    """The servers that keep the games."""
    try:
        url = secret(environ, "REDIS_URL")
        if not url:
            yield Finding("ok", "store", f"One of its own will be started: {server_binary()}.")
            return
        conditions = diagnose(url)
    except StoreUnavailableError as error:
        way_out = "Is REDIS_URL right, is the server up, does it let this machine and user in?"
        yield Finding("fail", "store", str(error).partition(" Try")[0], way_out)
        return
    except SettingsError as error:
        yield Finding("fail", "store", str(error))
        return
    wanted = environ.get("ASTERISM_REPLICAS", "").strip()
    for condition in conditions:
        yield from _of_server(condition, int(wanted) if wanted.isdigit() else 0)


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


def _listens(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(path)
        except OSError:
            return False
    return True


def _is_public(host: str) -> bool:
    """Whether strangers may reach an address; a name is taken at its word."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_unspecified or not (address.is_private or address.is_loopback)

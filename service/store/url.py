"""Reads REDIS_URL without loading redis-py, as settings are read before gevent patches sockets."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote

from service.errors import SettingsError

Kind = Literal["server", "cluster", "sentinel"]

_SCHEMES: Mapping[str, Kind] = {
    **dict.fromkeys(("redis", "rediss", "unix"), "server"),
    **dict.fromkeys(("redis+cluster", "rediss+cluster"), "cluster"),
    **dict.fromkeys(("redis+sentinel", "rediss+sentinel"), "sentinel"),
}
_URL = re.compile(r"([a-z+]*)://(?:([^/?#]*)@)?([^/?#]*)(/[^?#]*)?(?:\?([^#]*))?(#.*)?")
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.%]+)\]|([^\s:@\[\],]+))(?::([0-9]*))?")
_TLS_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_TLS_CHOICES: Mapping[str, Mapping[str, Any]] = {
    "ssl_cert_reqs": {"required": "required", "none": "none"},
    "ssl_check_hostname": {"true": True, "false": False},
}
"""What can be written for an option, and what redis-py takes for it; the first by default."""
_SENTINEL_LOGIN = {"sentinel_username": "username", "sentinel_password": "password"}


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """What REDIS_URL says; the options are keyword arguments of redis-py.

    `hosts` are names and ports; a port of 0 stands for the path of a Unix socket. `service` is the
    name by which sentinels know the servers that keep games; `sentinel_options` are for sentinels.
    """

    kind: Kind
    hosts: tuple[tuple[str, int], ...]
    options: Mapping[str, Any] = field(repr=False)
    service: str = ""
    sentinel_options: Mapping[str, Any] = field(default_factory=dict, repr=False)


def read_url(url: str) -> StoreAddress:
    """The address that `url` is; `SettingsError` says what is wrong with it, and no secret."""
    parts = _URL.fullmatch(url)
    if parts is None or parts[1] not in _SCHEMES:
        raise SettingsError(f"REDIS_URL must begin with {'://, '.join(_SCHEMES)}://.")
    scheme, login, places, path, query, fragment = parts.groups("")
    _require(not fragment, "has a # and something behind it")
    kind, path = _SCHEMES[scheme], unquote(path)
    encrypted, socket, guarded = scheme.startswith("rediss"), scheme == "unix", kind == "sentinel"
    known = {
        *((*_TLS_FILES, *_TLS_CHOICES) if encrypted else ()),
        *(_SENTINEL_LOGIN if guarded else ()),
        *(("db",) if socket else ()),
    }
    given = _query(query, known)
    tls = _tls_options(given) if encrypted else {}
    options = _login(login) | tls
    if kind == "cluster":
        _require(not path.strip("/"), "names a database, and a cluster has but one")
        return StoreAddress(kind, _hosts(places, 6379), options)
    if guarded:
        service, _, database = path.strip("/").partition("/")
        _require(service, "needs the name of the service that the sentinels watch: …/name")
        sentinel = {name: given[key] for key, name in _SENTINEL_LOGIN.items() if key in given}
        options |= _database(database)
        return StoreAddress(kind, _hosts(places, 26379), options, service, sentinel | tls)
    if socket:
        _require(not places and path.strip("/"), "needs the path of a socket")
        return StoreAddress(kind, ((path, 0),), options | _database(given.get("db", "")))
    hosts = _hosts(places, 6379)
    several = "names several servers: for those write redis+cluster:// or redis+sentinel://"
    _require(len(hosts) == 1, several)
    return StoreAddress(kind, hosts, options | _database(path.strip("/")))


def _hosts(places: str, default_port: int) -> tuple[tuple[str, int], ...]:
    return tuple(_host(place, default_port) for place in places.split(","))


def _host(place: str, default_port: int) -> tuple[str, int]:
    """Host and port; no part of the name may be longer than 63 letters, or resolvers refuse it."""
    v6, name, port = match.groups() if (match := _HOST.fullmatch(place)) else ("", "", "")
    host = v6 or name
    try:
        host.encode("idna")
    except UnicodeError:
        host = ""
    _require(host, "needs a host, or host:port")
    number = int((port or "")[:6] or default_port)
    _require(1 <= number <= 65535, "names a port outside 1 … 65535")
    return host, number


def _login(text: str) -> dict[str, Any]:
    username, colon, password = text.partition(":")
    _require(
        colon or not text, "names a user without a password: write user:password@ or :password@"
    )
    return {"username": unquote(username) or None, "password": unquote(password)} if text else {}


def _database(text: str) -> dict[str, Any]:
    _require(re.fullmatch("[0-9]{0,5}", text), "must end with the number of a database")
    return {"db": int(text or 0)}


def _query(query: str, known: set[str]) -> dict[str, str]:
    """What follows the question mark: names of `known`, none of them twice."""
    pairs = parse_qsl(query, keep_blank_values=True)
    found = dict(pairs)
    _require(found.keys() <= known, f"takes {', '.join(sorted(known)) or 'nothing'} behind the ?")
    _require(len(found) == len(pairs), "says something twice behind the ?")
    return found


def _tls_options(given: Mapping[str, str]) -> dict[str, Any]:
    options: dict[str, Any] = {name: given[name] for name in _TLS_FILES if name in given}
    for name, path in options.items():
        _require(Path(path).is_file(), f"names no file with {name}")
    for name, choices in _TLS_CHOICES.items():
        text = given.get(name, next(iter(choices)))
        _require(text in choices, f"takes {' or '.join(choices)} for {name}")
        options[name] = choices[text]
    return {**options, "ssl": True}


def _require(holds: object, fault: str) -> None:
    """Raises `SettingsError` unless it holds. No part of the URL is quoted: it may be secret."""
    if not holds:
        raise SettingsError(f"REDIS_URL {fault}. In its parts, write / ? # @ : , as %2F and so on.")

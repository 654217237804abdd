"""Reads REDIS_URL without loading redis-py, as settings are read before gevent patches sockets."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote

from service.errors import SettingsError

Kind = Literal["server", "cluster", "sentinel"]

SCHEMES: Mapping[str, Kind] = {
    **dict.fromkeys(("redis", "rediss", "unix"), "server"),
    **dict.fromkeys(("redis+cluster", "rediss+cluster"), "cluster"),
    **dict.fromkeys(("redis+sentinel", "rediss+sentinel"), "sentinel"),
}

_URL = re.compile(
    r"(?P<scheme>[a-z+]*)://(?:(?P<login>[^/?#]*)@)?(?P<hosts>[^/?#]*)"
    r"(?P<path>/[^?#]*)?(?:\?(?P<query>[^#]*))?(?P<fragment>#.*)?"
)
_HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\s:@\[\],]+))(?::(?P<port>[0-9]*))?")
_BOOLEANS = {"true": True, "false": False}
_TLS_FILES = {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile"}
_TLS = {*_TLS_FILES, "ssl_cert_reqs", "ssl_check_hostname"}
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


def check_url(url: str) -> None:
    """Raises `SettingsError` if `url` is not one that `read_url` takes."""
    read_url(url)


def read_url(url: str) -> StoreAddress:
    """The address that `url` is; `SettingsError` says what is wrong with it, and no secret."""
    parts = _URL.fullmatch(url)
    if parts is None or parts["scheme"] not in SCHEMES:
        raise SettingsError(f"REDIS_URL must begin with {'://, '.join(SCHEMES)}://.")
    _require(parts["fragment"] is None, "has a # and something behind it")
    scheme, kind = parts["scheme"], SCHEMES[parts["scheme"]]
    encrypted = scheme.startswith("rediss")
    known = {
        *(_TLS if encrypted else ()),
        *(_SENTINEL_LOGIN if kind == "sentinel" else ()),
        *(("db",) if scheme == "unix" else ()),
    }
    query = _query(parts["query"] or "", known)
    options = _login(parts["login"])
    path = unquote(parts["path"] or "")
    if scheme == "unix":
        _require(not parts["hosts"] and path not in {"", "/"}, "needs the path of a socket")
        return StoreAddress(kind, ((path, 0),), options | _database(query.get("db", "")))
    tls = _tls_options(query) if encrypted else {}
    options |= tls
    port = 26379 if kind == "sentinel" else 6379
    hosts = tuple(_host(text, port) for text in parts["hosts"].split(","))
    if kind == "cluster":
        _require(not path.strip("/"), "names a database, and a cluster has but one")
        return StoreAddress(kind, hosts, options)
    if kind == "sentinel":
        service, _, database = path.strip("/").partition("/")
        _require(service != "", "needs the name of the service that the sentinels watch: …/name")
        login = {name: query[key] for key, name in _SENTINEL_LOGIN.items() if key in query}
        return StoreAddress(kind, hosts, options | _database(database), service, login | tls)
    _require(
        len(hosts) == 1,
        "names several servers: for those write redis+cluster:// or redis+sentinel://",
    )
    return StoreAddress(kind, hosts, options | _database(path.strip("/")))


def _host(text: str, default_port: int) -> tuple[str, int]:
    """Host and port; no part of the name may be longer than 63 letters, or resolvers refuse it."""
    match = _HOST.fullmatch(text)
    host = "" if match is None else match["v6"] or match["host"]
    try:
        host.encode("idna")
    except UnicodeError:
        host = ""
    _require(match is not None and host != "", "needs a host, or host:port")
    assert match is not None
    port = int((match["port"] or "")[:6] or default_port)
    _require(1 <= port <= 65535, "names a port outside 1 … 65535")
    return host, port


def _login(text: str | None) -> dict[str, Any]:
    if not text:
        return {}
    username, colon, password = text.partition(":")
    _require(bool(colon), "names a user without a password: write user:password@ or :password@")
    return {"username": unquote(username) or None, "password": unquote(password)}


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


def _tls_options(query: Mapping[str, str]) -> dict[str, Any]:
    files = {name: query[name] for name in sorted(_TLS_FILES & query.keys())}
    for name, path in files.items():
        _require(Path(path).is_file(), f"names no file with {name}")
    certificates = query.get("ssl_cert_reqs", "required")
    _require(certificates in {"none", "required"}, "takes none or required for ssl_cert_reqs")
    check = query.get("ssl_check_hostname", "true")
    _require(check in _BOOLEANS, "takes true or false for ssl_check_hostname")
    return {
        **files,
        "ssl": True,
        "ssl_cert_reqs": certificates,
        "ssl_check_hostname": _BOOLEANS[check],
    }


def _require(holds: object, fault: str) -> None:
    """Raises `SettingsError` unless it holds. No part of the URL is quoted: it may be secret."""
    if not holds:
        raise SettingsError(f"REDIS_URL {fault}. In its parts, write / ? # @ : , as %2F and so on.")

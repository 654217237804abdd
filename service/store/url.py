"""What REDIS_URL says: where the store is, in redis-py's terms; without loading redis-py.

Whoever reads settings may be about to patch the modules that redis-py uses, as gevent does.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote

from service.errors import SettingsError

Kind = Literal["server", "cluster", "sentinel"]

SCHEMES = (
    *("redis://", "rediss://", "unix://"),
    *("redis+cluster://", "rediss+cluster://", "redis+sentinel://", "rediss+sentinel://"),
)

_PORTS: dict[Kind, int] = {"server": 6379, "cluster": 6379, "sentinel": 26379}
_URL = re.compile(
    r"(?P<scheme>[a-z+]*)://(?:(?P<login>[^/?#]*)@)?(?P<hosts>[^/?#]*)"
    r"(?P<path>/[^?#]*)?(?:\?(?P<query>[^#]*))?(?P<fragment>#.*)?"
)
_HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\s:@\[\],]+))(?::(?P<port>[0-9]*))?")
_BOOLEANS = {"true": True, "false": False}
_TLS_FILES = {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile"}
_TLS = {*_TLS_FILES, "ssl_cert_reqs", "ssl_check_hostname"}
_SENTINEL_LOGIN = {"sentinel_username", "sentinel_password"}


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """What REDIS_URL says; the options are keyword arguments of redis-py.

    `hosts` are names and ports, one without a port the path of a Unix socket. `service` is the
    name by which sentinels know the servers that keep games; `sentinel_options` are theirs.
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
    if parts is None or f"{parts['scheme']}://" not in SCHEMES:
        raise SettingsError(f"REDIS_URL must begin with {', '.join(SCHEMES)}.")
    _require(parts["fragment"] is None, "has a # and something behind it")
    scheme, _, way = parts["scheme"].partition("+")
    kind: Kind = "cluster" if way == "cluster" else "sentinel" if way else "server"
    query = _query(parts["query"] or "", scheme, kind)
    path = unquote(parts["path"] or "")
    options = _login(parts["login"])
    if scheme == "unix":
        _require(not parts["hosts"] and path not in {"", "/"}, "needs the path of a socket")
        options |= _database(query.get("db", ""))
        return StoreAddress(kind, ((path, 0),), options)
    tls = _tls_options(query) if scheme == "rediss" else {}
    hosts = tuple(_host(text, kind) for text in parts["hosts"].split(","))
    options |= tls
    service, slash, database = path.strip("/").partition("/")
    if kind == "cluster":
        _require(not service, "names a database, and a cluster has but one")
        return StoreAddress(kind, hosts, options)
    if kind == "sentinel":
        _require(service != "", "needs the name of the service that the sentinels watch: …/name")
        theirs = {
            name.removeprefix("sentinel_"): query[name] for name in _SENTINEL_LOGIN & query.keys()
        }
        return StoreAddress(kind, hosts, options | _database(database), service, {**theirs, **tls})
    _require(
        len(hosts) == 1,
        "names several servers: for those write redis+cluster:// or redis+sentinel://",
    )
    return StoreAddress(kind, hosts, options | _database(service + slash + database))


def _host(text: str, kind: Kind) -> tuple[str, int]:
    found = _HOST.fullmatch(text)
    _require(found is not None, "needs a host, or host:port")
    assert found is not None
    port = int((found["port"] or "")[:6] or _PORTS[kind])
    _require(1 <= port <= 65535, "names a port outside 1 … 65535")
    host = found["v6"] or found["host"]
    _require(_is_a_name(host), "needs a host, or host:port")
    return host, port


def _is_a_name(host: str) -> bool:
    """Whether resolvers can be asked for `host`: each of its parts has 1 to 63 letters."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


def _login(text: str | None) -> dict[str, Any]:
    if not text:
        return {}
    username, colon, password = text.partition(":")
    _require(bool(colon), "names a user without a password: write user:password@ or :password@")
    return {"username": unquote(username) or None, "password": unquote(password)}


def _database(text: str) -> dict[str, Any]:
    is_number = text == "" or (text.isascii() and text.isdigit() and len(text) < 6)
    _require(is_number, "must end with the number of a database")
    return {"db": int(text or 0)}


def _query(query: str, scheme: str, kind: Kind) -> dict[str, str]:
    """What follows the question mark; no name twice, and none that means nothing here."""
    known = {
        *(_TLS if scheme == "rediss" else ()),
        *(_SENTINEL_LOGIN if kind == "sentinel" else ()),
        *(("db",) if scheme == "unix" else ()),
    }
    pairs = parse_qsl(query, keep_blank_values=True)
    for name, _ in pairs:
        _require(name in known, f"takes {', '.join(sorted(known)) or 'nothing'} behind the ?")
    found = dict(pairs)
    _require(len(found) == len(pairs), "says something twice behind the ?")
    return found


def _tls_options(query: Mapping[str, str]) -> dict[str, Any]:
    for name in sorted(_TLS_FILES & query.keys()):
        _require(Path(query[name]).is_file(), f"names no file with {name}")
    reqs = query.get("ssl_cert_reqs", "required")
    _require(reqs in {"none", "required"}, "takes none or required for ssl_cert_reqs")
    check = query.get("ssl_check_hostname", "true")
    _require(check in _BOOLEANS, "takes true or false for ssl_check_hostname")
    files = {name: query[name] for name in _TLS_FILES & query.keys()}
    return {**files, "ssl": True, "ssl_cert_reqs": reqs, "ssl_check_hostname": _BOOLEANS[check]}


def _require(holds: bool, fault: str) -> None:
    """Raises `SettingsError` unless it holds. No part of the URL is quoted: it may be secret."""
    if not holds:
        raise SettingsError(f"REDIS_URL {fault}. In its parts, write / ? # @ : , as %2F and so on.")

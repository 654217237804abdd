"""What REDIS_URL says: where the store is, and how it lets the service in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple
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
    r"(?P<path>/[^?#]*)?(?:\?(?P<query>[^#]*))?(?P<rest>#.*)?"
)
_HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\s:@\[\],]+))(?::(?P<port>[0-9]*))?")
_TRUTH = {"true": True, "false": False}
_TLS = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs"})
_FILES = _TLS - {"ssl_cert_reqs"}
_SENTINEL_LOGIN = frozenset({"sentinel_username", "sentinel_password"})


class Server(NamedTuple):
    """A server by host and port. A host that begins with a slash is the path of a Unix socket."""

    host: str
    port: int = 0


@dataclass(frozen=True, slots=True)
class Login:
    """What a connection begins with; `tls` are the options of redis-py for it, None without."""

    username: str | None = None
    password: str | None = field(default=None, repr=False)
    db: int = 0
    tls: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """Where the store is: the servers to begin at, which keep games or know those that do.

    `service` is the name under which sentinels know the servers that keep games;
    `sentinel_login` is theirs.
    """

    kind: Kind
    servers: tuple[Server, ...]
    login: Login
    service: str = ""
    sentinel_login: Login = field(default_factory=Login)


def read_address(url: str) -> StoreAddress:
    """The address that `url` is; `SettingsError` names what is wrong with it, and no secret."""
    parts = _URL.fullmatch(url)
    if parts is None or f"{parts['scheme']}://" not in SCHEMES:
        raise SettingsError(f"REDIS_URL must begin with {', '.join(SCHEMES)}.")
    _require(parts["rest"] is None, "has a # that stands for nothing")
    scheme, _, way = parts["scheme"].partition("+")
    kind: Kind = "cluster" if way == "cluster" else "sentinel" if way else "server"
    options = _options(parts["query"] or "", scheme, kind)
    path = unquote(parts["path"] or "")
    username, password = _name_and_password(parts["login"])
    if scheme == "unix":
        _require(not parts["hosts"] and path not in {"", "/"}, "needs the path of a socket")
        login = Login(username, password, _database(options.get("db", "")))
        return StoreAddress(kind, (Server(path),), login)
    service, database = path.strip("/"), ""
    if kind == "sentinel":
        service, _, database = service.partition("/")
        _require(service != "", "needs the name of the service that the sentinels watch: …/name")
    elif kind == "cluster":
        _require(service == "", "names a database, and a cluster has but one")
    else:
        service, database = "", service
    tls = _tls_options(options) if scheme == "rediss" else None
    return StoreAddress(
        kind,
        _servers(parts["hosts"], kind),
        Login(username, password, _database(database), tls),
        service,
        Login(options.get("sentinel_username"), options.get("sentinel_password"), tls=tls),
    )


def _servers(hosts: str, kind: Kind) -> tuple[Server, ...]:
    servers = []
    for text in hosts.split(","):
        found = _HOST.fullmatch(text)
        _require(found is not None, "needs a host, or host:port")
        assert found is not None
        port = int((found["port"] or "")[:6] or _PORTS[kind])
        _require(1 <= port <= 65535, "names a port outside 1 … 65535")
        host = found["v6"] or found["host"]
        _require(_is_a_name(host), "needs a host, or host:port")
        servers.append(Server(host, port))
    _require(
        kind != "server" or len(servers) == 1,
        "names several servers: for those write redis+cluster:// or redis+sentinel://",
    )
    return tuple(servers)


def _is_a_name(host: str) -> bool:
    """Whether resolvers can be asked for `host`: each of its parts has 1 to 63 letters."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


def _name_and_password(login: str | None) -> tuple[str | None, str | None]:
    if not login:
        return None, None
    username, colon, password = login.partition(":")
    _require(bool(colon), "names a user without a password: write user:password@ or :password@")
    return unquote(username) or None, unquote(password)


def _database(text: str) -> int:
    is_number = text == "" or (text.isascii() and text.isdigit() and len(text) < 6)
    _require(is_number, "must end with the number of a database")
    return int(text or 0)


def _options(query: str, scheme: str, kind: Kind) -> dict[str, str]:
    """What stands behind the question mark; no name twice, and none that means nothing here."""
    known = {
        *(_TLS if scheme == "rediss" else ()),
        *(_SENTINEL_LOGIN if kind == "sentinel" else ()),
        *(("db",) if scheme == "unix" else ()),
        *(("ssl_check_hostname",) if scheme == "rediss" else ()),
    }
    pairs = parse_qsl(query, keep_blank_values=True)
    for name, _ in pairs:
        _require(name in known, f"takes {', '.join(sorted(known)) or 'nothing'} behind the ?")
    options = dict(pairs)
    _require(len(options) == len(pairs), "says something twice behind the ?")
    return options


def _tls_options(options: Mapping[str, str]) -> dict[str, Any]:
    tls: dict[str, Any] = {name: options[name] for name in _TLS & options.keys()}
    for name in sorted(_FILES & tls.keys()):
        _require(Path(tls[name]).is_file(), f"names no file with {name}")
    reqs = tls.get("ssl_cert_reqs", "required")
    _require(reqs in {"none", "required"}, "takes none or required for ssl_cert_reqs")
    check = options.get("ssl_check_hostname", "true")
    _require(check in _TRUTH, "takes true or false for ssl_check_hostname")
    return {**tls, "ssl_check_hostname": _TRUTH[check]}


def _require(holds: bool, fault: str) -> None:
    """Raises `SettingsError` unless it holds. No part of the URL is quoted: it may be secret."""
    if not holds:
        raise SettingsError(f"REDIS_URL {fault}. In its parts, write / ? # @ : , as %2F and so on.")

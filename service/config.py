"""Settings, read from the environment once and checked at the start."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from environs import Env, EnvError, EnvValidationError

from service.deals.daily import parse_day
from service.errors import DayTextError, SettingsError
from service.play.keys import SHORTEST_SERVER_KEY, FormerKey, ServerKey
from service.play.watcher_slots import DEFAULT_WATCHER_LIMITS, WatcherLimits
from service.store.url import check_url

_DAY = 24 * 60 * 60
_MOST = 100_000

DEFAULT_LIMITS: Mapping[str, int] = {
    "creation": 1_200,
    "moves": 60_000,
    "hints": 1_200,
    "referee": 600,
    "streams": 6_000,
    "reads": 60_000,
    "game-moves": 6_000,
    "game-hints": 600,
}
"""Requests a minute by limit. Those of a game count by play token, all others by address."""

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable, prometheus-client's own, that names the folder in which workers count."""

TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""The variable, OpenTelemetry's own, that says where traces go; without it there are none."""

LogForm = Literal["json", "text"]


class Address(NamedTuple):
    """Where to listen."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


DEFAULT_ADDRESS = Address("127.0.0.1", 8000)


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator can set. Times in seconds, sizes in bytes."""

    server_key: ServerKey
    redis_url: str
    replicas: int = 0
    game_ttl: int = 30 * _DAY
    body_limit: int = 64 * 1024
    public_url: str | None = None
    room: WatcherLimits = DEFAULT_WATCHER_LIMITS
    searches: int = 2
    proxies: int = 0
    limits: Mapping[str, int] = field(default_factory=lambda: DEFAULT_LIMITS)
    """Requests a minute by the name of the limit; those that are missing are off."""
    log: LogForm | None = None
    traces: bool = False
    listen: Address = DEFAULT_ADDRESS
    metrics: Address | None = None
    workers: int = 2
    drain: int = 0


VARIABLES: dict[str, str] = {
    "REDIS_URL": "where the store is, see the README  [an embedded store]",
    "ASTERISM_REPLICAS": "replicas that a write waits for  [0]",
    "ASTERISM_SERVER_KEY": "32 secret characters or more  [kept in the data folder]",
    "ASTERISM_FORMER_SERVER_KEYS": "keys that came before, a line each: key@last-day  [none]",
    "REDIS_URL_FILE": "a file to read REDIS_URL from",
    "ASTERISM_SERVER_KEY_FILE": "a file to read ASTERISM_SERVER_KEY from",
    "ASTERISM_FORMER_SERVER_KEYS_FILE": "a file to read ASTERISM_FORMER_SERVER_KEYS from",
    "ASTERISM_DATA": "the data folder  [~/.local/share/asterism]",
    "ASTERISM_GAME_TTL": "seconds an untouched game is kept  [2592000]",
    "ASTERISM_PUBLIC_URL": "where clients reach the service, behind a proxy",
    "ASTERISM_PROXIES": "how many proxies stand before it, each adding to X-Forwarded-For  [0]",
    "ASTERISM_LIMITS": "off, or limits that differ, such as: creation=60 hints=off  [see README]",
    "HOST": "the address to listen on  [127.0.0.1]",
    "PORT": "the port to listen on  [8000]",
    "ASTERISM_WORKERS": "worker processes  [2]",
    "ASTERISM_SEARCHES": "hints, rulings and searches at once in a worker  [2]",
    "ASTERISM_WATCHERS": "watchers at once in a worker  [2000]",
    "ASTERISM_WATCHERS_PER_ADDRESS": "watchers from one address in a worker  [100]",
    "ASTERISM_WATCHERS_PER_GAME": "watchers of one game in a worker  [1000]",
    "ASTERISM_DRAIN": "seconds from a SIGTERM, which ends readiness, to the stop  [0]",
    "ASTERISM_LOG": "json or text: a line a request on the standard error  [off]",
    "ASTERISM_METRICS": "host:port that shows metrics, not for the public  [none]",
    TRACES_ENDPOINT: "where traces go, for asterism[otel]  [nowhere]",
}
"""Every variable that is read, what it sets, and in brackets what holds without it."""


def read_settings(*, redis_url: str = "", server_key: str = "") -> Settings:
    """The settings in the environment; the arguments stand in where it names no store and no key.

    Raises `SettingsError`, which tells every fault at once, each with its variable.
    """
    env = Env(eager=False)
    for name, parser in _PARSERS.items():
        env.add_parser(name, parser)

    def number(name: str, default: int, least: int, most: int) -> Any:
        return env.number(name, "", unset=default, least=least, most=most)

    def secret(name: str, parser: Any, stand_in: str = "") -> Any:
        return parser(name, "", in_file=env.file(f"{name}_FILE", ""), stand_in=stand_in)

    former = secret("ASTERISM_FORMER_SERVER_KEYS", env.former_keys)
    key = secret("ASTERISM_SERVER_KEY", env.server_key, server_key)
    values: dict[str, Any] = {
        "redis_url": secret("REDIS_URL", env.redis_url, redis_url),
        "replicas": number("ASTERISM_REPLICAS", 0, 0, 10),
        "game_ttl": number("ASTERISM_GAME_TTL", 30 * _DAY, 60, 10 * 365 * _DAY),
        "public_url": env.public_url("ASTERISM_PUBLIC_URL", ""),
        "room": WatcherLimits(
            number("ASTERISM_WATCHERS", DEFAULT_WATCHER_LIMITS.total, 1, _MOST),
            number("ASTERISM_WATCHERS_PER_ADDRESS", DEFAULT_WATCHER_LIMITS.an_address, 1, _MOST),
            number("ASTERISM_WATCHERS_PER_GAME", DEFAULT_WATCHER_LIMITS.a_game, 1, _MOST),
        ),
        "searches": number("ASTERISM_SEARCHES", 2, 1, 64),
        "proxies": number("ASTERISM_PROXIES", 0, 0, 16),
        "limits": env.quotas("ASTERISM_LIMITS", ""),
        "log": env.log_form("ASTERISM_LOG", ""),
        "traces": bool(env.str(TRACES_ENDPOINT, "")),
        "listen": Address(env.str("HOST", "") or "127.0.0.1", number("PORT", 8000, 1, 65535)),
        "metrics": env.address("ASTERISM_METRICS", ""),
        "workers": number("ASTERISM_WORKERS", 2, 1, 256),
        "drain": number("ASTERISM_DRAIN", 0, 0, 600),
    }
    try:
        env.seal()
    except EnvValidationError as error:
        faults = dict(error.error_messages)  # type: ignore[arg-type]  # by variable, from seal()
        raise SettingsError(*(f"{name} {'; '.join(faults[name])}" for name in faults)) from None
    if values["metrics"] and values["metrics"].port == values["listen"].port:
        raise SettingsError("ASTERISM_METRICS must have another port than PORT.")
    return Settings(server_key=ServerKey(key.encode(), former), **values)


def is_set(name: str) -> bool:
    """Whether the environment gives a secret, itself or by the name of a file."""
    return bool(os.environ.get(name) or os.environ.get(f"{name}_FILE"))


def data_folder() -> Path:
    """The data folder that the environment names, or the user's own for Asterism."""
    if os.environ.get("ASTERISM_DATA"):
        return Path(os.environ["ASTERISM_DATA"]).absolute()
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "asterism"


def _number(text: str, *, least: int, most: int, unset: int | None = None) -> int:
    """A whole number; `unset` where there is none."""
    digits = text.strip() or str(unset)
    is_number = digits.isascii() and digits.isdigit() and len(digits) < 12
    if not (is_number and least <= int(digits) <= most):
        raise EnvError(f"must be a whole number from {least} to {most}, not {text!r}.")
    return int(digits)


def _file(path: str) -> str:
    """What a file with a secret holds."""
    if not path:
        return ""
    try:
        text = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise EnvError(f"names {path}, which cannot be read: {why}.") from None
    if not text:
        raise EnvError(f"names {path}, which is empty.")
    return text


def _secret(parse: Callable[[str], Any]) -> Callable[..., Any]:
    """A parser of what may also stand in a file.

    `in_file` is what that holds, None if it is faulty; `stand_in` holds where neither is set.
    """

    def parser(text: str, *, in_file: str | None, stand_in: str) -> Any:
        if in_file is None:
            return None
        if in_file and text:
            raise EnvError("is set, and so is the variable that names a file: set one.")
        return parse(text or in_file or stand_in)

    return parser


def _redis_url(text: str) -> str:
    if not text:
        raise EnvError("must say where the store is; `asterism serve` brings one of its own.")
    try:
        check_url(text)
    except SettingsError as error:
        raise EnvError(str(error).removeprefix("REDIS_URL ")) from None
    return text


def _server_key(text: str) -> str:
    if len(text) < SHORTEST_SERVER_KEY:
        raise EnvError(
            f"must have {SHORTEST_SERVER_KEY} characters or more, chosen at random, for example "
            "by: openssl rand -hex 32"
        )
    return text


def _former_keys(text: str) -> tuple[FormerKey, ...]:
    """Server keys that came before, one a line: the key, `@`, and its last day."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        key, _, day = line.strip().rpartition("@")
        try:
            found.append(FormerKey(ServerKey(key.encode()), parse_day(day)))
        except DayTextError:
            key = ""
        if len(key) < SHORTEST_SERVER_KEY:  # what is wrong with it is not shown: it is a secret
            raise EnvError(
                f"needs in line {number} a key of {SHORTEST_SERVER_KEY} characters or more, an @, "
                "and the last day whose daily deals it deals, such as 2026-11-30."
            )
    return tuple(found)


def _public_url(text: str) -> str | None:
    if text and not text.startswith(("http://", "https://")):
        raise EnvError("must begin with http:// or https://.")
    return text.rstrip("/") or None


def _quotas(text: str) -> dict[str, int]:
    """Requests a minute by the name of the limit, less those that are off."""
    if text.strip() == "off":
        return {}
    quotas = dict(DEFAULT_LIMITS)
    for word in text.replace(",", " ").split():
        name, _, quota = word.partition("=")
        if name not in DEFAULT_LIMITS:
            raise EnvError(
                f"must be off, or set some of {', '.join(DEFAULT_LIMITS)} to requests a minute, "
                f"such as creation=60 hints=off; not {word!r}."
            )
        if quota == "off":
            quotas.pop(name, None)
        else:
            quotas[name] = _number(quota, least=1, most=10**9)
    return quotas


def _log_form(text: str) -> LogForm | None:
    match text.strip():
        case "json" | "text" as form:
            return form
        case "" | "off":
            return None
        case other:
            raise EnvError(f"must be json, text or off, not {other!r}.")


def _address(text: str) -> Address | None:
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise EnvError(f"must be host:port, such as 127.0.0.1:9464, not {text!r}.")
    return Address(host.removeprefix("[").removesuffix("]"), int(port))


_PARSERS: Mapping[str, Callable[..., Any]] = {
    "number": _number,
    "file": _file,
    "redis_url": _secret(_redis_url),
    "server_key": _secret(_server_key),
    "former_keys": _secret(_former_keys),
    "public_url": _public_url,
    "quotas": _quotas,
    "log_form": _log_form,
    "address": _address,
}
"""What the texts of variables mean; each parser raises environs' `EnvError`."""

"""Settings: read from environment variables once, and validated all together."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from environs import Env, EnvError, EnvValidationError

from service.deals.daily import parse_day
from service.errors import InputError, SettingsError
from service.play.keys import SHORTEST_SERVER_KEY, FormerKey, ServerKey
from service.play.watcher_slots import DEFAULT_WATCHER_LIMITS as _WATCHERS
from service.play.watcher_slots import WatcherLimits
from service.store.url import read_url

_DAY = 24 * 60 * 60

DEFAULT_LIMITS: Mapping[str, int] = {
    "creation": 1_200,
    "moves": 60_000,
    "hints": 12_000,
    "referee": 600,
    "streams": 6_000,
    "reads": 60_000,
    "game-moves": 6_000,
    "game-hints": 1_200,
}
"""Requests per minute by rate limit. Those of a game count by play token, others by address.

Fifty games played by hints in a minute, from one address, stay below all of them.
"""

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""prometheus-client's variable for the folder in which worker processes keep their counters."""

TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""OpenTelemetry's variable for where traces go; without it there are none."""

LogForm = Literal["json", "text"]
Parser = Callable[[str], Any]

_ORIGIN = re.compile(
    r"(?P<url>https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>\d{1,5}))?)/?", re.ASCII
)


class Address(NamedTuple):
    """Where to listen."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


# Parsers of a variable's text; each raises `EnvError`, whose text completes "VARIABLE …".


def _whole(least: int, most: int) -> Parser:
    """A parser of whole numbers from `least` to `most`."""

    def parse(text: str) -> int:
        is_number = text.isascii() and text.isdigit() and len(text) < 12
        if not (is_number and least <= int(text) <= most):
            raise EnvError(f"must be a whole number from {least} to {most}, not {text!r}.")
        return int(text)

    return parse


_COUNT = _whole(1, 100_000)


def _server_key(text: str) -> bytes:
    if len(text) < SHORTEST_SERVER_KEY:
        raise EnvError(
            f"must have {SHORTEST_SERVER_KEY} characters or more, chosen at random, for example "
            "by: openssl rand -hex 32"
        )
    return text.encode()


def _former_keys(text: str) -> tuple[FormerKey, ...]:
    """Previous server keys, one per line: the key, `@`, and its last day."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        key, _, day = line.strip().rpartition("@")
        try:
            found.append(FormerKey(ServerKey(key.encode()), parse_day(day)))
        except InputError:
            key = ""
        if len(key) < SHORTEST_SERVER_KEY:  # the line is not shown: it is a secret
            raise EnvError(
                f"needs in line {number} a key of {SHORTEST_SERVER_KEY} characters or more, an @, "
                "and the last day whose daily deals are derived from it, such as 2026-11-30."
            )
    return tuple(found)


def _redis_url(text: str) -> str:
    if not text:
        raise EnvError("must be set; only `asterism serve` and `sweep` have an embedded store.")
    try:
        read_url(text)
    except SettingsError as error:
        raise EnvError(str(error).removeprefix("REDIS_URL ")) from None
    return text


def _public_url(text: str) -> str:
    origin = _ORIGIN.fullmatch(text.lower())
    if origin is None or not 0 < int(origin["port"] or 80) < 65536:
        raise EnvError(
            f"must be an origin such as https://games.example, not {text!r}: scheme, host and, if "
            "it is not the usual one, port. The service cannot be served under a path: give it a "
            "host name of its own."
        )
    return origin["url"]


def _limits(text: str) -> Mapping[str, int]:
    """The limits that are on, from a text such as `creation=60 hints=off`."""
    if text == "off":
        return {}
    limits = dict(DEFAULT_LIMITS)
    for word in text.replace(",", " ").split():
        name, _, most = word.partition("=")
        if name not in DEFAULT_LIMITS:
            raise EnvError(
                f"must be off, or set some of {', '.join(DEFAULT_LIMITS)} to requests a minute, "
                f"such as creation=60 hints=off; not {word!r}."
            )
        if most == "off":
            limits.pop(name, None)
        else:
            limits[name] = _whole(1, 10**9)(most)
    return limits


def _log_form(text: str) -> str | None:
    if text not in {"json", "text", "off"}:
        raise EnvError(f"must be json, text or off, not {text!r}.")
    return None if text == "off" else text


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise EnvError(f"must be host:port, such as 127.0.0.1:9464, not {text!r}.")
    return Address(host.removeprefix("[").removesuffix("]"), int(port))


def _setting(default: Any, parse: Parser, meaning: str, variable: str = "") -> Any:
    """A field that is set by `variable`, or else by ASTERISM_ and its own name in capitals."""
    shown = "" if isinstance(default, Mapping) else f"  [{'none' if default is None else default}]"
    metadata = {"parse": parse, "meaning": meaning + shown, "variable": variable}
    return field(default_factory=lambda: default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator can set. Times in seconds, sizes in bytes."""

    server_key: ServerKey
    redis_url: str
    replicas: int = _setting(0, _whole(0, 10), "replicas that must have a write")
    game_ttl: int = _setting(
        30 * _DAY, _whole(60, 3650 * _DAY), "seconds an untouched game is kept"
    )
    body_limit: int = 256 * 1024
    """Holds the longest replay, also with one move a line."""
    public_url: str | None = _setting(None, _public_url, "the URL that clients use, behind a proxy")
    proxies: int = _setting(0, _whole(0, 16), "proxies in front, each adding to X-Forwarded-For")
    limits: Mapping[str, int] = _setting(
        DEFAULT_LIMITS, _limits, "off, or rate limits that differ, such as: creation=60 hints=off"
    )
    """Requests per minute by rate limit; those that are missing are off."""
    host: str = _setting("127.0.0.1", str, "the address to listen on", "HOST")
    port: int = _setting(8000, _whole(1, 65535), "the port to listen on", "PORT")
    workers: int = _setting(2, _whole(1, 256), "worker processes")
    searches: int = _setting(2, _whole(1, 64), "concurrent hints and searches in a worker")
    watchers: int = _setting(_WATCHERS.total, _COUNT, "watchers of a worker")
    watchers_per_address: int = _setting(_WATCHERS.an_address, _COUNT, "those from one address")
    watchers_per_game: int = _setting(_WATCHERS.a_game, _COUNT, "those of one game")
    drain: int = _setting(0, _whole(0, 600), "seconds from SIGTERM, which ends readiness, to exit")
    log: LogForm | None = _setting(None, _log_form, "json or text: a line per request on stderr")  # noqa: RUF009 - a field
    metrics: Address | None = _setting(None, _address, "host:port for metrics, never public")  # noqa: RUF009
    traces: bool = False

    @property
    def listen(self) -> Address:
        """Where the service listens."""
        return Address(self.host, self.port)

    @property
    def watcher_limits(self) -> WatcherLimits:
        """How many may watch at once, per worker."""
        return WatcherLimits(self.watchers, self.watchers_per_address, self.watchers_per_game)


SECRETS: Mapping[str, tuple[Parser, str]] = {
    "REDIS_URL": (_redis_url, "the store, see deploy/OPERATING.md  [an embedded one]"),
    "ASTERISM_SERVER_KEY": (_server_key, "32 secret characters or more  [kept in the data folder]"),
    "ASTERISM_FORMER_SERVER_KEYS": (_former_keys, "previous keys, one a line: key@last-day"),
}
"""Variables that may be read from a file: how their text is read, and what they set."""

_FIELDS = {
    field.metadata["variable"] or f"ASTERISM_{field.name.upper()}": field
    for field in fields(Settings)
    if field.metadata
}

VARIABLES: Mapping[str, str] = {
    **{name: meaning for name, (_, meaning) in SECRETS.items()},
    **{f"{name}_FILE": f"a file to read {name} from" for name in SECRETS},
    "ASTERISM_DATA": "the data folder  [~/.local/share/asterism]",
    **{name: field.metadata["meaning"] for name, field in _FIELDS.items()},
    TRACES_ENDPOINT: "where traces go, for asterism[otel]  [nowhere]",
}
"""Every variable that is read: what it sets, and in brackets what holds without it."""


def read_settings(*, redis_url: str = "", server_key: str = "") -> Settings:
    """The settings in the environment; the arguments are used if it has no store or no key.

    Raises `SettingsError` with all errors at once, each with its variable.
    """
    env = Env(eager=False)
    env.add_parser("secret", _secret)
    env.add_parser("plain", lambda text, *, parse: parse(text.strip()) if text.strip() else None)
    given = {"REDIS_URL": redis_url, "ASTERISM_SERVER_KEY": server_key}
    url, key, former = (
        env.secret(name, "", variable=name, parse=parse, fallback=given.get(name, ""))
        for name, (parse, _) in SECRETS.items()
    )
    plain = {
        field.name: env.plain(name, "", parse=field.metadata["parse"])
        for name, field in _FIELDS.items()
    }
    traces = bool(env.str(TRACES_ENDPOINT, ""))
    try:
        env.seal()
    except EnvValidationError as error:
        faults = dict(error.error_messages)  # type: ignore[arg-type]  # by variable, from seal()
        raise SettingsError(*(f"{name} {'; '.join(faults[name])}" for name in faults)) from None
    differing = {name: value for name, value in plain.items() if value is not None}
    settings = Settings(ServerKey(key, former), url, traces=traces, **differing)
    if settings.metrics is not None and settings.metrics.port == settings.port:
        raise SettingsError("ASTERISM_METRICS must have another port than PORT.")
    return settings


def _secret(text: str, *, variable: str, parse: Parser, fallback: str) -> Any:
    """A secret from the environment, else from the file that is named, else `fallback`."""
    path = os.environ.get(f"{variable}_FILE")
    if path and text:
        raise EnvError(f"is set, and so is {variable}_FILE: set one of them.")
    if path:
        try:
            text = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            raise EnvError(f"cannot be read from its file {path}: {why}.") from None
        if not text:
            raise EnvError(f"cannot be read from its file {path}, which is empty.")
    return parse(text or fallback)


def is_set(name: str) -> bool:
    """Whether the environment has a secret, or names a file with it."""
    return bool(os.environ.get(name) or os.environ.get(f"{name}_FILE"))


def data_folder() -> Path:
    """The data folder: where the embedded store and the server key are kept."""
    if os.environ.get("ASTERISM_DATA"):
        return Path(os.environ["ASTERISM_DATA"]).absolute()
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "asterism"

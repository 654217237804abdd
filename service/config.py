"""Settings: read from environment variables once, and validated all together."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from environs import Env, EnvError, EnvValidationError

from service.deals.daily import parse_day
from service.errors import InputError, SettingsError
from service.play.keys import SHORTEST_SERVER_KEY, FormerKey, ServerKey
from service.play.watcher_slots import DEFAULT_WATCHER_LIMITS, WatcherLimits
from service.store.url import check_url

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


class Address(NamedTuple):
    """Where to listen."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator can set. Times in seconds, sizes in bytes.

    A field is set by the variable of the same name: `game_ttl` by `ASTERISM_GAME_TTL`.
    """

    server_key: ServerKey
    redis_url: str
    replicas: int = 0
    game_ttl: int = 30 * _DAY
    body_limit: int = 256 * 1024
    """Holds the longest replay, also with one move a line."""
    public_url: str | None = None
    proxies: int = 0
    limits: Mapping[str, int] = field(default_factory=lambda: DEFAULT_LIMITS)
    """Requests per minute by rate limit; those that are missing are off."""
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 2
    searches: int = 2
    watchers: int = DEFAULT_WATCHER_LIMITS.total
    watchers_per_address: int = DEFAULT_WATCHER_LIMITS.an_address
    watchers_per_game: int = DEFAULT_WATCHER_LIMITS.a_game
    drain: int = 0
    log: LogForm | None = None
    metrics: Address | None = None
    traces: bool = False

    @property
    def listen(self) -> Address:
        """Where the service listens."""
        return Address(self.host, self.port)

    @property
    def watcher_limits(self) -> WatcherLimits:
        """How many may watch at once, per worker."""
        return WatcherLimits(self.watchers, self.watchers_per_address, self.watchers_per_game)


# Parsers of a variable's text; each raises `EnvError`, whose text completes "VARIABLE …".


def _whole(least: int, most: int) -> Callable[[str], int]:
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
        check_url(text)
    except SettingsError as error:
        raise EnvError(str(error).removeprefix("REDIS_URL ")) from None
    return text


def _public_url(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise EnvError("must begin with http:// or https://.")
    return text.rstrip("/")


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


Parser = Callable[[str], Any]

SECRETS: Mapping[str, tuple[Parser, str]] = {
    "REDIS_URL": (_redis_url, "the store, see deploy/OPERATING.md  [an embedded one]"),
    "ASTERISM_SERVER_KEY": (_server_key, "32 secret characters or more  [kept in the data folder]"),
    "ASTERISM_FORMER_SERVER_KEYS": (_former_keys, "previous keys, one a line: key@last-day"),
}
"""Variables that may be read from a file: how their text is read, and what they set."""

_PLAIN: Mapping[str, tuple[Parser, str]] = {
    "ASTERISM_REPLICAS": (_whole(0, 10), "replicas that must have a write  [0]"),
    "ASTERISM_GAME_TTL": (_whole(60, 3650 * _DAY), "seconds an untouched game is kept  [2592000]"),
    "ASTERISM_PUBLIC_URL": (_public_url, "the URL that clients use, behind a proxy"),
    "ASTERISM_PROXIES": (_whole(0, 16), "proxies in front, each adding to X-Forwarded-For  [0]"),
    "ASTERISM_LIMITS": (_limits, "off, or rate limits that differ, such as: creation=60 hints=off"),
    "HOST": (str, "the address to listen on  [127.0.0.1]"),
    "PORT": (_whole(1, 65535), "the port to listen on  [8000]"),
    "ASTERISM_WORKERS": (_whole(1, 256), "worker processes  [2]"),
    "ASTERISM_SEARCHES": (_whole(1, 64), "concurrent hints and searches in a worker  [2]"),
    "ASTERISM_WATCHERS": (_COUNT, "watchers of a worker  [2000]"),
    "ASTERISM_WATCHERS_PER_ADDRESS": (_COUNT, "those from one address  [100]"),
    "ASTERISM_WATCHERS_PER_GAME": (_COUNT, "those of one game  [1000]"),
    "ASTERISM_DRAIN": (_whole(0, 600), "seconds from SIGTERM, which ends readiness, to exit  [0]"),
    "ASTERISM_LOG": (_log_form, "json or text: a line per request on standard error  [off]"),
    "ASTERISM_METRICS": (_address, "host:port that serves metrics, not for the public  [none]"),
}

VARIABLES: Mapping[str, str] = {
    **{name: meaning for name, (_, meaning) in SECRETS.items()},
    **{f"{name}_FILE": f"a file to read {name} from" for name in SECRETS},
    "ASTERISM_DATA": "the data folder  [~/.local/share/asterism]",
    **{name: meaning for name, (_, meaning) in _PLAIN.items()},
    TRACES_ENDPOINT: "where traces go, for asterism[otel]  [nowhere]",
}
"""Every variable that is read: what it sets, and in brackets what holds without it."""


def read_settings(*, redis_url: str = "", server_key: str = "") -> Settings:
    """The settings in the environment; the arguments are used if it has no store or no key.

    Raises `SettingsError` with all errors at once, each with its variable.
    """
    env = Env(eager=False)
    env.add_parser("plain", lambda text, *, parse: parse(text.strip()) if text.strip() else None)
    env.add_parser("file", _read_file)
    env.add_parser("secret", _secret)

    def secret(name: str, fallback: str) -> Any:
        in_file = env.file(f"{name}_FILE", "")
        return env.secret(name, "", in_file=in_file, parse=SECRETS[name][0], fallback=fallback)

    url = secret("REDIS_URL", redis_url)
    key = secret("ASTERISM_SERVER_KEY", server_key)
    former = secret("ASTERISM_FORMER_SERVER_KEYS", "")
    plain = {name: env.plain(name, "", parse=parse) for name, (parse, _) in _PLAIN.items()}
    traces = bool(env.str(TRACES_ENDPOINT, ""))
    try:
        env.seal()
    except EnvValidationError as error:
        faults = dict(error.error_messages)  # type: ignore[arg-type]  # by variable, from seal()
        raise SettingsError(*(f"{name} {'; '.join(faults[name])}" for name in faults)) from None
    given = {
        name.removeprefix("ASTERISM_").lower(): value
        for name, value in plain.items()
        if value is not None
    }
    settings = Settings(ServerKey(key, former), url, traces=traces, **given)
    if settings.metrics is not None and settings.metrics.port == settings.port:
        raise SettingsError("ASTERISM_METRICS must have another port than PORT.")
    return settings


def _read_file(path: str) -> str:
    """The content of a file with a secret; empty without a path."""
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


def _secret(text: str, *, in_file: str | None, parse: Parser, fallback: str) -> Any:
    """A secret from the environment, else from its file, else the fallback.

    `in_file` is None if the file could not be read, which is an error of its own.
    """
    if in_file is None:
        return None
    if in_file and text:
        raise EnvError("is set, and so is the variable that names a file: set one.")
    return parse(text or in_file or fallback)


def is_set(name: str) -> bool:
    """Whether the environment has a secret, or names a file with it."""
    return bool(os.environ.get(name) or os.environ.get(f"{name}_FILE"))


def data_folder() -> Path:
    """The data folder: where the embedded store and the server key are kept."""
    if os.environ.get("ASTERISM_DATA"):
        return Path(os.environ["ASTERISM_DATA"]).absolute()
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "asterism"

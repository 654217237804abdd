"""Settings, read from the environment once and checked at the start."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from service.daily import day_of
from service.errors import DayTextError, SettingsError
from service.keys import SHORTEST_SERVER_KEY, FormerKey, ServerKey
from service.limits import DEFAULT_LIMITS
from service.seats import DEFAULT_ROOM, Room
from service.store.url import check_url

_DAY = 24 * 60 * 60
_MOST = 100_000

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable, prometheus-client's own, that names the folder in which processes count.

Whoever starts the service and tells its metrics sets it; nobody counts where it is not set.
"""


TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""The variable, OpenTelemetry's own, that says where traces go; without it there are none."""

LogForm = Literal["json", "text"]


class Address(NamedTuple):
    """Where to listen."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator can set. Times in seconds, sizes in bytes."""

    server_key: ServerKey
    redis_url: str
    replicas: int = 0
    game_ttl: int = 30 * _DAY
    body_limit: int = 64 * 1024
    public_url: str | None = None
    streams: str | None = None
    room: Room = DEFAULT_ROOM
    searches: int = 2
    proxies: int = 0
    limits: Mapping[str, int] = field(default_factory=lambda: DEFAULT_LIMITS)
    """Requests a minute by the name of the limit; those that are not there do not hold."""
    metrics_folder: str | None = None
    log: LogForm | None = None
    traces: bool = False


VARIABLES: dict[str, str] = {
    "REDIS_URL": "where the store is, see the README  [a store of its own]",
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
    "ASTERISM_THREADS": "threads a worker  [4]",
    "ASTERISM_SEARCHES": "hints, rulings and searches at once in a process  [half the threads]",
    "ASTERISM_WATCHERS": "watchers at once  [2000]",
    "ASTERISM_WATCHERS_PER_ADDRESS": "watchers from one address  [100]",
    "ASTERISM_WATCHERS_PER_GAME": "watchers of one game  [1000]",
    "ASTERISM_STREAMS": "socket of the process that tells events  [started by serve]",
    "ASTERISM_DRAIN": "seconds from a SIGTERM, which ends readiness, to the stop  [0]",
    "ASTERISM_LOG": "json or text: a line a request on the standard error  [off]",
    "ASTERISM_METRICS": "host:port that tells metrics, not for the public  [none]",
    TRACES_ENDPOINT: "where traces go, for asterism[otel]  [nowhere]",
}
"""Every variable that is read, what it sets, and in brackets what holds without it."""


def read_settings(environ: Mapping[str, str]) -> Settings:
    """The settings in `environ`; `SettingsError` names the variable at fault and the way out."""
    url = redis_url(environ)
    key = secret(environ, "ASTERISM_SERVER_KEY")
    if len(key) < SHORTEST_SERVER_KEY:
        raise SettingsError(
            f"ASTERISM_SERVER_KEY must have {SHORTEST_SERVER_KEY} characters or more, chosen at "
            "random, for example by: openssl rand -hex 32"
        )
    public_url = environ.get("ASTERISM_PUBLIC_URL") or None
    if public_url and not public_url.startswith(("http://", "https://")):
        raise SettingsError("ASTERISM_PUBLIC_URL must begin with http:// or https://.")
    return Settings(
        server_key=ServerKey(key.encode(), former_keys(environ)),
        redis_url=url,
        replicas=whole_number(environ, "ASTERISM_REPLICAS", 0, 0, 10),
        game_ttl=game_ttl(environ),
        public_url=public_url.rstrip("/") if public_url else None,
        streams=environ.get("ASTERISM_STREAMS") or None,
        room=Room(
            whole_number(environ, "ASTERISM_WATCHERS", DEFAULT_ROOM.total, 1, _MOST),
            whole_number(
                environ, "ASTERISM_WATCHERS_PER_ADDRESS", DEFAULT_ROOM.an_address, 1, _MOST
            ),
            whole_number(environ, "ASTERISM_WATCHERS_PER_GAME", DEFAULT_ROOM.a_game, 1, _MOST),
        ),
        searches=whole_number(environ, "ASTERISM_SEARCHES", max(1, threads(environ) // 2), 1, 64),
        proxies=whole_number(environ, "ASTERISM_PROXIES", 0, 0, 16),
        limits=limits(environ),
        metrics_folder=environ.get(METRICS_FOLDER) or None,
        log=log_form(environ),
        traces=bool(environ.get(TRACES_ENDPOINT)),
    )


def redis_url(environ: Mapping[str, str]) -> str:
    """Where the store is; `SettingsError` unless `environ` says so."""
    url = secret(environ, "REDIS_URL")
    if not url:
        raise SettingsError(
            "REDIS_URL must say where the store is; `asterism serve` brings one of its own."
        )
    check_url(url)
    return url


def secret(environ: Mapping[str, str], name: str) -> str:
    """What `environ` says under `name`, or the file that it names under `name`_FILE; or nothing.

    Raises `SettingsError` if it says both, or if the file cannot be read or is empty.
    """
    text, file = environ.get(name, ""), environ.get(f"{name}_FILE")
    if not file:
        return text
    if text:
        raise SettingsError(f"Set either {name} or {name}_FILE, not both.")
    try:
        text = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(f"{name}_FILE: {file} cannot be read: {why}.") from None
    if not text:
        raise SettingsError(f"{name}_FILE: {file} is empty.")
    return text


def former_keys(environ: Mapping[str, str]) -> tuple[FormerKey, ...]:
    """The server keys that came before, one a line: the key, `@`, and its last day."""
    name, found = "ASTERISM_FORMER_SERVER_KEYS", []
    for number, line in enumerate(secret(environ, name).splitlines(), start=1):
        key, _, day = line.strip().rpartition("@")
        try:
            found.append(FormerKey(ServerKey(key.encode()), day_of(day)))
        except DayTextError:
            key = ""
        if len(key) < SHORTEST_SERVER_KEY:  # what is wrong with it is not shown: it is a secret
            raise SettingsError(
                f"{name}, line {number}: write a key of {SHORTEST_SERVER_KEY} characters or more, "
                "an @, and the last day whose daily deals it deals, such as 2026-11-30."
            )
    return tuple(found)


def game_ttl(environ: Mapping[str, str]) -> int:
    """How long an untouched game is kept, in seconds."""
    return whole_number(environ, "ASTERISM_GAME_TTL", 30 * _DAY, 60, 10 * 365 * _DAY)


def threads(environ: Mapping[str, str]) -> int:
    """Threads in a process that plays."""
    return whole_number(environ, "ASTERISM_THREADS", 4, 1, 64)


def limits(environ: Mapping[str, str]) -> dict[str, int]:
    """Requests a minute by the name of the limit, less those that are off."""
    text = environ.get("ASTERISM_LIMITS", "").strip()
    if text == "off":
        return {}
    quotas = dict(DEFAULT_LIMITS)
    for word in text.replace(",", " ").split():
        name, _, quota = word.partition("=")
        if name not in DEFAULT_LIMITS:
            raise SettingsError(
                f"ASTERISM_LIMITS is off, or sets some of {', '.join(DEFAULT_LIMITS)} to requests "
                f"a minute, such as creation=60 hints=off; not {word!r}."
            )
        if quota == "off":
            quotas.pop(name, None)
        else:
            quotas[name] = _whole(f"{name} in ASTERISM_LIMITS", quota, 1, 10**9)
    return quotas


def log_form(environ: Mapping[str, str]) -> LogForm | None:
    """The form of the log, or None if no requests are to be logged."""
    match environ.get("ASTERISM_LOG", "").strip() or "off":
        case "json" | "text" as form:
            return form
        case "off":
            return None
        case other:
            raise SettingsError(f"ASTERISM_LOG must be json, text or off, not {other!r}.")


def metrics_address(environ: Mapping[str, str]) -> Address | None:
    """Where metrics are told, or None if they are not to be."""
    text = environ.get("ASTERISM_METRICS", "")
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise SettingsError(
            f"ASTERISM_METRICS must be host:port, such as 127.0.0.1:9464, not {text!r}."
        )
    return Address(host.removeprefix("[").removesuffix("]"), int(port))


def data_folder(environ: Mapping[str, str]) -> Path:
    """The data folder in `environ`, or the user's own for Asterism."""
    if environ.get("ASTERISM_DATA"):
        return Path(environ["ASTERISM_DATA"]).absolute()
    home = environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "asterism"


def whole_number(environ: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """The number that `environ` sets under `name`; `SettingsError` unless `least` … `most`."""
    return _whole(name, environ.get(name, "").strip() or str(default), least, most)


def _whole(name: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        raise SettingsError(f"{name} must be a whole number from {least} to {most}, not {text!r}.")
    return int(text)

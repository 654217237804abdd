"""Checks a set-up: settings, secrets, data folder, processes and store, each with a remedy."""

import difflib
import ipaddress
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx

from service.config import SECRETS, VARIABLES, Address, data_folder, is_set, read_settings
from service.errors import SettingsError
from service.play.keys import SHORTEST_SERVER_KEY
from service.server.data_folder import is_locked
from service.server.embedded_store import EMBEDDED, server_binary
from service.server.gunicorn_app import require_free
from service.server.store_checks import Finding, check_store, fail, ok, warn
from service.solvers import FORMS, search_form

_LEAST_FREE_DISK = 1 << 30
_ANSWER_SECONDS = 5


def diagnose_setup() -> Iterator[Finding]:
    """Checks the set-up in the environment, settings first. Changes nothing."""
    unknown = list(_unknown_variables())
    try:
        settings = read_settings(redis_url=EMBEDDED, server_key="k" * SHORTEST_SERVER_KEY)
    except SettingsError as error:
        settings = None
        for fault in error.args:
            text, _, remedy = fault.partition(". ")
            yield fail("settings", text.removesuffix(".") + ".", remedy)
    yield from unknown
    if settings is not None and not unknown:
        yield ok("settings", "All settings are valid.")
    yield from _secret_files()
    yield from _server_key()
    yield _folder(data_folder())
    if settings is not None:
        yield _processes(settings.workers)
        yield from (ok("search", search_form(name)) for name in FORMS)
        yield _service(settings.listen)
        if settings.metrics is not None:
            yield _metrics(settings.metrics)
        yield from _embedded_store() if settings.redis_url == EMBEDDED else check_store(settings)


def _unknown_variables() -> Iterator[Finding]:
    for name in sorted(os.environ):
        if name.startswith("ASTERISM_") and name not in VARIABLES:
            similar = difflib.get_close_matches(name, VARIABLES, 1)
            remedy = f"Did you mean {similar[0]}?" if similar else "Unset it."
            yield warn("settings", f"{name} is not a setting of Asterism.", remedy)


def _own_key() -> Path:
    return data_folder() / "server.key"


def _secret_files() -> Iterator[Finding]:
    """Who can read the files with secrets."""
    named = [os.environ.get(f"{name}_FILE") for name in SECRETS]
    for file in [*(Path(name) for name in named if name), _own_key()]:
        try:
            status = file.stat()
        except OSError:
            continue  # missing: an error of the settings, if it is named there
        if status.st_uid != os.getuid():
            yield ok("secrets", f"{file} belongs to another user, who protects it.")
        elif status.st_mode & 0o077:
            yield warn("secrets", f"{file} can be read by other users.", f"chmod 600 {file}")
        else:
            yield ok("secrets", f"{file} can be read only by its owner.")


def _server_key() -> Iterator[Finding]:
    """Where the server key comes from, if not from the settings."""
    if is_set("ASTERISM_SERVER_KEY"):
        return
    if is_set("REDIS_URL"):
        yield warn(
            "secrets",
            f"The server key belongs to this machine: {_own_key()}.",
            "If several instances share the store, set ASTERISM_SERVER_KEY on all of them: "
            "otherwise each rejects the play tokens of the others.",
        )
    elif not _own_key().exists():
        yield ok("secrets", "A server key will be created at the first start.")


def _folder(folder: Path) -> Finding:
    """Whether the server key and the embedded store can be written."""
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        remedy = "Give the service's user write access, or set ASTERISM_DATA."
        return fail("folder", f"{folder} is not writable.", remedy)
    free = shutil.disk_usage(existing).free
    if free < _LEAST_FREE_DISK:
        remedy = "Free some space: a store that cannot write accepts no moves."
        return warn("folder", f"{folder} has only {free >> 20} MiB of free space.", remedy)
    return ok("folder", f"{folder} is writable and has {free >> 30} GiB of free space.")


def _processes(workers: int) -> Finding:
    cores = os.cpu_count() or 1
    text = f"{workers} worker processes on {cores} cores."
    if workers > 4 * cores:
        remedy = "Lower ASTERISM_WORKERS: more than two a core take memory and gain nothing."
        return warn("processes", text, remedy)
    return ok("processes", text)


def _service(listen: Address) -> Finding:
    """Whether the service runs, or can be started."""
    try:
        require_free(listen, "PORT")
    except SettingsError as error:
        occupied = error
    else:
        return ok("service", f"It is not running, and can be started at http://{listen}.")
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listen.host, listen.host)  # noqa: S104
    with httpx.Client(trust_env=False, timeout=_ANSWER_SECONDS) as client:
        try:
            response = client.get(f"http://{Address(host, listen.port)}/readyz")
        except httpx.HTTPError:
            return fail("service", str(occupied))
    if "Request-Id" not in response.headers:
        return fail("service", f"Another program listens on {listen}.", "Set PORT to another port.")
    if response.status_code != 200:
        remedy = f"curl http://{listen}/readyz says why."
        return fail("service", f"It is running at http://{listen}, and not ready.", remedy)
    return ok("service", f"It is running at http://{listen}, and ready.")


def _metrics(address: Address) -> Finding:
    if _is_public(address.host):
        remedy = "Use a loopback or private address, or protect it with a firewall."
        return warn("metrics", f"{address} may be reachable by everybody.", remedy)
    return ok("metrics", f"Served at http://{address}/metrics.")


def _is_public(host: str) -> bool:
    """Whether everybody may reach an address; a name is assumed to be private."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_unspecified or not (address.is_private or address.is_loopback)


def _embedded_store() -> Iterator[Finding]:
    """Whether the embedded store runs, or can be started."""
    if is_locked(data_folder()):
        yield ok("store", f"The running service has an embedded server: {data_folder() / 'store'}.")
        return
    try:
        yield ok("store", f"An embedded server will be started: {server_binary()}.")
    except SettingsError as error:
        yield fail("store", str(error))

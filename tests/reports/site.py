"""A checkout of the service at work, and what a case tries on it."""

import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from tests.support.api import Api, over_http
from tests.support.servers import SERVER_KEY, Service, StoreServer, python_of, valkey_9
from tests.support.started import Stoppable

LONG = 9801
"""Moves of the long game."""


ANY_CONTRACT = SimpleNamespace(check=lambda *_: None, check_value=lambda *_: None)
"""Takes every answer, as other checkouts have other contracts."""


class Site(Stoppable):
    """A service that the cases share, and more of the same checkout; all ends with the block."""

    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout
        with ExitStack() as begun:
            self._root = begun.enter_context(tempfile.TemporaryDirectory())
            self.store = begun.enter_context(StoreServer(valkey_9(), self.folder()))
            self.service = begun.enter_context(self.start(self.store.url))
            self._end = begun.pop_all()

    def stop(self) -> None:
        """Ends the shared service and its store."""
        self._end.close()

    def folder(self) -> Path:
        """A new folder, which goes with the site."""
        return Path(tempfile.mkdtemp(dir=self._root))

    def start(self, redis_url: str, **environ: str) -> Service:
        """A service on a store, without rate limits unless `environ` sets them."""
        environ = {"ASTERISM_LIMITS": "off", "ASTERISM_DATA": str(self.folder()), **environ}
        return Service(redis_url, self.folder() / "log", checkout=self.checkout, **environ)

    @contextmanager
    def serving(self, **environ: str):
        """A service of one worker on a store of its own; the two, and a client."""
        with (
            StoreServer(valkey_9(), self.folder()) as store,
            self.start(store.url, ASTERISM_WORKERS="1", **environ) as service,
            self.api(service) as api,
        ):
            yield store, service, api

    @contextmanager
    def api(self, service: Service | None = None):
        """A client of the shared service, or of another."""
        with over_http((service or self.service).port) as transport:
            yield Api(transport, ANY_CONTRACT)

    def starts(self, redis_url: str, **environ: str) -> str:
        """Whether a service so set up starts, or is refused in words."""
        try:
            self.start(redis_url, **environ).stop()
        except AssertionError as error:
            return str(error) if "Traceback" in str(error) else "refused"
        return "started"

    def run(self, *words: str, given: bytes = b"", **environ: str) -> tuple[int, str]:
        """Runs `asterism` with these words and `given` as its input: exit code, and output."""
        done = subprocess.run(
            [python_of(self.checkout), "-m", "service", *words],
            cwd=self.checkout,
            env={"ASTERISM_SERVER_KEY": SERVER_KEY, **environ},
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=30,
        )
        return done.returncode, done.stdout.decode()

    @cached_property
    def long_game(self) -> str:
        """The path of a game of `LONG` moves, in which a card goes from cell to cell."""
        with self.api() as api:
            player = api.new_game("astrocyte", 1)
            player.play("t3c1")
            for _ in range((LONG - 1) // 200):
                assert player.play(*["c1c2", "c2c1"] * 100).status == 200
        return player.path


class Case(NamedTuple):
    """A case by its id; `act` does what was reported, and says in words what came of it."""

    id: str
    tried: str
    expected: str
    act: Callable[[Site], str]

    def line(self, site: Site) -> str:
        """A line about what came of it, with FAIL in it unless that was expected."""
        try:
            got = self.act(site)
        except Exception as error:  # whatever goes wrong is told
            got = f"{type(error).__name__}: {' '.join(str(error).split())[-200:]}"
        verdict = "pass" if got == self.expected else f"FAIL, got {got}"
        return f"{self.id:4}{self.tried} → {self.expected}: {verdict}"


CASES: list[Case] = []
"""Every case."""


def case(id: str, tried: str, expected: str) -> Callable[[Callable[[Site], str]], None]:
    """Makes a case of the function that acts it out."""
    return lambda act: CASES.append(Case(id, tried, expected, act))

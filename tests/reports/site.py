"""A checkout of the service at work, and what a case tries on it."""

import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tests.support.api import Api, over_http
from tests.support.servers import SERVER_KEY, Service, StoreServer, python_of, valkey_9
from tests.support.started import Stoppable, start

LONG = 9801
"""Moves of the long game."""


class AnyContract:
    """Takes every answer, as other checkouts have other contracts."""

    def check(self, *answer: object) -> None:
        """Takes an answer."""

    check_value = check


class Ran(NamedTuple):
    """How a command ended, and all that it printed."""

    code: int
    output: str


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
            yield Api(transport, AnyContract())

    def starts(self, redis_url: str, **environ: str) -> str:
        """Whether a service so set up starts, or is refused in words."""
        try:
            self.start(redis_url, **environ).stop()
        except AssertionError as error:
            return str(error) if "Traceback" in str(error) else "refused"
        return "started"

    def run(self, *words: str, given: bytes = b"", **environ: str) -> Ran:
        """Runs `asterism` with these words, and `given` as its input."""
        process = start(
            [python_of(self.checkout), "-m", "service", *words],
            cwd=self.checkout,
            env={"ASTERISM_SERVER_KEY": SERVER_KEY, **environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            output, _ = process.communicate(given, timeout=30)
        finally:
            process.kill()
        return Ran(process.returncode, output.decode())

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

    def result(self, site: Site) -> tuple[bool, str]:
        """Whether it came out as expected, and a line about it."""
        try:
            got = self.act(site)
        except Exception as error:  # whatever goes wrong is told
            got = f"{type(error).__name__}: {' '.join(str(error).split())[-200:]}"
        verdict = "pass" if got == self.expected else "FAIL"
        words = f"{self.id:4} {verdict}  {self.tried}: {self.expected}"
        return got == self.expected, words if got == self.expected else f"{words} | got {got}"


CASES: list[Case] = []
"""Every case."""


def case(id: str, tried: str, expected: str) -> Callable[[Callable[[Site], str]], None]:
    """Makes a case of the function that acts it out."""
    return lambda act: CASES.append(Case(id, tried, expected, act))

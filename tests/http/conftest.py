"""Fixtures of the tests over HTTP.

They all share one application, because making one costs more than most tests do; its store is
emptied before each of them.
"""

import random
from collections.abc import Callable
from types import SimpleNamespace

import fakeredis
import pytest
from flask import Flask

from service.api.services import services_of
from service.games import VARIANTS
from service.play import keys
from service.store import Store
from tests.http.kit import ACTIONS, NOON, POSTS, Endpoint, InMemoryService, frozen, ready
from tests.support.api import Api, Player


@pytest.fixture(scope="session")
def service() -> InMemoryService:
    """The service and its store."""
    return InMemoryService()


@pytest.fixture(autouse=True)
def _same_deals_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sealed deals come from a fixed sequence of seeds."""
    choice = random.Random(1)
    monkeypatch.setattr(keys, "new_seed", lambda: choice.randbytes(32))


@pytest.fixture
def fake(service: InMemoryService) -> fakeredis.FakeRedis:
    """The Redis in memory, empty."""
    service.fake.execute_command("FLUSHALL")
    return service.fake


@pytest.fixture
def store(service: InMemoryService, fake: fakeredis.FakeRedis) -> Store:
    """The store on it."""
    return service.store


@pytest.fixture
def app(service: InMemoryService, fake: fakeredis.FakeRedis) -> Flask:
    """The application on that."""
    return service.app


@pytest.fixture
def clock(app: Flask, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock of the service: it shows `now`, noon at first, until it is set."""
    clock = SimpleNamespace(now=NOON)
    monkeypatch.setattr(services_of(app).play, "_clock", lambda: clock.now)
    return clock


Prepared = dict[str, tuple[Player, Callable[[], None]]]


@pytest.fixture(scope="session")
def prepared(service: InMemoryService) -> Prepared:
    """A game of each variant where everything is possible, and a way back to how it began."""
    players: Prepared = {}
    for name in VARIANTS:
        service.fake.execute_command("FLUSHALL")
        players[name] = ready(service.api, name), frozen(service.fake)
    return players


@pytest.fixture
def at(prepared: Prepared, fake: fakeredis.FakeRedis, api: Api) -> Callable[[str], Endpoint]:
    """Any endpoint that takes POST, by its name. Hints are asked for in Binary Star."""

    def endpoint(name: str) -> Endpoint:
        before, restore = prepared["binary-star" if name == "hint" else "astrocyte"]
        restore()
        return Endpoint(name, Player(api, before.game, before.token))

    return endpoint


@pytest.fixture
def player(at: Callable[[str], Endpoint]) -> Player:
    """A player at a game of Astrocyte where everything is possible."""
    return at("moves").player


@pytest.fixture(params=POSTS)
def endpoint(request: pytest.FixtureRequest, at: Callable[[str], Endpoint]) -> Endpoint:
    """Each endpoint that takes POST, in turn."""
    return at(request.param)


@pytest.fixture(params=ACTIONS)
def action(request: pytest.FixtureRequest, at: Callable[[str], Endpoint]) -> Endpoint:
    """Each action in a game, in turn."""
    return at(request.param)

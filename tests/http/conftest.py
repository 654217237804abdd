"""Fixtures of the tests over HTTP.

They all share one application, because making one costs more than most tests do; its store is
emptied before each of them.
"""

import random
from collections.abc import Callable

import fakeredis
import pytest
from flask import Flask

from service.deals import deal
from service.games import VARIANTS
from service.play import keys
from service.store.redis import RedisStore
from tests.conftest import CONTRACT
from tests.http.kit import ACTIONS, POSTS, Door, World, frozen, ready
from tests.support.api import Api, Player


@pytest.fixture(scope="session")
def world() -> World:
    """The service and its store."""
    return World(CONTRACT)


@pytest.fixture(autouse=True)
def _same_deals_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sealed deals come from a fixed sequence of seeds."""
    choice = random.Random(1)
    monkeypatch.setattr(keys, "new_seed", lambda: choice.randbytes(32))


@pytest.fixture
def fake(world: World) -> fakeredis.FakeRedis:
    """The Redis in memory, empty."""
    world.fake.execute_command("FLUSHALL")
    return world.fake


@pytest.fixture
def store(world: World, fake: fakeredis.FakeRedis) -> RedisStore:
    """The store on it."""
    return world.store


@pytest.fixture
def app(world: World, fake: fakeredis.FakeRedis) -> Flask:
    """The application on that."""
    return world.app


Prepared = dict[str, tuple[Player, Callable[[], None]]]


@pytest.fixture(scope="session")
def prepared(world: World) -> Prepared:
    """A game of each variant where everything is possible, and a way back to how it began."""
    players: Prepared = {}
    for name in VARIANTS:
        world.fake.execute_command("FLUSHALL")
        players[name] = ready(world.api, name), frozen(world.fake)
    return players


@pytest.fixture
def at(prepared: Prepared, fake: fakeredis.FakeRedis, api: Api) -> Callable[[str], Door]:
    """Leads to any of the places that are posted to. Hints are asked for where there are any."""

    def door(name: str) -> Door:
        before, as_it_was = prepared["binary-star" if name == "hint" else "astrocyte"]
        as_it_was()
        return Door(name, Player(api, before.game, before.token))

    return door


@pytest.fixture
def player(at: Callable[[str], Door]) -> Player:
    """A player at a game of Astrocyte where everything is possible."""
    return at("moves").player


@pytest.fixture(params=POSTS)
def door(request: pytest.FixtureRequest, at: Callable[[str], Door]) -> Door:
    """Each place that is posted to, in turn."""
    return at(request.param)


@pytest.fixture(params=ACTIONS)
def action(request: pytest.FixtureRequest, at: Callable[[str], Door]) -> Door:
    """Each action in a game, in turn."""
    return at(request.param)


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[str, ...]], None]:
    """Stacks the pack: from then on every deal lays out the cards in the order given."""

    def stacked(pack: tuple[str, ...]) -> None:
        monkeypatch.setattr(deal, "shuffled_pack", lambda deal: pack)

    return stacked

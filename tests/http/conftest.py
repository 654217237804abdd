"""Fixtures of the tests over HTTP.

They all share one application, because making one costs more than most tests do; its store is
emptied before each of them.
"""

from collections.abc import Callable

import fakeredis
import pytest
from flask import Flask

from service import deals
from service.store.redis import RedisStore
from tests.api import Api, Player
from tests.conftest import CONTRACT
from tests.http.kit import ACTIONS, POSTS, Door, World, ready


@pytest.fixture(scope="session")
def world() -> World:
    """The service and its store."""
    return World(CONTRACT)


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


@pytest.fixture(scope="session")
def kept_game(world: World) -> tuple[Player, dict[bytes, bytes]]:
    """A game where everything is possible, and how it lies in the store."""
    world.fake.execute_command("FLUSHALL")
    player, do = ready(world.api), world.fake.execute_command
    return player, {key: do("DUMP", key) for key in do("KEYS", "*")}


@pytest.fixture
def player(
    kept_game: tuple[Player, dict[bytes, bytes]], api: Api, fake: fakeredis.FakeRedis
) -> Player:
    """A player at a game of Astrocyte where everything is possible."""
    before, kept = kept_game
    for key, value in kept.items():
        fake.execute_command("RESTORE", key, 60_000, value)
    return Player(api, before.game, before.token)


@pytest.fixture(params=POSTS)
def door(request: pytest.FixtureRequest, player: Player) -> Door:
    """Each place that is posted to, in turn."""
    return Door(request.param, player)


@pytest.fixture(params=ACTIONS)
def action(request: pytest.FixtureRequest, player: Player) -> Door:
    """Each action in a game, in turn."""
    return Door(request.param, player)


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[str, ...]], None]:
    """Stacks the pack: from then on every deal lays out the cards in the order given."""

    def stacked(pack: tuple[str, ...]) -> None:
        monkeypatch.setattr(deals, "pack_of", lambda deal: pack)

    return stacked

"""Releases that follow each other share a store and its games, for as long as both are up."""

from contextlib import ExitStack
from functools import cache

import pytest

from service.store import codec
from tests import releases
from tests.conftest import CONTRACT
from tests.http.kit import known
from tests.support.api import api_at
from tests.support.servers import Service


@pytest.fixture(scope="module")
def release(valkey, tmp_path_factory):
    """A client of each release, which are started on one store."""
    folder = tmp_path_factory.mktemp("releases")
    settings = {"ASTERISM_LIMITS": "off", "ASTERISM_WORKERS": "1"}
    with ExitStack() as running:

        @cache
        def started(module):
            service = Service(valkey.url, folder / module, module, **settings)
            running.enter_context(service)
            return running.enter_context(api_at(service.port, CONTRACT))

        yield started


@pytest.fixture
def kept(valkey):
    """What lies in the store of a player's game, by key."""

    def kept(player):
        with valkey.client() as client:
            keys = sorted(client.scan_iter(f"ast:{{{player.game['id']}}}:*"))
            return {key.decode().rpartition(":")[2]: client.dump(key) for key in keys}

    return kept


@pytest.fixture
def schema(valkey):
    """The schema in which a player's game is kept."""

    def schema(player):
        with valkey.client() as client:
            return client.get(f"ast:{{{player.game['id']}}}:game")[0]

    return schema


def taking_turns(player, one, other):
    """Plays on in one game through both, each request at one and its repeat at the other."""
    for turn in range(12):
        player.api, then = (one, other) if turn % 2 == 0 else (other, one)
        path, body = f"{player.path}/moves", {"version": player.version, "moves": ["deal"]}
        if turn % 3 == 2:
            path, body = f"{player.path}/undo", {"version": player.version}
        sent = {"Idempotency_Key": f"{turn:016}", "Authorization": f"Bearer {player.token}"}
        first = player.api.post(path, body, **sent)
        assert first.status == 200, first.body
        again = then.post(path, body, **sent)
        assert (again.status, again.body) == (200, first.body)
        assert again.headers["Idempotency-Replayed"] == "true"
        player.game = first.json["game"]
        assert then.get(player.path).json == player.game


@pytest.mark.parametrize(
    ("first", "second", "schemas"),
    [
        ("service", "tests.releases.reading", {codec.SCHEMA}),
        ("tests.releases.reading", "tests.releases.writing", {codec.SCHEMA, releases.SCHEMA}),
    ],
    ids=["a release brings a schema", "the release after writes it"],
)
def test_a_game_is_played_through_two_releases_in_turns(release, schema, first, second, schemas):
    one, other = release(first), release(second)
    for starts in (one, other):
        player = starts.new_game("astrocyte")
        found = {schema(player)}
        taking_turns(player, one, other)
        found.add(schema(player))
        player.api = one
        assert player.undo().status == 200
        assert found | {schema(player)} == schemas


def test_a_game_of_a_later_schema_is_left_as_it_is_by_a_release_that_does_not_read_it(
    release, kept, schema
):
    here, later, last = map(
        release, ("service", "tests.releases.reading", "tests.releases.writing")
    )
    player = last.new_game("astrocyte")
    assert player.play("deal", Idempotency_Key="0" * 16).status == 200
    before, seen = kept(player), player.game
    player.api = here
    for answer in (
        *(player.read(), player.play("deal"), player.undo(), player.resign(), player.delete()),
        *(player.play("deal", Idempotency_Key=key * 16) for key in "01"),
    ):
        assert known(answer) == (500, "game-unreadable")
    assert kept(player) == before
    player.api, player.game = later, seen
    assert player.read().json == seen
    assert player.undo(Idempotency_Key="1" * 16).status == 200
    player.api = here
    assert schema(player) == codec.SCHEMA
    assert player.read().status == 200
    assert player.redo().status == 200

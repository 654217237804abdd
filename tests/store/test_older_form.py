"""Games that the release before has kept are played on, whatever they are in the middle of."""

import pytest

from service.app import create_app
from service.config import Settings
from service.keys import ServerKey
from service.store import codec
from tests.api import Api, Player, in_process
from tests.conftest import CONTRACT, TTL
from tests.stored import FIXTURE, SCHEMA_1, put_back


@pytest.fixture(params=SCHEMA_1)
def kept(request, fake):
    """One of the games, in the store."""
    put_back(fake, SCHEMA_1[request.param], TTL)
    return SCHEMA_1[request.param]


@pytest.fixture
def player(store, kept):
    """Its player, at this release."""
    settings = Settings(ServerKey(FIXTURE["server_key"].encode()), "redis://nowhere", limits={})
    app = create_app(settings, store)
    return Player(Api(in_process(app), CONTRACT), kept["seen"], kept["play_token"])


def write(player):
    """Something that is accepted, or None if the game is over."""
    if player.game["status"] != "in_progress":
        return None
    if player.game["can"]["undo"]:
        return player.undo()
    return player.play(player.game["legal_moves"][0])


def test_it_is_read_as_it_was_seen(player, kept):
    assert player.read().json == kept["seen"]


def test_its_line_is_told_whole(player, kept):
    told = player.api.get(f"{player.path}/moves?limit=500").json["items"]
    assert len(told) == kept["seen"]["ply"]


def test_it_goes_back_to_its_beginning_and_forth_again(player, kept):
    if kept["seen"]["status"] != "in_progress":
        return
    assert player.undo(kept["seen"]["ply"]).status == 200
    assert player.redo(kept["seen"]["ply"]).status == 200
    assert player.game["piles"] == kept["seen"]["piles"]


def test_it_is_kept_anew_in_the_form_of_this_release(player, kept, fake):
    tag = f"ast:{{{kept['id']}}}:"
    if write(player) is None:
        return
    state = fake.execute_command("HGET", f"{tag}game", "state")
    assert state[0] == codec.SCHEMA
    assert not fake.exists(f"{tag}events")
    assert fake.execute_command("LLEN", f"{tag}log") == 1
    assert all(fake.pttl(key) > 0 for key in fake.scan_iter(f"{tag}*"))


def test_an_answer_that_was_kept_under_a_key_is_given_again(store, fake):
    kept = SCHEMA_1["a sealed game with idempotency keys"]
    put_back(fake, kept, TTL)
    settings = Settings(ServerKey(FIXTURE["server_key"].encode()), "redis://nowhere", limits={})
    api = Api(in_process(create_app(settings, store)), CONTRACT)
    player = Player(api, kept["seen"], kept["play_token"])
    last = kept["last"]
    for _ in range(2):  # as it lies there, and when this release has written something
        again = player.post("moves", last["body"], Idempotency_Key=last["key"])
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.json == last["answer"]
        player.read()
        assert player.undo().status == 200

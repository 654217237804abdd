"""What an instance still knows of a game is never taken for what the store has of it."""

import random

import fakeredis
import pytest

from service.store.nodes import SingleNode
from service.store.recent import MOST_GAMES, RecentGames
from service.store.redis import store_on
from tests.conftest import TTL
from tests.http.kit import (
    KEY,
    OTHER_KEY,
    assert_replayed,
    frozen,
    game_keys,
    instance_on,
    known,
    table,
)
from tests.store.test_promise import new_game
from tests.support.api import Player


@pytest.fixture
def fake():
    return fakeredis.FakeRedis()


@pytest.fixture
def instances(fake):
    """Two instances on one store."""
    return [instance_on(store_on(SingleNode(fake), SingleNode(fake), TTL)) for _ in range(2)]


@pytest.fixture
def players(instances):
    """One player, who plays one game through both instances and has made a move through each."""
    one = instances[0].new_game("astrocyte", 1)
    other = Player(instances[1], one.game, one.token)
    one.play("t3c1")
    other.game = one.game
    other.play("t3t4")
    return one, other


def act(choice, player, redoable):
    """Something that a player may do; how it is answered."""
    if redoable and choice.random() < 0.7:
        return player.redo()
    if player.game["can"]["undo"] and choice.random() < 0.3:
        return player.undo(choice.randint(1, min(3, player.game["ply"])))
    return player.play(choice.choice(player.game["legal_moves"]))


@pytest.mark.parametrize("seed", range(4))
def test_a_game_goes_on_through_two_instances_as_through_one(seed, instances):
    alone, shared = (instances[0].new_game("astrocyte", 1) for _ in range(2))
    moves, turns = random.Random(seed), random.Random(seed)
    for _ in range(40):
        shared.api = turns.choice(instances)
        before, redoable = moves.getstate(), alone.game["can"]["redo"]
        expected = act(moves, alone, redoable)
        moves.setstate(before)
        answer = act(moves, shared, redoable)
        assert answer.status == expected.status == 200
        for part in ("piles", "ply", "version", "counters", "legal_moves", "can"):
            assert answer.json["game"][part] == expected.json["game"][part]


def test_an_instance_that_was_passed_over_tells_the_version_of_the_store(players):
    one, _ = players
    answer = one.play("deal")
    assert known(answer) == (409, "version-conflict")
    assert (answer.json["expected_version"], answer.json["current_version"]) == (2, 3)


@pytest.mark.parametrize("action", ["play", "undo", "resign"])
def test_a_game_that_is_gone_is_gone_for_whoever_wrote_it_last(players, fake, action):
    one, other = players
    act = {"play": lambda: other.play("deal"), "undo": other.undo, "resign": other.resign}[action]
    assert one.delete().status == 204
    assert known(act()) == (404, "game-not-found")
    assert game_keys(fake) == set()


def test_a_game_that_has_expired_is_gone_for_whoever_wrote_it_last(players, fake):
    _, other = players
    fake.delete(*game_keys(fake))
    assert known(other.play("deal")) == (404, "game-not-found")
    assert known(other.read()) == (404, "game-not-found")


def test_a_game_that_was_given_up_elsewhere_takes_no_moves(players):
    one, other = players
    one.read()
    one.resign()
    assert known(other.play("deal")) == (409, "version-conflict")
    other.read()
    assert known(other.play("deal")) == (409, "game-over")


def test_a_request_is_recognised_by_an_instance_that_did_not_answer_it(players):
    one, other = players
    one.game = other.game
    first = one.play("deal", Idempotency_Key=KEY)
    assert_replayed(other.play("deal", Idempotency_Key=KEY), first)
    one.play("t1c2", Idempotency_Key=OTHER_KEY)
    other.game = first.json["game"]
    other.game["version"] -= 1
    assert_replayed(other.play("deal", Idempotency_Key=KEY), first)


def test_what_a_store_has_lost_is_lost_for_whoever_wrote_it(players, fake):
    """A failover may lose a move that was answered; another one may take its version since."""
    one, other = players
    restore = frozen(fake)
    before = other.game
    other.play("t1c2")
    restore()
    one.game = before
    assert one.play("t2c2").status == 200
    assert other.version == one.version
    answer = other.play("c2c3")
    assert answer.status == 200
    assert table(answer.json["game"])["c3"] == table(one.game)["c2"]
    moves = other.api.get(f"{other.path}/moves").json["items"]
    assert [item["move"] for item in moves] == ["t3c1", "t3t4", "t2c2", "c2c3"]


def test_of_many_games_only_those_used_last_are_kept():
    games, one = RecentGames(), new_game()
    for number in range(MOST_GAMES):
        games.keep(one._replace(id=str(number)), b"", {}, None)
    assert games.find("0")
    games.keep(one, b"", {}, None)
    assert games.find("0")
    assert games.find("1") is None

"""Lost parts of a stored game are noticed before anything is written, and ids stay gone."""

from itertools import combinations

import pytest

from tests.http.kit import game_keys, known, nothing_changes
from tests.support.api import Player

KEY = "5e0d8c1c-8f3e-4f7b-9a55-0d1c3a8c2b6e"
NEW_GAME = {"variant": "astrocyte", "deal": {"number": "1"}, "label": "ada"}

PARTS = ("game", "line", "log", "answers", "used")
REMOVED = [*combinations(PARTS, 1), *combinations(PARTS, 2)]

ACTIONS = {
    "moves": {"moves": ["t1c2"]},
    "undo": {"steps": 1},
    "redo": {"steps": 1},
    "hint": {},
    "resignation": {},
}


@pytest.fixture
def player(api):
    """A player whose requests have idempotency keys, and who can move, undo and redo."""
    created = api.post("/v1/games", NEW_GAME, Idempotency_Key=KEY).json
    player = Player(api, created["game"], created["play_token"])
    for number, move in enumerate(("t3c1", "t3t4")):
        player.play(move, Idempotency_Key=f"a-key-of-before-{number}")
    player.undo()
    return player


def key(player, part):
    return f"ast:{{{player.game['id']}}}:{part}"


def answers(player):
    """What each action is answered."""
    version = {"version": player.version}
    return {name: player.post(name, body | version) for name, body in ACTIONS.items()}


def check(player, fake, expected):
    with nothing_changes(fake):
        assert {known(answer) for answer in answers(player).values()} == {expected}


@pytest.mark.parametrize("removed", REMOVED, ids="+".join)
def test_no_action_goes_by_a_game_of_which_parts_are_gone(player, fake, removed):
    fake.delete(*(key(player, part) for part in removed))
    if "game" in removed:
        check(player, fake, (404, "game-not-found"))
        assert player.delete().status == 404
    else:
        if removed != ("used",):
            check(player, fake, (500, "game-unreadable"))
        assert player.delete().status == 204
        assert game_keys(fake) <= {key(player, "used").encode()}


@pytest.mark.parametrize("removed", REMOVED, ids="+".join)
def test_what_is_left_of_a_game_is_not_taken_for_that_of_a_new_one(player, api, fake, removed):
    fake.delete(*(key(player, part) for part in {"game", *removed}))
    with nothing_changes(fake):
        again = api.post("/v1/games", {"variant": "astrocyte"}, Idempotency_Key=KEY)
    assert known(again) == (422, "idempotency-key-reused")


CUT = {
    "its state": lambda fake, key: fake.set(key("game"), fake.get(key("game"))[:-1]),
    "its last move": lambda fake, key: fake.set(key("line"), fake.get(key("line"))[:-2]),
    "its first event": lambda fake, key: fake.lpop(key("log")),
    "its last event": lambda fake, key: fake.rpop(key("log")),
    "its answers": lambda fake, key: fake.set(key("answers"), fake.get(key("answers"))[:-1]),
}


@pytest.mark.parametrize("part", CUT)
def test_no_action_goes_by_a_game_of_which_a_part_is_cut(player, fake, part):
    CUT[part](fake, lambda name: key(player, name))
    if part == "its last move":  # was undone, so that another may take its place
        with nothing_changes(fake):
            assert known(player.redo()) == (500, "game-unreadable")
    else:
        check(player, fake, (500, "game-unreadable"))
    if part != "its state":
        assert player.delete().status == 204


@pytest.mark.parametrize("part", ["line", "log"])
def test_no_page_and_no_event_is_told_of_what_is_gone(player, api, fake, part):
    fake.delete(key(player, part))
    path = {"line": "/moves?limit=1", "log": "/events"}[part]
    with nothing_changes(fake):
        answer = api.get(player.path + path, Accept="application/json")
    assert known(answer) == (500, "game-unreadable")


# Ids that stay gone


@pytest.mark.parametrize("deal", [{"number": "1"}, {}], ids=["numbered", "random"])
def test_a_deleted_game_does_not_come_back_by_the_key_of_its_creation(api, fake, deal):
    body = (
        {"variant": "astrocyte", "label": "ada", "deal": deal} if deal else {"variant": "astrocyte"}
    )
    created = api.post("/v1/games", body, Idempotency_Key=KEY).json
    player = Player(api, created["game"], created["play_token"])
    player.delete()
    again = api.post("/v1/games", body, Idempotency_Key=KEY)
    assert known(again) == (422, "idempotency-key-reused")
    assert "deleted or has expired" in again.json["detail"]
    assert player.read().status == 404
    assert api.post("/v1/games", body, Idempotency_Key=KEY[::-1]).status == 201


def test_the_first_attempt_of_a_deleted_game_is_not_given_again(api):
    for creation_key in (KEY, KEY[::-1]):
        created = api.post("/v1/games", NEW_GAME, Idempotency_Key=creation_key).json
        player = Player(api, created["game"], created["play_token"])
        player.play("deal")
        if creation_key == KEY:
            player.delete()
    player.resign()
    items = api.get("/v1/deals/astrocyte-1/results").json["items"]
    assert [
        item["first_attempt"] for item in items if item["game_id"] == created["game"]["id"]
    ] == [False]


def test_an_expired_commitment_does_not_come_back_with_another_digest(api, fake):
    made = api.post("/v1/commitments", Idempotency_Key=KEY).json
    fake.delete(f"ast:{{{made['commitment_id']}}}:commitment")
    again = api.post("/v1/commitments", Idempotency_Key=KEY)
    assert known(again) == (422, "idempotency-key-reused")

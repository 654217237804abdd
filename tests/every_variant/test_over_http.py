"""A game played through the HTTP API, on a store in memory."""

import pytest

from service.games.moves import Move
from tests.support.walks import start


def piles(position):
    """The piles as JSON."""
    return [{**pile._asdict(), "cards": list(pile.cards)} for pile in position.view.piles]


@pytest.fixture
def player(api, game):
    """A player at deal 1."""
    return api.new_game(game.name, 1)


def test_a_game_is_listed_with_its_rules(api, game):
    listed = [item["name"] for item in api.get("/v1/variants").json["items"]]
    assert game.name in listed
    assert api.get(f"/v1/variants/{game.name}").json["actions"] == list(map(str, game.actions))


def test_moves_are_played_undone_and_redone(player, game):
    before = start(game, 1)
    move = before.legal_moves()[0]
    after, reveals = before.play(move)
    assert player.game["piles"] == piles(before)
    assert player.game["legal_moves"] == list(map(str, before.legal_moves()))
    assert player.play(str(move)).json["reveals"] == [reveal._asdict() for reveal in reveals]
    assert player.game["piles"] == piles(after)
    player.undo()
    assert player.game["piles"] == piles(before)
    player.redo()
    assert player.game["piles"] == piles(after)


def test_a_move_that_the_rules_refuse_is_a_problem_with_their_reason(player, game):
    problem = player.play("t1t1").json
    refusal = start(game, 1).why_not(Move("t1", "t1"))
    assert (problem["code"], problem["rule"]) == ("illegal-move", refusal.rule)
    assert (problem["detail"], problem["piles"]) == (refusal.detail, list(refusal.piles))


def test_a_finished_game_reveals_its_deal_and_its_replay_is_right(api, player, game):
    player.play(player.game["legal_moves"][0])
    player.resign()
    assert api.get(f"{player.path}/reveal").json["number"] == "1"
    replay = api.get(f"{player.path}/replay").json
    ruling = api.post("/v1/referee/verify", replay).json
    assert (ruling["fault"], ruling["status"]) == (None, "resigned")

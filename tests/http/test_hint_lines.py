"""The whole line of a hint over HTTP: it wins or leads to the next card, whoever reads it again."""

import pytest

from tests.http.kit import KEY


def hint(player, **headers):
    return player.post("hint", {"version": player.version, "line": True}, **headers)


def test_the_line_of_a_winnable_game_wins(api):
    player = api.new_game("binary-star", 1)
    answer = hint(player).json
    assert answer["line"][0] == answer["move"]
    assert player.play(*answer["line"]).json["game"]["status"] == "won"


def test_the_line_of_a_game_with_face_down_cards_leads_to_the_next_one(api):
    player = api.new_game("astrocyte", 2)
    line = hint(player).json["line"]
    played = player.play(*line).json
    assert (played["applied"], played["stopped"]) == (len(line), None)
    assert played["reveals"]


def test_a_line_is_given_to_those_who_ask_for_it(api):
    player = api.new_game("binary-star", 1)
    assert player.post("hint", {"version": 1}).json["line"] is None
    assert player.post("hint", {"version": 2, "line": False}).json["line"] is None


def test_an_answer_read_again_has_its_line(api):
    player = api.new_game("binary-star", 1)
    first = player.post("hint", {"version": 1, "line": True}, Idempotency_Key=KEY)
    player.play(first.json["move"])
    again = player.post("hint", {"version": 1, "line": True}, Idempotency_Key=KEY)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == first.json


@pytest.mark.parametrize("line", [None, 1, 0, "true", [], [True]])
def test_whether_the_line_is_wanted_is_true_or_false(api, line):
    player = api.new_game("binary-star", 1)
    assert player.post("hint", {"version": 1, "line": line}).status == 422


def test_an_undo_that_a_hint_advised_leads_to_its_line(api):
    player = api.new_game("binary-star", 3)
    while not player.game["stuck"]:
        player.play(player.game["legal_moves"][0])
    advised = hint(player).json
    assert advised["move"] is None
    player.undo(advised["undo_steps"])
    answer = hint(player).json
    assert (answer["move"], answer["line"]) == (advised["line"][0], advised["line"])
    assert player.play(*answer["line"]).json["game"]["status"] == "won"


def test_the_line_after_an_undo_is_no_plan_before_it(api):
    player = api.new_game("binary-star", 3)
    while not player.game["stuck"]:
        player.play(player.game["legal_moves"][0])
    first, again = hint(player).json, hint(player).json
    assert again == {**first, "game": again["game"]}
    assert again["move"] is None

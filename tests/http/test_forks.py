"""A game can go on from a replay at any ply, for practice, where that shows no hidden card."""

import copy

import pytest

from service.games import VARIANTS
from tests.http.kit import KEY, WON_DEAL, WON_LINE, known, nothing_changes
from tests.http.test_replays import play_on, replay
from tests.support.api import Player

every_variant = pytest.mark.parametrize("variant", VARIANTS)


def fork(api, told, ply, variant=None, *, label=None, **headers):
    deal = {"replay": told, "ply": ply}
    body = {"variant": variant or told["variant"], "deal": deal, "label": label}
    return api.post("/v1/games", body, **headers)


def forked(api, told, ply):
    answer = fork(api, told, ply)
    assert answer.status == 201, answer.body
    return Player(api, answer.json["game"], answer.json["play_token"])


@pytest.fixture
def told(api):
    """The replay of a numbered deal of Astrocyte, some rows dealt."""
    player = api.new_game("astrocyte", 1)
    player.play("deal")
    return replay(play_on(player, 25)).json


@pytest.fixture
def revealed(api):
    """The replay of a deal that was sealed, its game given up."""
    player = play_on(api.fair_game("astrocyte", "0f" * 16), 25)
    player.resign()
    return replay(player).json


# What a fork is


@every_variant
def test_a_fork_stands_as_the_game_stood_at_that_ply(api, variant):
    player = api.new_game(variant, 5)
    tables = [player.game["piles"]]
    for _ in range(12):
        assert player.play(player.game["legal_moves"][-1]).status == 200
        tables.append(player.game["piles"])
    told = replay(player).json
    for ply, table in enumerate(tables):
        game = forked(api, told, ply).game
        assert (game["piles"], game["ply"], game["forked_at"]) == (table, ply, ply)
        assert (game["version"], game["status"]) == (1, "in_progress")


def test_a_game_that_begins_with_a_deal_is_no_fork(api):
    for player in (api.new_game("astrocyte", 1), api.new_game("astrocyte")):
        assert player.game["forked_at"] is None
        player.play("deal")
        assert player.game["forked_at"] is None


def test_a_fork_is_played_undone_and_redone_like_any_game(api, told):
    player = forked(api, told, 3)
    at_the_fork = player.game["piles"]
    assert player.play(told["moves"][3]).status == 200
    assert replay(player).json["moves"] == told["moves"][:4]
    assert player.undo(4).status == 200
    assert player.game["piles"] == told["start"]
    assert player.redo(3).status == 200
    assert player.game["piles"] == at_the_fork
    assert player.game["forked_at"] == 3


def test_a_fork_has_nothing_to_redo(api, told):
    game = forked(api, told, 3).game
    assert game["can"]["redo"] is False
    assert game["counters"] == {"moves": 0, "undos": 0, "hints": 0, "reveals_undone": 0}


def test_the_replay_of_a_fork_is_right_and_can_be_forked_again(api, revealed):
    player = play_on(forked(api, revealed, 4), 10)
    again = replay(player).json
    assert api.post("/v1/referee/verify", again).json["right"]
    assert forked(api, again, len(again["moves"])).game["piles"] == player.game["piles"]


def test_moves_and_a_number_are_enough_for_a_fork(api):
    short = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": ["t7t2", "t4t3"]}
    assert forked(api, short, 1).game["ply"] == 1


def test_hints_follow_the_line_of_a_fork(api):
    told = {"variant": "binary-star", "deal": {"number": str(WON_DEAL)}, "moves": WON_LINE}
    player = forked(api, told, 60)
    answer = player.post("hint", {"version": 1})
    assert (answer.status, answer.json["verdict"]) == (200, "winnable")


# Practice, and nothing else


def test_a_deal_that_was_sealed_is_none_any_more(api, revealed):
    player = forked(api, revealed, 2)
    assert player.game["deal"]["fairness"] == "revealed"
    assert player.game["deal"]["commitment"] == revealed["deal"]["commitment"]
    told = api.get(f"{player.path}/reveal").json
    assert told["server_seed"] == revealed["deal"]["server_seed"]
    player.play(player.game["legal_moves"][0])
    assert player.game["deal"]["fairness"] == "revealed"


def test_a_fork_counts_in_no_figures_and_is_no_attempt(api):
    told = {"variant": "binary-star", "deal": {"number": str(WON_DEAL)}, "moves": WON_LINE}
    path = f"/v1/deals/binary-star-{WON_DEAL}/results"
    stats = "/v1/stats?variant=binary-star&label=ada"
    before = [api.get(place).json for place in (path, stats)]
    assert all("status" not in figures for figures in before)
    made = fork(api, told, len(WON_LINE) - 1, label="ada")
    player = Player(api, made.json["game"], made.json["play_token"])
    player.play(WON_LINE[-1])
    assert player.game["status"] == "won"
    assert [api.get(place).json for place in (path, stats)] == before
    first = api.new_game("binary-star", WON_DEAL, label="ada")
    first.play(*WON_LINE)
    (item,) = api.get(path).json["items"]
    assert item["first_attempt"]


# What is refused


def test_nobody_goes_on_from_a_sealed_game_that_is_still_played(api, fake):
    told = replay(play_on(api.new_game("astrocyte"), 10)).json
    with nothing_changes(fake):
        for ply in (0, len(told["moves"])):
            assert known(fork(api, told, ply)) == (409, "replay-sealed")


def test_seeds_that_are_guessed_show_cards_of_another_deal_alone(api, fake):
    told = replay(play_on(api.new_game("astrocyte"), 10)).json
    told["deal"] |= {"server_seed": "00" * 32, "player_seed": ""}
    with nothing_changes(fake):
        answer = fork(api, told, 0)
    assert known(answer) == (409, "replay-wrong")
    assert answer.json["fault"] == "commitment-differs"


def test_a_replay_with_one_wrong_card_is_refused(api, fake, told):
    for place in range(len(told["reveals"])):
        wrong = copy.deepcopy(told)
        turned = wrong["reveals"][place]
        turned["card"] = "9H" if turned["card"] != "9H" else "8H"
        with nothing_changes(fake):
            answer = fork(api, wrong, 0)
        assert known(answer) == (409, "replay-wrong")
        assert (answer.json["fault"], answer.json["ply"]) == ("reveals-differ", turned["ply"])


def test_a_replay_with_a_wrong_move_is_refused_with_its_rule(api, fake, told):
    wrong = {**told, "moves": [*told["moves"], "t1t1"]}
    with nothing_changes(fake):
        answer = fork(api, wrong, 1)
    assert known(answer) == (409, "replay-wrong")
    members = {name: answer.json[name] for name in ("fault", "ply", "move", "rule")}
    assert members == {
        "fault": "illegal-move",
        "ply": len(wrong["moves"]),
        "move": "t1t1",
        "rule": "same-pile",
    }


def test_a_ply_that_the_replay_has_not_is_refused(api, fake, told):
    with nothing_changes(fake):
        answer = fork(api, told, len(told["moves"]) + 1)
    assert known(answer) == (409, "replay-wrong")
    assert (answer.json["fault"], answer.json["ply"]) == ("too-short", len(told["moves"]))


def test_a_replay_of_another_variant_is_refused(api, fake, told):
    with nothing_changes(fake):
        answer = fork(api, told, 0, "binary-star")
    assert known(answer) == (409, "replay-wrong")
    assert answer.json["fault"] == "variant-differs"


def test_nobody_goes_on_where_the_game_is_won(api, fake):
    told = {"variant": "binary-star", "deal": {"number": str(WON_DEAL)}, "moves": WON_LINE}
    with nothing_changes(fake):
        assert known(fork(api, told, len(WON_LINE))) == (409, "game-over")


@pytest.mark.parametrize("ply", [-1, 10_001, 0.5, "1", None, True])
def test_a_ply_of_the_wrong_form_is_refused(api, fake, told, ply):
    with nothing_changes(fake):
        answer = fork(api, told, ply)
    assert known(answer) == (422, "invalid-request")
    assert answer.json["errors"][0]["pointer"] == "/deal/ply"


def test_a_fault_inside_a_replay_is_pointed_at(api, fake, told):
    told["reveals"][3]["card"] = "10H"
    with nothing_changes(fake):
        answer = fork(api, told, 1)
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/deal/replay/reveals/3/card"]


# Sent again


def test_a_fork_that_is_sent_again_is_the_same_game(api, fake, told):
    first = fork(api, told, 3, Idempotency_Key=KEY)
    with nothing_changes(fake):
        again = fork(api, told, 3, Idempotency_Key=KEY)
        assert known(fork(api, told, 2, Idempotency_Key=KEY)) == (422, "idempotency-key-reused")
    assert (again.status, again.body) == (201, first.body)
    assert again.headers["Idempotency-Replayed"] == "true"

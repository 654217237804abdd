"""A game can go on from a replay at any ply, for practice, where that shows no hidden card."""

import copy

import pytest

from tests.http.kit import (
    KEY,
    WON_DEAL,
    WON_LINE,
    assert_replayed,
    every_variant,
    faults,
    known,
    nothing_changes,
    play_on,
)
from tests.http.test_replays import replay

WON = {"variant": "binary-star", "deal": {"number": str(WON_DEAL)}, "moves": WON_LINE}


def fork(api, source, ply, variant=None, *, label=None, **headers):
    deal = {"replay": source, "ply": ply}
    body = {"variant": variant or source["variant"], "deal": deal, "label": label}
    return api.post("/v1/games", body, **headers)


def forked(api, source, ply, **more):
    deal = {"replay": source, "ply": ply}
    return api.begin({"variant": source["variant"], "deal": deal, **more})


@pytest.fixture
def numbered(api):
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
    assert player.game["forked_at"] is None
    for _ in range(12):
        assert player.play(player.game["legal_moves"][-1]).status == 200
        tables.append(player.game["piles"])
    source = replay(player).json
    for ply, table in enumerate(tables):
        game = forked(api, source, ply).game
        assert (game["piles"], game["ply"], game["forked_at"]) == (table, ply, ply)
        assert (game["version"], game["status"]) == (1, "in_progress")
        assert (game["can"]["undo"], game["can"]["redo"]) == (ply > 0, False)
        assert set(game["counters"].values()) == {0}


def test_a_fork_is_played_undone_and_redone_like_any_game(api, numbered):
    player = forked(api, numbered, 3)
    at_the_fork = player.game["piles"]
    assert player.play(numbered["moves"][3]).status == 200
    assert replay(player).json["moves"] == numbered["moves"][:4]
    assert player.undo(4).status == 200
    assert player.game["piles"] == numbered["start"]
    assert player.redo(3).status == 200
    assert player.game["piles"] == at_the_fork
    assert player.game["forked_at"] == 3


def test_the_replay_of_a_fork_is_right_and_can_be_forked_again(api, revealed):
    player = play_on(forked(api, revealed, 4), 10)
    again = replay(player).json
    assert api.post("/v1/referee/verify", again).json["right"]
    assert forked(api, again, len(again["moves"])).game["piles"] == player.game["piles"]


def test_moves_and_a_number_are_enough_for_a_fork_and_its_hints(api):
    player = forked(api, WON, 60)
    answer = player.post("hint", {"version": 1})
    assert (answer.status, answer.json["verdict"], player.game["ply"]) == (200, "winnable", 60)


# Practice, and nothing else


def test_a_deal_that_was_sealed_is_so_no_more(api, revealed):
    player = forked(api, revealed, 2)
    player.play(player.game["legal_moves"][0])
    assert player.game["deal"]["fairness"] == "revealed"
    assert player.game["deal"]["commitment"] == revealed["deal"]["commitment"]
    reveal = api.get(f"{player.path}/reveal").json
    assert reveal["server_seed"] == revealed["deal"]["server_seed"]


def test_a_fork_counts_in_no_figures_and_is_no_attempt(api):
    path = f"/v1/deals/binary-star-{WON_DEAL}/results"
    stats = "/v1/stats?variant=binary-star&label=ada"

    def told():
        return api.get(path).json, api.get(stats).json["items"][0]["figures"]

    before = told()
    player = forked(api, WON, len(WON_LINE) - 1, label="ada")
    player.play(WON_LINE[-1])
    assert player.game["status"] == "won"
    assert told() == before
    first = api.new_game("binary-star", WON_DEAL, label="ada", label_key=player.label_key)
    first.play(*WON_LINE)
    (item,) = api.get(path).json["items"]
    assert item["first_attempt"]


# What is refused


def test_nobody_goes_on_from_a_sealed_game_that_is_still_played(api, fake):
    source = replay(play_on(api.new_game("astrocyte"), 10)).json
    with nothing_changes(fake):
        for ply in (0, len(source["moves"])):
            assert known(fork(api, source, ply)) == (409, "replay-sealed")


def wrong(api, fake, source, ply, *, variant=None):
    """What is wrong with a replay that is refused, and at which ply."""
    with nothing_changes(fake):
        answer = fork(api, source, ply, variant)
    assert known(answer) == (409, "replay-wrong")
    return answer.json["fault"], answer.json["ply"]


def test_guessed_seeds_open_no_game_that_is_still_played(api, fake):
    source = replay(play_on(api.new_game("astrocyte"), 10)).json
    source["deal"] |= {"server_seed": "00" * 32, "player_seed": ""}
    assert wrong(api, fake, source, 0) == ("commitment-differs", 0)


def test_a_replay_that_is_wrong_anywhere_is_refused(api, fake, numbered):
    length = len(numbered["moves"])
    other_card = copy.deepcopy(numbered)
    turned = other_card["reveals"][-1]
    turned["card"] = "9H" if turned["card"] != "9H" else "8H"
    assert wrong(api, fake, other_card, 0) == ("reveals-differ", turned["ply"])
    assert wrong(api, fake, numbered, length + 1) == ("too-short", length)
    assert wrong(api, fake, numbered, 0, variant="binary-star") == ("variant-differs", 0)


def test_a_replay_with_a_wrong_move_is_refused_with_its_rule(api, fake, numbered):
    moves = [*numbered["moves"], "t1t1"]
    with nothing_changes(fake):
        problem = fork(api, {**numbered, "moves": moves}, 1).json
    said = {name: problem[name] for name in ("code", "fault", "ply", "move", "rule")}
    assert said == {
        "code": "replay-wrong",
        "fault": "illegal-move",
        "ply": len(moves),
        "move": "t1t1",
        "rule": "same-pile",
    }


def test_nobody_goes_on_where_the_game_is_won(api, fake):
    with nothing_changes(fake):
        assert known(fork(api, WON, len(WON_LINE))) == (409, "game-over")


def test_a_fault_inside_a_replay_is_pointed_at(api, fake, numbered):
    numbered["reveals"][3]["card"] = "10H"
    with nothing_changes(fake):
        answer = fork(api, numbered, 1)
    assert faults(answer) == ["/deal/replay/reveals/3/card"]


# Repeated requests


def test_a_repeated_fork_is_the_same_game(api, fake, numbered):
    first = fork(api, numbered, 3, Idempotency_Key=KEY)
    with nothing_changes(fake):
        assert_replayed(fork(api, numbered, 3, Idempotency_Key=KEY), first)
        other = fork(api, numbered, 2, Idempotency_Key=KEY)
    assert known(other) == (422, "idempotency-key-reused")

"""What is undone is hidden again, and what is redone is the same to the last card."""

import pytest

from tests.http.kit import (
    WON_DEAL,
    WON_LINE,
    every_variant,
    instance_on,
    known,
    nothing_changes,
    table,
    without,
)
from tests.support.api import Player
from tests.support.walks import fixture

CHANGING = ("version", "counters", "updated_at", "expires_at")
"""What differs though the game has come to the same position."""


@pytest.fixture
def row(api):
    """A player of Astrocyte, deal 1, before the first move."""
    return api.new_game("astrocyte", 1)


@pytest.fixture
def star(api):
    """A player of Binary Star, ten moves into a game."""
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE[:10])
    return player


# Hidden again


def test_a_card_that_was_turned_up_is_face_down_again_after_an_undo(row):
    before = row.game
    row.play("t3c1")
    assert "t3t4" in row.game["legal_moves"]
    turned = row.pile("t3")["cards"]
    answer = row.undo()
    assert without(row.game, "can", *CHANGING) == without(before, "can", *CHANGING)
    assert turned[0] not in answer.body.decode()
    assert row.play("t3t4").json["rule"] == "rank-not-one-lower"


def test_a_row_goes_back_to_the_stock_and_comes_again_as_it_was(row):
    before = table(row.game)
    dealt = row.play("deal").json["reveals"]
    after = table(row.game)
    answer = row.undo()
    assert table(row.game) == before
    assert "reveals" not in answer.json
    assert row.game["counters"]["reveals_undone"] == 8
    assert row.play("deal").json["reveals"] == dealt
    assert table(row.game) == after


@every_variant
def test_a_sealed_deal_keeps_its_order_through_undo_and_redo(api, store, variant):
    player = api.new_game(variant)
    move = player.game["legal_moves"][-1]
    player.play(move)
    first = player.game["piles"]
    elsewhere = Player(instance_on(store), player.game, player.token)
    for _ in range(3):
        elsewhere.undo()
        elsewhere.redo()
        assert elsewhere.game["piles"] == first
    elsewhere.undo()
    elsewhere.play(move)
    assert elsewhere.game["piles"] == first


# One step, one version


@pytest.mark.parametrize(
    ("variant", "number", "before", "move"),
    [
        ("astrocyte", 1, [], "t7t2"),
        ("astrocyte", 1, [], "deal"),
        ("astrocyte", 1, ["t1c1"], "c1c2"),
        ("astrocyte", 8, fixture("astrocyte-won-line.json")["moves"][:57], "t4f1x13"),
        ("binary-star", 1, [], "t5f1"),
        ("binary-star", 1, ["t5f1", "t1f2"], "f1f2"),
    ],
    ids=["a flip", "a row", "cell to cell", "a run and a flip", "a card to a hole", "a transfer"],
)
def test_a_move_is_one_version_and_one_undo(api, variant, number, before, move):
    player = api.new_game(variant, number)
    for earlier in before:
        player.play(earlier)
    start = player.game
    assert player.play(move).status == 200
    assert (player.version, player.game["ply"]) == (start["version"] + 1, start["ply"] + 1)
    player.undo()
    assert (player.version, player.game["ply"]) == (start["version"] + 2, start["ply"])
    assert without(player.game, "can", *CHANGING) == without(start, "can", *CHANGING)


# Steps


def test_steps_are_one_if_none_are_given(player):
    player.post("undo", {"version": player.version})
    assert player.game["ply"] == 0
    player.post("redo", {"version": player.version})
    assert player.game["ply"] == 1


def test_batches_are_undone_move_by_move_and_across_their_beginning(star):
    star.play(*WON_LINE[10:14])
    star.undo()
    assert star.game["ply"] == 13
    assert star.game["can"] == {"undo": True, "redo": True, "deal": False}
    star.undo(6)
    assert star.game["ply"] == 7
    star.redo(6)
    assert star.game["ply"] == 13


# Counters


def test_counters_count_and_never_fall(row):
    counted = []
    for act in (
        lambda: row.play("t7t2"),
        row.undo,
        row.redo,
        lambda: row.play("deal"),
        lambda: row.undo(2),
        lambda: row.redo(2),
        row.undo,
        lambda: row.play("t1c1", "c1c2"),
        row.undo,
    ):
        act()
        counters = row.game["counters"]
        counted.append((counters["moves"], counters["undos"], counters["reveals_undone"]))
    undone = [(1, 1, 1), (1, 1, 1), (2, 1, 1), (2, 3, 10), (2, 3, 10), (2, 4, 18)]
    assert counted == [(1, 0, 0), *undone, (3, 4, 18), (3, 5, 19)]


# The branch that is dropped


def test_a_new_move_drops_what_had_been_undone(row, fake):
    row.play("t7t2")
    row.undo()
    row.play("t2t5")
    played = row.game
    assert played["can"]["redo"] is False
    with nothing_changes(fake):
        assert known(row.redo()) == (409, "nothing-to-redo")
    assert row.read().json == played


def test_a_refused_move_leaves_what_had_been_undone(row):
    row.play("t7t2")
    row.undo()
    assert known(row.play("t1t1")) == (409, "illegal-move")
    assert row.redo().status == 200


# Nothing to undo or redo


@pytest.mark.parametrize(("act", "available"), [("undo", 6), ("redo", 4)])
def test_no_more_is_undone_than_was_played_and_no_more_redone_than_was_undone(
    star, fake, act, available
):
    star.undo(4)
    step = getattr(star, act)
    for steps in (available + 1, 10_000):
        with nothing_changes(fake):
            answer = step(steps)
        assert known(answer) == (409, f"nothing-to-{act}")
        assert (answer.json["asked"], answer.json["available"]) == (steps, available)
    assert step(available).status == 200
    assert known(step()) == (409, f"nothing-to-{act}")

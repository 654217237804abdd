"""What is taken back lies hidden again, and what is played again is the same to the last card."""

import random

import pytest

from service.config import Settings
from service.games import VARIANTS
from service.play.keys import ServerKey
from tests.http.kit import WON_DEAL, WON_LINE, app_on, known, nothing_changes, table, without
from tests.http.test_moves import RUN_AT_HAND, TO_THE_RUN
from tests.support.api import Api, Player, in_process
from tests.support.servers import SERVER_KEY

CHANGING = ("version", "counters", "updated_at", "expires_at")
"""What differs though the game has come to the same position."""


@pytest.fixture
def row(api):
    """A player of Astrocyte, deal 1, before the first move."""
    return api.new_game("astrocyte", 1)


def wander(player, moves, seed):
    """Plays `moves` legal moves, chosen at random."""
    choice = random.Random(seed)
    for _ in range(moves):
        player.play(choice.choice(player.game["legal_moves"]))


# Hidden again


def test_a_card_that_was_turned_up_lies_face_down_again_after_the_undo(row):
    before = row.game
    row.play("t7t2")
    assert row.pile("t7")["cards"] == ["KD"]
    answer = row.undo()
    assert row.pile("t7") == {"id": "t7", "kind": "tableau", "hidden": 7, "cards": ["9H"]}
    assert without(row.game, "can", *CHANGING) == without(before, "can", *CHANGING)
    assert "KD" not in answer.body.decode()


def test_a_card_that_is_hidden_again_cannot_be_played(row):
    row.play("t3c1")
    assert "t3t4" in row.game["legal_moves"]
    row.undo()
    assert "t3t4" not in row.game["legal_moves"]
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


def test_a_redo_brings_back_the_identical_cards(row):
    row.play("deal")
    dealt = row.game["piles"]
    row.undo()
    row.redo()
    assert row.game["piles"] == dealt


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_sealed_deal_keeps_its_order_through_undo_and_redo(api, variant):
    player = api.new_game(variant)
    while not player.game["legal_moves"]:
        player = api.new_game(variant)
    move = player.game["legal_moves"][-1]
    player.play(move)
    first = player.game["piles"]
    for _ in range(3):
        player.undo()
        player.redo()
        assert player.game["piles"] == first
    player.undo()
    player.play(move)
    assert player.game["piles"] == first


def test_a_redo_at_another_worker_brings_the_same_cards(row, store, contract):
    dealt = row.play("deal").json["reveals"]
    row.undo()
    settings = Settings(ServerKey(SERVER_KEY.encode()), "redis://nowhere")
    elsewhere = Player(Api(in_process(app_on(store, settings)), contract), row.game, row.token)
    elsewhere.redo()
    assert [
        {"pile": f"t{n}", "card": elsewhere.pile(f"t{n}")["cards"][-1]} for n in range(1, 9)
    ] == dealt


# One step, one version


@pytest.mark.parametrize(
    ("variant", "number", "before", "move"),
    [
        ("astrocyte", 1, [], "t7t2"),
        ("astrocyte", 1, [], "deal"),
        ("astrocyte", 1, ["t1c1"], "c1c2"),
        ("binary-star", 1, [], "t5f1"),
        ("binary-star", 1, ["t5f1", "t1f2"], "f1f2"),
    ],
    ids=["a flip", "a row", "cell to cell", "a card to a hole", "a transfer"],
)
def test_a_move_is_one_version_and_one_undo(api, variant, number, before, move):
    player = api.new_game(variant, number)
    for earlier in before:
        player.play(earlier)
    start = player.game
    player.play(move)
    assert (player.version, player.game["ply"]) == (start["version"] + 1, start["ply"] + 1)
    player.undo()
    assert (player.version, player.game["ply"]) == (start["version"] + 2, start["ply"])
    assert without(player.game, "can", *CHANGING) == without(start, "can", *CHANGING)


def test_a_run_that_goes_off_and_bares_a_card_is_one_version_and_one_undo(api, stack):
    stack(RUN_AT_HAND)
    player = api.new_game("astrocyte")
    for move in TO_THE_RUN:
        player.play(move)
    start = player.game
    assert player.play("t1f1x13").json["reveals"] == [{"pile": "t1", "card": "2H"}]
    assert player.version == start["version"] + 1
    player.undo()
    assert without(player.game, "can", *CHANGING) == without(start, "can", *CHANGING)


def test_the_version_never_goes_back(api):
    player, choice = api.new_game("astrocyte", 3), random.Random(3)
    for version in range(2, 60):
        can = player.game["can"]
        acts = [lambda: player.play(choice.choice(player.game["legal_moves"]))]
        acts += [player.undo] * can["undo"] + [player.redo] * can["redo"]
        assert choice.choice(acts)().status == 200
        assert player.version == version


# Steps


@pytest.mark.parametrize("variant", VARIANTS)
def test_thirty_moves_are_taken_back_and_played_again_one_by_one(api, variant):
    player = api.new_game(variant, WON_DEAL)
    if variant == "binary-star":
        for move in WON_LINE[:30]:
            player.play(move)
    else:
        wander(player, 30, variant)
    tables = [player.game]
    for _ in range(30):
        player.undo()
        tables.append(player.game)
    assert (player.game["ply"], player.game["can"]["undo"]) == (0, False)
    for earlier in reversed(tables[:-1]):
        player.redo()
        assert without(player.game, *CHANGING) == without(earlier, *CHANGING)
    assert (player.game["ply"], player.game["can"]["redo"]) == (30, False)


def test_many_moves_are_taken_back_and_played_again_at_once(api):
    player = api.new_game("astrocyte", 4)
    start = player.game
    wander(player, 30, 4)
    end = player.game
    assert player.undo(30).status == 200
    assert without(player.game, "can", *CHANGING) == without(start, "can", *CHANGING)
    player.redo(30)
    assert without(player.game, *CHANGING) == without(end, *CHANGING)
    assert player.version == end["version"] + 2


def test_steps_are_one_if_nothing_is_said(player):
    player.post("undo", {"version": player.version})
    assert player.game["ply"] == 0
    player.post("redo", {"version": player.version})
    assert player.game["ply"] == 1


def test_a_batch_is_taken_back_move_by_move(api):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE[:10])
    player.undo()
    assert (player.game["ply"], player.game["can"]) == (
        9,
        {"undo": True, "redo": True, "deal": False},
    )


def test_an_undo_goes_back_past_the_beginning_of_a_batch(api):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE[:3])
    before = player.game
    player.play(WON_LINE[3])
    player.play(*WON_LINE[4:9])
    player.undo(6)
    assert table(player.game) == table(before)


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
    ):
        act()
        counters = row.game["counters"]
        counted.append((counters["moves"], counters["undos"], counters["reveals_undone"]))
    assert counted == [
        (1, 0, 0),
        (1, 1, 1),
        (1, 1, 1),
        (2, 1, 1),
        (2, 3, 10),
        (2, 3, 10),
        (2, 4, 18),
    ]


def test_a_move_that_turned_nothing_counts_no_card_as_hidden_again(row):
    row.play("t1c1")
    row.play("c1c2")
    row.undo()
    assert row.game["counters"] == {"moves": 2, "undos": 1, "hints": 0, "reveals_undone": 0}


# The branch that is dropped


def test_a_new_move_drops_what_had_been_taken_back(row, fake):
    row.play("t7t2")
    row.undo()
    row.play("t2t5")
    played = row.game
    assert played["can"]["redo"] is False
    with nothing_changes(fake):
        answer = row.redo()
    assert known(answer) == (409, "nothing-to-redo")
    assert (answer.json["asked"], answer.json["available"]) == (1, 0)
    assert row.read().json == played


def test_the_same_move_again_drops_the_rest_of_what_had_been_taken_back(api):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE[:10])
    player.undo(5)
    player.play(WON_LINE[5])
    assert (player.game["ply"], player.game["can"]["redo"]) == (6, False)


def test_a_refused_move_leaves_what_had_been_taken_back(row):
    row.play("t7t2")
    row.undo()
    assert known(row.play("t1t1")) == (409, "illegal-move")
    assert row.redo().status == 200


# Nothing there


@pytest.mark.parametrize(
    ("played", "steps"), [(0, 1), (0, 10_000), (1, 2), (3, 4), (3, 10_000)], ids=str
)
def test_more_than_was_played_is_not_taken_back(api, fake, played, steps):
    player = api.new_game("binary-star", WON_DEAL)
    if played:
        player.play(*WON_LINE[:played])
    with nothing_changes(fake):
        answer = player.undo(steps)
    assert known(answer) == (409, "nothing-to-undo")
    assert (answer.json["asked"], answer.json["available"]) == (steps, played)


@pytest.mark.parametrize(
    ("undone", "steps"), [(0, 1), (0, 10_000), (1, 2), (3, 4), (3, 10_000)], ids=str
)
def test_more_than_was_taken_back_is_not_played_again(api, fake, undone, steps):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE[:5])
    if undone:
        player.undo(undone)
    with nothing_changes(fake):
        answer = player.redo(steps)
    assert known(answer) == (409, "nothing-to-redo")
    assert (answer.json["asked"], answer.json["available"]) == (steps, undone)


def test_nothing_of_too_long_an_undo_is_done(api):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE[:5])
    before = player.game
    player.undo(6)
    assert player.read().json == before
    assert player.undo(5).status == 200

"""Moves are played one by one or in batches, all of a batch or none, up to the first new card."""

import random

import pytest

from service.games import VARIANTS
from tests.http.kit import (
    WON_DEAL,
    WON_LINE,
    every_variant,
    faults,
    known,
    nothing_changes,
    put,
    table,
    without,
)
from tests.support import reading
from tests.support.walks import fixture

ROW = ["7S", "5D", "8C", "2S", "QS", "6S", "AH", "5D"]
"""The first row of the stock of Astrocyte, deal 1."""


@pytest.fixture
def star(api):
    """A player of Binary Star, whose whole game is known."""
    return api.new_game("binary-star", WON_DEAL)


@pytest.fixture
def row(api):
    """A player of Astrocyte, deal 1, before the first move."""
    return api.new_game("astrocyte", 1)


# One move


@every_variant
@pytest.mark.parametrize("number", [1, 2])
def test_a_walk_shows_at_every_step_what_the_plain_reading_comes_to(api, variant, number):
    choice = random.Random(f"{variant} {number}")
    player, as_read = api.new_game(variant, number), reading.deal(variant, number)
    for ply in range(40):
        shown = {id: (as_read.down[id], tuple(as_read.seen(id))) for id in as_read.piles}
        assert table(player.game) == shown
        assert set(player.game["legal_moves"]) == as_read.listed()
        counted = (player.version, player.game["ply"], player.game["counters"]["moves"])
        assert counted == (ply + 1, ply, ply)
        if not player.game["legal_moves"]:
            break
        move = choice.choice(player.game["legal_moves"])
        answer = player.play(move).json
        assert (answer["applied"], answer["stopped"]) == (1, None)
        as_read.play(move)
    assert player.game["ply"] > 10


@every_variant
def test_every_move_on_the_list_is_accepted(api, variant):
    player = api.new_game(variant, 1)
    for choice in range(5):
        for move in player.game["legal_moves"]:
            assert player.play(move).status == 200
            player.undo()
        player.play(player.game["legal_moves"][choice % len(player.game["legal_moves"])])


@every_variant
def test_what_the_plain_reading_does_not_allow_is_refused(api, fake, variant):
    player, allowed = api.new_game(variant, 5), reading.deal(variant, 5).accepted()
    refused = [move for move in map(str, VARIANTS[variant].actions) if move not in allowed]
    with nothing_changes(fake):
        for move in refused[:: max(1, len(refused) // 50)]:
            assert known(player.play(move)) == (409, "illegal-move")


def test_a_move_that_bares_a_face_down_card_turns_it_up(row):
    assert row.play("t7t2").json["reveals"] == [{"pile": "t7", "card": "KD"}]
    assert row.pile("t7") == {"id": "t7", "kind": "tableau", "hidden": 6, "cards": ["KD"]}


def test_a_row_that_is_dealt_turns_up_a_card_on_every_column(row):
    reveals = row.play("deal").json["reveals"]
    assert reveals == [{"pile": f"t{n}", "card": card} for n, card in enumerate(ROW, 1)]
    assert row.pile("s") == {"id": "s", "kind": "stock", "hidden": 32, "cards": []}


# Batches


@pytest.mark.parametrize("length", [1, 30, 101])
def test_a_batch_leads_where_its_moves_lead_one_by_one(star, api, length):
    answer, other = star.play(*WON_LINE[:length]), api.new_game("binary-star", WON_DEAL)
    assert (answer.json["applied"], answer.json["stopped"]) == (length, None)
    assert (star.version, star.game["ply"], star.game["counters"]["moves"]) == (2, length, length)
    for move in WON_LINE[:length]:
        other.play(move)
    aside = ("id", "version", "created_at", "updated_at", "expires_at")
    assert without(star.game, *aside) == without(other.game, *aside)


@pytest.mark.parametrize("index", [0, 1, 100])
def test_one_illegal_move_and_nothing_of_the_batch_is_played(star, fake, index):
    with nothing_changes(fake):
        answer = star.play(*WON_LINE[:index], "t1t2", "t1t1", *WON_LINE[index:])
    assert known(answer) == (409, "illegal-move")
    assert (answer.json["index"], answer.json["move"]) == (index, "t1t2")


@pytest.mark.parametrize(
    ("batch", "applied", "stopped", "turned"),
    [
        (["t7t2"], 1, None, ["KD"]),
        (["t7t2", "t4t3"], 1, "reveal", ["KD"]),
        (["t7t2", *["t1t1"] * 199], 1, "reveal", ["KD"]),
        (["deal", "deal"], 1, "reveal", ROW),
        (["deal", "t18f1"], 1, "reveal", ROW),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else str(value),
)
def test_a_batch_ends_with_the_move_that_turns_a_card(row, batch, applied, stopped, turned):
    """Were the batch rolled back, a look under every card would be free."""
    answer = row.play(*batch)
    assert (answer.json["applied"], answer.json["stopped"]) == (applied, stopped)
    assert [reveal["card"] for reveal in answer.json["reveals"]] == turned
    assert row.read().json == answer.json["game"]
    assert (row.version, row.game["ply"]) == (2, 1)


def test_moves_before_the_one_that_turns_a_card_are_applied_with_it(row):
    row.play("t1c1")
    answer = row.play("c1c2", "c2c3", "t7t2", "c3c4")
    assert (answer.json["applied"], answer.json["stopped"]) == (3, "reveal")
    assert [row.pile(f"c{n}")["cards"] for n in (1, 2, 3, 4)] == [[], [], ["KC"], []]
    assert row.game["ply"] == 4


def test_an_illegal_move_before_the_first_card_is_turned_refuses_the_batch(row, fake):
    row.play("t1c1")
    with nothing_changes(fake):
        answer = row.play("c1c2", "c1c3", "t7t2")
    assert known(answer) == (409, "illegal-move")
    assert (answer.json["index"], answer.json["rule"]) == (1, "source-empty")


def test_a_batch_has_at_most_200_moves(api, fake):
    player = api.new_game("binary-star", 1)
    player.play("t5f1", "t1f2")
    before = table(player.game)
    assert player.play(*["f1f2", "f2f1"] * 100).json["applied"] == 200
    assert (table(player.game), player.game["ply"]) == (before, 202)
    with nothing_changes(fake):
        for length in (0, 201):
            assert faults(player.play(*["f1f2"] * length)) == ["/moves"]


# Winning


@pytest.mark.parametrize(
    ("rest", "stopped"), [([], None), (["f1f2"], "won"), (["t1t1", "t99c99"], "won")], ids=str
)
def test_a_batch_ends_with_the_winning_move(star, rest, stopped):
    answer = star.play(*WON_LINE, *rest)
    assert (answer.json["applied"], answer.json["stopped"]) == (102, stopped)
    assert (star.game["status"], star.version, star.game["ply"]) == ("won", 2, 102)
    assert (star.game["legal_moves"], star.game["stuck"]) == ([], False)
    assert star.game["can"] == {"undo": False, "redo": False, "deal": False}


def test_a_whole_game_of_astrocyte_is_won_by_batches_that_each_end_at_a_card(api):
    won = fixture("astrocyte-won-line.json")
    player = api.new_game("astrocyte", int(won["deal"]))
    while player.game["status"] == "in_progress":
        rest = won["moves"][player.game["ply"] :]
        applied, reveals, stopped, _ = player.play(*rest[:200]).json.values()
        whole = applied == len(rest[:200])
        assert stopped == (None if whole else "reveal")
        assert reveals or whole
    assert player.game["ply"] == len(won["moves"])


@pytest.mark.parametrize("end", ["won", "resigned"])
def test_nothing_is_done_in_a_game_that_is_over_and_it_is_still_read(star, api, fake, end):
    star.play(*WON_LINE[:-1])
    if end == "won":
        star.play(WON_LINE[-1])
    else:
        star.resign()
    with nothing_changes(fake):
        for answer in (star.play("f1f2"), star.undo(), star.redo(), star.resign()):
            assert known(answer) == (409, "game-over")
            assert answer.json["game_status"] == end
    for part in ("", "/moves", "/legal-moves", "/reveal"):
        assert api.get(star.path + part).status == 200


# What the rules refuse


@pytest.mark.parametrize(
    ("batch", "rule", "index", "piles"),
    [
        (["t1t2"], "rank-not-one-lower", 0, ["t1", "t2"]),
        (["t1f1"], "foundation-needs-full-run", 0, ["t1", "f1"]),
        (["c1c2", "t2c2"], "target-occupied", 1, ["c2"]),
        (["t17c3"], "no-such-pile", 0, ["t17"]),
    ],
)
def test_a_refused_move_is_named_with_its_rule_and_piles(row, fake, batch, rule, index, piles):
    row.play("t1c1")
    with nothing_changes(fake):
        problem = row.play(*batch)
    assert known(problem) == (409, "illegal-move")
    said = {name: problem.json[name] for name in ("rule", "index", "move", "piles")}
    assert said == {"rule": rule, "index": index, "move": batch[index], "piles": piles}
    assert problem.json["detail"].endswith(".")


def test_a_refused_deal_names_every_empty_column_until_all_are_filled(api, store, fake):
    board = "t1: 9H\nt3: 9S\nt4: 5C 4C 3C\nt6: 7D\nt7: 7S\nt8: 7H\ns: [2C 3C 4C 5C 6C 7C 8C 9C]"
    player = put(api, store, board)
    for empty, filling in ((["t2", "t5"], "t4t2"), (["t5"], "t4t5")):
        with nothing_changes(fake):
            problem = player.play("deal").json
        assert (problem["rule"], problem["piles"]) == ("deal-blocked-by-empty-column", empty)
        assert player.game["can"]["deal"] is False
        player.play(filling)
    assert player.game["can"]["deal"] is True
    assert player.play("deal").status == 200


@pytest.mark.parametrize("move", ["t0t1", "T1T2", "9H", "t1.0f1", "TSf1", "t1t2" * 10_000, None, 3])
def test_a_text_that_is_no_move_is_malformed(row, fake, move):
    with nothing_changes(fake):
        assert faults(row.play("t1f1", move)) == ["/moves/1"]


# Stuck


def test_a_game_is_stuck_when_nothing_but_an_undo_leads_on_unless_it_is_over(api, store):
    columns = "t1: 2C\nt2: 2D\nt3: 2H\nt4: 2S\nt5: 4C\nt6: 4D\nt7: 4H\nt8: 4S"
    player = put(api, store, f"{columns}\nc1: 9C\nc2: 9D\nc3: 9H\nc4: 9S")
    assert (player.game["stuck"], player.game["legal_moves"]) == (True, [])
    assert player.game["status"] == "in_progress"
    player.resign()
    assert player.game["stuck"] is False
    assert api.get(f"{player.path}/legal-moves").json["stuck"] is False

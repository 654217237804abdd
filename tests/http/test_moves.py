"""Moves are played one by one or in batches, all of a batch or none, up to the first new card."""

import random

import pytest

from service.games import VARIANTS
from tests.contract.contract import document
from tests.http.kit import (
    KINGS_DOWN,
    WON_DEAL,
    WON_LINE,
    dump,
    known,
    nothing_changes,
    pack_that_lays_out,
    put,
    table,
    without,
)
from tests.support import reading
from tests.support.walks import fixture

FULL = {
    n: f"f{n}: {' '.join(rank + suit for rank in 'KQJT98765432A')}"
    for n, suit in enumerate("CCDDHHSS", start=1)
}
NEARLY_WON = "\n".join([*(FULL[n] for n in range(2, 9)), f"t1: {KINGS_DOWN}"])
"""Astrocyte, one run of clubs short of the win."""

TOPS = "t1: 2C\nt2: 2D\nt3: 2H\nt4: 2S\nt5: 4C\nt6: 4D\nt7: 4H\nt8: 4S"
"""Astrocyte, eight columns of one card, none of which fits another."""


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


def test_a_move_takes_a_card_from_one_pile_to_another(star):
    before = table(star.game)
    answer = star.play("t5f1")
    assert (answer.json["applied"], answer.json["reveals"], answer.json["stopped"]) == (1, [], None)
    moved = before["t5"][1][-1]
    assert table(star.game) == before | {
        "t5": (0, before["t5"][1][:-1]),
        "f1": (0, (*before["f1"][1], moved)),
    }


def test_a_move_makes_version_ply_and_counter_one_more(star):
    star.play("t5f1")
    assert (star.version, star.game["ply"], star.game["counters"]["moves"]) == (2, 1, 1)


def test_a_move_that_bares_a_face_down_card_turns_it_up(row):
    answer = row.play("t7t2")
    assert answer.json["reveals"] == [{"pile": "t7", "card": "KD"}]
    assert row.pile("t7") == {"id": "t7", "kind": "tableau", "hidden": 6, "cards": ["KD"]}
    assert row.pile("t2")["cards"] == ["TC", "9H"]


def test_a_row_that_is_dealt_turns_up_a_card_on_every_column(row):
    answer = row.play("deal")
    assert [reveal["pile"] for reveal in answer.json["reveals"]] == [f"t{n}" for n in range(1, 9)]
    for reveal in answer.json["reveals"]:
        assert row.pile(reveal["pile"])["cards"][-1] == reveal["card"]
    assert row.pile("s") == {"id": "s", "kind": "stock", "hidden": 32, "cards": []}


def test_five_rows_are_dealt_and_no_more(row):
    for left in (32, 24, 16, 8, 0):
        row.play("deal")
        assert row.pile("s")["hidden"] == left
    assert row.game["can"]["deal"] is False
    assert row.play("deal").json["rule"] == "stock-empty"


def test_a_move_that_changes_nothing_is_accepted_though_it_is_not_listed(row):
    row.play("t1c1")
    assert "c1c2" not in row.game["legal_moves"]
    assert row.play("c1c2").json["applied"] == 1


@pytest.mark.parametrize(
    ("variant", "number"),
    [("binary-star", 1), ("binary-star", 2), ("astrocyte", 1), ("astrocyte", 2)],
)
def test_a_walk_shows_at_every_step_what_the_plain_reading_comes_to(api, variant, number):
    choice = random.Random(f"{variant} {number}")
    player, as_read = api.new_game(variant, number), reading.deal(variant, number)
    for _ in range(40):
        shown = {id: (as_read.down[id], tuple(as_read.seen(id))) for id in as_read.piles}
        assert table(player.game) == shown
        assert set(player.game["legal_moves"]) == as_read.listed()
        if not player.game["legal_moves"]:
            break
        move = choice.choice(player.game["legal_moves"])
        assert player.play(move).json["applied"] == 1
        as_read.play(move)
    assert player.game["ply"] > 10


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_move_on_the_list_is_accepted(api, variant):
    choice = random.Random(variant)
    player = api.new_game(variant, 1)
    for _ in range(5):
        for move in player.game["legal_moves"]:
            assert player.play(move).status == 200
            player.undo()
        player.play(choice.choice(player.game["legal_moves"]))


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_the_plain_reading_does_not_allow_is_refused(api, fake, variant):
    player, as_read = api.new_game(variant, 5), reading.deal(variant, 5)
    allowed = as_read.accepted()
    refused = [move for move in map(str, VARIANTS[variant].actions) if move not in allowed]
    with nothing_changes(fake):
        for move in random.Random(5).sample(refused, min(len(refused), 100)):
            assert known(player.play(move)) == (409, "illegal-move")


# Batches


@pytest.mark.parametrize("length", [1, 2, 30, 101])
def test_a_batch_is_played_as_a_whole(star, length):
    answer = star.play(*WON_LINE[:length])
    assert (answer.json["applied"], answer.json["stopped"]) == (length, None)
    assert (star.version, star.game["ply"], star.game["counters"]["moves"]) == (2, length, length)


def test_a_batch_leads_where_its_moves_lead_one_by_one(api):
    one, other = (api.new_game("binary-star", WON_DEAL) for _ in range(2))
    one.play(*WON_LINE[:20])
    for move in WON_LINE[:20]:
        other.play(move)
    aside = ("id", "version", "created_at", "updated_at", "expires_at")
    assert without(one.game, *aside) == without(other.game, *aside)


@pytest.mark.parametrize("index", [0, 1, 50, 100])
def test_one_illegal_move_and_nothing_of_the_batch_is_played(star, fake, index):
    batch = [*WON_LINE[:index], "t1t2", *WON_LINE[index:]]
    with nothing_changes(fake):
        answer = star.play(*batch)
    assert known(answer) == (409, "illegal-move")
    assert (answer.json["index"], answer.json["move"]) == (index, "t1t2")


def test_the_first_illegal_move_is_the_one_that_is_named(star):
    answer = star.play("t5f1", "t1t1", "t2t2")
    assert (answer.json["index"], answer.json["move"]) == (1, "t1t1")


@pytest.mark.parametrize(
    ("batch", "applied", "stopped", "turned"),
    [
        (["t7t2"], 1, None, ["KD"]),
        (["t7t2", "t4t3"], 1, "reveal", ["KD"]),
        (["t7t2", "t1t1"], 1, "reveal", ["KD"]),
        (["t7t2", *["t1t1"] * 199], 1, "reveal", ["KD"]),
        (["deal"], 1, None, ROW),
        (["deal", "deal"], 1, "reveal", ROW),
        (["deal", "t18f1"], 1, "reveal", ROW),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else str(value),
)
def test_a_batch_ends_with_the_move_that_turns_a_card(row, batch, applied, stopped, turned):
    answer = row.play(*batch)
    assert (answer.json["applied"], answer.json["stopped"]) == (applied, stopped)
    assert [reveal["card"] for reveal in answer.json["reveals"]] == turned
    assert (row.version, row.game["ply"]) == (2, 1)


def test_a_card_that_was_turned_stays_so_whatever_the_batch_says_next(row):
    """Were the batch rolled back, a look under every card would be free."""
    row.play("t7t2", "f1f1")
    row.read()
    assert row.pile("t7") == {"id": "t7", "kind": "tableau", "hidden": 6, "cards": ["KD"]}


def test_moves_before_the_one_that_turns_a_card_are_kept_with_it(row):
    row.play("t1c1")
    answer = row.play("c1c2", "c2c3", "t7t2", "c3c4")
    assert (answer.json["applied"], answer.json["stopped"]) == (3, "reveal")
    assert [row.pile(f"c{n}")["cards"] for n in (1, 2, 3, 4)] == [[], [], ["KC"], []]
    assert row.game["ply"] == 4


def test_an_illegal_move_before_the_first_card_is_turned_spoils_the_batch(row, fake):
    row.play("t1c1")
    with nothing_changes(fake):
        answer = row.play("c1c2", "c1c3", "t7t2")
    assert known(answer) == (409, "illegal-move")
    assert (answer.json["index"], answer.json["rule"]) == (1, "source-empty")


def test_a_batch_of_200_moves_is_played(api):
    player = api.new_game("binary-star", 1)
    player.play("t5f1", "t1f2")
    before = table(player.game)
    answer = player.play(*["f1f2", "f2f1"] * 100)
    assert (answer.json["applied"], answer.json["stopped"]) == (200, None)
    assert table(player.game) == before
    assert player.game["ply"] == 202


@pytest.mark.parametrize("length", [0, 201, 5_000])
def test_a_batch_of_no_move_or_of_more_than_200_is_refused(row, fake, length):
    with nothing_changes(fake):
        answer = row.play(*["deal"] * length)
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/moves"]


# Winning


def test_a_whole_game_is_won_in_one_batch(star):
    answer = star.play(*WON_LINE)
    assert (answer.json["applied"], answer.json["stopped"]) == (102, None)
    assert (star.game["status"], star.version, star.game["ply"]) == ("won", 2, 102)
    assert all(star.pile(f"t{n}")["cards"] == [] for n in range(1, 18))


def test_a_whole_game_is_won_move_by_move(star):
    for ply, move in enumerate(WON_LINE, start=1):
        assert star.game["status"] == "in_progress"
        star.play(move)
        assert (star.version, star.game["ply"]) == (ply + 1, ply)
    assert star.game["status"] == "won"


@pytest.mark.parametrize("rest", [["f1f2"], ["t1t1", "t99c99"], ["deal"] * 98])
def test_a_batch_ends_with_the_winning_move(star, rest):
    answer = star.play(*WON_LINE, *rest)
    assert (answer.json["applied"], answer.json["stopped"]) == (102, "won")
    assert star.game["status"] == "won"


def test_a_whole_game_of_astrocyte_is_won_move_by_move(api):
    won = fixture("astrocyte-won-line.json")
    player = api.new_game("astrocyte", int(won["deal"]))
    for move in won["moves"]:
        assert player.game["status"] == "in_progress"
        assert player.play(move).json["stopped"] is None
    assert player.game["status"] == "won"
    assert [len(player.pile(f"f{n}")["cards"]) for n in range(1, 9)] == [13] * 8


def test_a_whole_game_of_astrocyte_is_won_by_batches_that_each_end_at_a_card(api):
    won = fixture("astrocyte-won-line.json")
    player = api.new_game("astrocyte", int(won["deal"]))
    while player.game["status"] == "in_progress":
        rest = won["moves"][player.game["ply"] :]
        applied, reveals, stopped, _ = player.play(*rest[:200]).json.values()
        whole = applied == len(rest[:200])
        assert stopped == (None if whole else "reveal")
        assert bool(reveals) or whole
    assert player.game["ply"] == len(won["moves"])


@pytest.mark.parametrize(
    ("batch", "stopped"), [(["t1f1x13"], None), (["t1f1x13", "t1t2"], "won")], ids=["alone", "more"]
)
def test_the_last_run_wins_a_game_of_astrocyte(api, store, batch, stopped):
    player = put(api, store, NEARLY_WON)
    answer = player.play(*batch)
    assert (answer.json["applied"], answer.json["stopped"]) == (1, stopped)
    assert player.game["status"] == "won"


def test_a_won_game_offers_nothing_more_and_is_not_stuck(star):
    star.play(*WON_LINE)
    assert (star.game["legal_moves"], star.game["stuck"]) == ([], False)
    assert star.game["can"] == {"undo": False, "redo": False, "deal": False}


@pytest.mark.parametrize("end", ["won", "resigned"])
def test_nothing_is_done_in_a_game_that_is_over(star, fake, end):
    star.play(*WON_LINE[:-1])
    star.undo()
    star.redo()
    if end == "won":
        star.play(WON_LINE[-1])
    else:
        star.undo()
        star.resign()
    with nothing_changes(fake):
        for answer in (star.play("f1f2"), star.undo(), star.redo(), star.resign()):
            assert known(answer) == (409, "game-over")
            assert answer.json["game_status"] == end


def test_a_game_that_is_over_is_still_read_listed_and_revealed(star, api):
    star.play(*WON_LINE)
    for part in ("", "/moves", "/legal-moves", "/reveal"):
        assert api.get(star.path + part).status == 200


# What the rules refuse

A, B = "astrocyte", "binary-star"
HOLES = "f1: AH\nf2: KS"
REFUSED = [
    ("source-empty", A, TOPS.replace("t3: 2H", ""), "t3t1", ["t3"]),
    ("source-empty", B, f"t2: 5C\n{HOLES}", "t1f1", ["t1"]),
    ("not-available", A, "t1: [3C] 9H 8H\nt2: TS", "t1t2x3", ["t1"]),
    ("count-invalid", A, "t1: 9H 8H", "t1c1x2", ["c1"]),
    ("count-invalid", B, f"t1: 5C KD\n{HOLES}", "t1f1x2", ["t1"]),
    ("run-not-descending", A, "t1: 9H 2H\nt2: TS", "t1t2x2", ["t1"]),
    ("run-not-one-suit", A, "t1: 9H 8D\nt2: TS", "t1t2x2", ["t1"]),
    ("rank-not-one-lower", A, "t1: 9H\nt2: 8S", "t1t2", ["t1", "t2"]),
    ("rank-not-adjacent", B, f"t1: 5C\n{HOLES}", "t1f1", ["t1", "f1"]),
    ("target-occupied", A, f"{TOPS}\nc2: 9H", "t1c2", ["c2"]),
    ("tableau-not-buildable", B, f"t1: 5C\nt2: 6C\n{HOLES}", "t1t2", ["t2"]),
    ("tableau-not-buildable", B, "t1: 2C\nf1: AH 2H\nf2: KS", "f1t1", ["t1"]),
    ("base-card-fixed", B, f"t1: 5C\n{HOLES}", "f1f2", ["f1"]),
    ("foundation-needs-full-run", A, f"t1: {KINGS_DOWN}", "t1f1", ["t1", "f1"]),
    ("foundation-not-empty", A, f"t1: {KINGS_DOWN}\nf1: KD", "t1f1x13", ["f1"]),
    ("cell-to-foundation", A, f"{TOPS}\nc1: KH", "c1f1", ["c1"]),
    ("stock-empty", A, TOPS, "deal", ["s"]),
    ("deal-blocked-by-empty-column", A, f"{TOPS[7:]}\ns: [{KINGS_DOWN[:23]}]", "deal", ["t1"]),
    ("same-pile", A, TOPS, "t1t1", ["t1"]),
    ("same-pile", B, f"t1: 5C\n{HOLES}", "t1t1", ["t1"]),
    ("no-such-pile", A, TOPS, "t9t1", ["t9"]),
    ("no-such-pile", B, f"t1: 5C\n{HOLES}", "deal", ["s"]),
]


@pytest.mark.parametrize(
    ("rule", "variant", "board", "move", "piles"),
    REFUSED,
    ids=[f"{rule}-{variant}-{move}" for rule, variant, _, move, _ in REFUSED],
)
def test_a_move_against_the_rules_is_refused_by_the_code_of_its_rule(
    api, store, fake, rule, variant, board, move, piles
):
    player = put(api, store, board, variant)
    with nothing_changes(fake):
        answer = player.play(move)
    assert known(answer) == (409, "illegal-move")
    problem = answer.json
    assert (problem["rule"], problem["move"], problem["index"]) == (rule, move, 0)
    assert problem["piles"] == piles
    assert problem["detail"].endswith(".")


def test_every_rule_that_the_contract_names_has_been_broken():
    rules = document()["components"]["schemas"]["Rule"]["enum"]
    assert {rule for rule, *_ in REFUSED} == set(rules)


def test_a_refused_deal_names_every_empty_column_until_all_are_filled(api, store, fake):
    board = f"t1: 9H\nt3: 9S\nt4: 5C 4C 3C\nt6: 7D\nt7: 7S\nt8: 7H\ns: [{KINGS_DOWN[:23]}]"
    player = put(api, store, board)
    for empty, filling in ((["t2", "t5"], "t4t2"), (["t5"], "t4t5")):
        with nothing_changes(fake):
            answer = player.play("deal")
        assert (answer.json["rule"], answer.json["piles"]) == (
            "deal-blocked-by-empty-column",
            empty,
        )
        assert player.game["can"]["deal"] is False
        player.play(filling)
    assert player.game["can"]["deal"] is True
    assert player.play("deal").status == 200
    assert player.pile("s")["hidden"] == 0


@pytest.mark.parametrize("move", ["", "t0t1", "t1t2x14", "T1T2", "s", "9H", "t1t2" * 10_000])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_text_that_is_no_move_is_malformed(api, fake, variant, move):
    player = api.new_game(variant, 1)
    with nothing_changes(fake):
        answer = player.post("moves", {"version": 1, "moves": ["t1f1", move]})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/moves/1"]


@pytest.mark.parametrize(
    "move",
    ["t9t1", "t1t9", "t17t1", "t99t1", "c5t1", "t1c5", "f9t1", "t1f9x13", "t1t2x13", "c1c99"],
)
def test_a_pile_beyond_the_last_is_not_taken_for_the_last(row, fake, move):
    with nothing_changes(fake):
        assert known(row.play(move)) == (409, "illegal-move")


def test_a_covered_card_cannot_be_named(star, fake):
    for body in (
        {"moves": [{"source": "t1", "card": "TS", "target": "f1"}]},
        {"moves": ["t1f1"], "card": "TS"},
        {"moves": ["t1.0f1"]},
        {"moves": ["TSf1"]},
    ):
        with nothing_changes(fake):
            assert known(star.post("moves", {"version": 1, **body})) == (422, "invalid-request")


# Taking a run off and back, as one pack lets us

RUN_AT_HAND = pack_that_lays_out(
    ["KC 2H", "QC 5C", "JC 4C", "TC 3C", "9C 2C", "8C AC", "7C 5H", "6C 5D"]
)
TO_THE_RUN = ["t2t1", "t3t1", "t4t1", "t5t1", "t6t1", "t7t1", "t8t1"] + [
    f"t{n}t1" for n in (2, 3, 4, 5, 6)
]


@pytest.fixture
def runner(api, stack):
    """A player with the run of clubs whole on t1, over seven face-down cards."""
    stack(RUN_AT_HAND)
    player = api.new_game("astrocyte")
    for move in TO_THE_RUN:
        assert player.play(move).status == 200
    assert player.pile("t1") == {
        "id": "t1",
        "kind": "tableau",
        "hidden": 7,
        "cards": KINGS_DOWN.split(),
    }
    return player


def test_a_whole_run_stays_where_it_is_until_it_is_moved(runner):
    assert runner.pile("f1")["cards"] == []
    assert "t1f1x13" in runner.game["legal_moves"]


def test_a_run_goes_off_and_the_card_under_it_is_turned_up(runner):
    answer = runner.play("t1f1x13")
    assert answer.json["reveals"] == [{"pile": "t1", "card": "2H"}]
    assert runner.pile("f1")["cards"] == KINGS_DOWN.split()


def test_a_run_goes_to_any_foundation_that_is_empty_though_one_alone_is_listed(runner):
    assert "t1f8x13" not in runner.game["legal_moves"]
    assert runner.play("t1f8x13").status == 200


def test_a_card_taken_back_leaves_a_broken_foundation_that_takes_nothing(runner):
    runner.play("t1f1x13")
    assert runner.play("f1c1").status == 200
    assert len(runner.pile("f1")["cards"]) == 12
    assert runner.play("c1f1").json["rule"] == "cell-to-foundation"
    assert runner.game["status"] == "in_progress"


def test_a_broken_foundation_takes_no_other_run_and_an_empty_one_does(api, store):
    player = put(api, store, f"t1: {KINGS_DOWN}\n{FULL[3]}")
    player.play("f3c1")
    assert player.play("t1f3x13").json["rule"] == "foundation-not-empty"
    assert player.play("t1f1x13").status == 200


def test_a_foundation_that_was_taken_back_to_its_last_card_takes_a_run_again(api, store):
    player = put(api, store, f"t1: {KINGS_DOWN}\nf1: KD")
    player.play("f1c1")
    assert player.play("t1f1x13").status == 200


def test_a_run_that_a_deal_completes_lies_still_and_is_offered_next(api, store):
    columns = "\n".join(f"t{n}: 9H" for n in range(2, 9))
    board = f"t1: {KINGS_DOWN[:-3]}\n{columns}\ns: [AC 2D 2D 2D 2D 2D 2D 2D]"
    player = put(api, store, board)
    player.play("deal")
    assert player.pile("t1")["cards"] == KINGS_DOWN.split()
    assert "t1f1x13" in player.game["legal_moves"]
    assert player.play("t1f1x13").status == 200


# Stuck


def test_a_game_is_stuck_when_nothing_but_an_undo_leads_on(api, store):
    player = put(api, store, f"{TOPS}\nc1: 9C\nc2: 9D\nc3: 9H\nc4: 9S")
    assert (player.game["stuck"], player.game["legal_moves"]) == (True, [])
    assert player.game["status"] == "in_progress"


def test_a_game_that_is_over_is_not_stuck(api, store):
    player = put(api, store, f"{TOPS}\nc1: 9C\nc2: 9D\nc3: 9H\nc4: 9S")
    player.resign()
    assert player.game["stuck"] is False
    assert api.get(f"{player.path}/legal-moves").json["stuck"] is False


def test_a_game_with_a_run_to_split_over_an_empty_column_is_not_stuck(api, store):
    board = f"{TOPS[7:].replace('2D', '3D 2D')}\ns: [{KINGS_DOWN[:23]}]"
    cells = "\nc1: 9C\nc2: 9D\nc3: 9H\nc4: 9S"
    assert put(api, store, board + cells).game["stuck"] is False


def test_a_transfer_that_frees_a_card_keeps_a_game_from_being_stuck(api, store):
    player = put(api, store, "t1: 3C\nf1: AH 2H\nf2: KS AS", "binary-star")
    assert player.game["stuck"] is False
    stuck = put(api, store, "t1: 7C\nf1: AH 2H\nf2: KS AS", "binary-star")
    assert (stuck.game["stuck"], set(stuck.game["legal_moves"])) == (True, {"f1f2", "f2f1"})


# Resigning


def test_resigning_ends_the_game_and_is_one_version_more(row):
    row.play("deal")
    row.resign()
    assert (row.game["status"], row.version, row.game["ply"]) == ("resigned", 3, 1)


def test_an_accepted_move_is_kept_in_the_place_where_a_refused_one_leaves_no_trace(row, fake):
    before = dump(fake)
    row.play("t7t2")
    assert dump(fake) != before

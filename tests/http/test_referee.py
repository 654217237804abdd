"""The referee finds every right replay right, and the first thing that is wrong in any other."""

import copy

import pytest

from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.moves import parse_move
from tests.http.kit import (
    WON_DEAL,
    WON_LINE,
    every_pile,
    every_variant,
    faults,
    known,
    nothing_changes,
    play_on,
)
from tests.http.test_http import UNAVAILABLE, Failing, instance_with
from tests.http.test_replays import every_deal, replay
from tests.support.walks import played

WON = {"variant": "binary-star", "deal": {"number": str(WON_DEAL)}, "moves": WON_LINE}
FACES = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def verify(api, given):
    answer = api.post("/v1/referee/verify", given)
    assert answer.status == 200, answer.body
    return answer.json


def fault(api, given):
    """The code of what is wrong with a replay, and where it is."""
    ruling = verify(api, given)
    assert not ruling["right"]
    return ruling["fault"]["code"], ruling["fault"]["ply"]


@pytest.fixture
def numbered(api):
    """The replay of a numbered game of Astrocyte, with a deal and a few cards turned."""
    player = api.new_game("astrocyte", 1)
    player.play("deal")
    return replay(play_on(player, 40)).json


@pytest.fixture
def sealed(numbered):
    """The same as if its deal were sealed."""
    return {**copy.deepcopy(numbered), "deal": {"commitment": "0" * 64}}


# Right replays


@every_variant
@every_deal
def test_every_game_that_was_played_is_right_while_it_goes_on_and_when_it_is_over(
    api, variant, number
):
    player = play_on(api.new_game(variant, number), 60)
    assert verify(api, replay(player).json) == {
        "right": True,
        "derived": number is not None,
        "ply": player.game["ply"],
        "status": "in_progress",
        "stuck": player.game["stuck"],
        "fault": None,
    }
    player.resign()
    over = verify(api, replay(player).json)
    assert (over["right"], over["derived"], over["status"]) == (True, True, "resigned")


def test_a_deal_and_moves_are_enough(api):
    ruling = verify(api, WON)
    assert (ruling["right"], ruling["status"], ruling["ply"]) == (True, "won", len(WON_LINE))
    assert verify(api, {**WON, "moves": []})["status"] == "in_progress"


def test_what_is_optional_and_left_out_is_not_judged(api, numbered):
    for name in ("format", "ruleset", "start", "reveals", "status"):
        given = {key: value for key, value in numbered.items() if key != name}
        assert verify(api, given)["right"], name


def test_a_long_replay_is_judged(api):
    given = {"variant": "astrocyte", "deal": {"number": "1"}}
    assert fault(api, {**given, "moves": ["t3c1", "c1t3"] * 2500}) == ("illegal-move", 2)
    onto_cells = ["t3c1", *["c1c2", "c2c1"] * 2499]
    assert verify(api, {**given, "moves": onto_cells})["ply"] == 4999
    too_long = api.post("/v1/referee/verify", {**given, "moves": ["t3c1"] * 10_001})
    assert faults(too_long) == ["/moves"]


# Wrong moves


def test_a_move_that_the_rules_refuse_is_the_first_wrong_one(api, numbered, sealed):
    for given in (numbered, sealed):
        length = len(given["moves"])
        ruling = verify(api, {**given, "moves": [*given["moves"], "t1t1", "t1t1"]})
        assert ruling["ply"] == length
        detail = ruling["fault"].pop("detail")
        assert detail.endswith(".")
        assert ruling["fault"] == {
            "code": "illegal-move",
            "ply": length + 1,
            "move": "t1t1",
            "rule": "same-pile",
            "piles": ["t1"],
        }


def test_a_move_after_the_win_is_wrong(api):
    ruling = verify(api, {**WON, "moves": [*WON_LINE, "f1f2"]})
    assert (ruling["fault"]["code"], ruling["fault"]["ply"]) == ("after-the-end", len(WON_LINE) + 1)
    assert (ruling["status"], ruling["ply"]) == ("won", len(WON_LINE))


# Wrong cards


def test_one_wrong_card_is_found_wherever_it_is_turned(api, numbered):
    for place, turned in enumerate(numbered["reveals"]):
        given = copy.deepcopy(numbered)
        given["reveals"][place]["card"] = next(face for face in FACES if face != turned["card"])
        assert fault(api, given) == ("reveals-differ", turned["ply"])


def test_a_card_too_many_or_too_few_or_on_another_pile_is_found(api, sealed, numbered):
    for given in (sealed, numbered):
        reveals = given["reveals"]
        first = reveals[0]["ply"]
        fewer = [turned for turned in reveals if turned["ply"] != first]
        assert fault(api, {**given, "reveals": fewer}) == ("reveals-differ", first)
        beyond = {**reveals[0], "ply": len(given["moves"]) + 1}
        code, _ = fault(api, {**given, "reveals": [*reveals, beyond]})
        assert code in ("reveals-differ", "card-too-many")
        reveals[0]["pile"], reveals[1]["pile"] = reveals[1]["pile"], reveals[0]["pile"]
        assert fault(api, given) == ("reveals-differ", first)


def test_a_third_copy_of_a_card_is_found_though_the_deal_is_sealed(api, sealed):
    start = [{**pile, "cards": ["9H"] if pile["cards"] else []} for pile in sealed["start"]]
    assert fault(api, {**sealed, "start": start}) == ("card-too-many", 0)
    shown = [card for pile in sealed["start"] for card in pile["cards"]]
    shown += [turned["card"] for turned in sealed["reveals"]]
    twice = next(card for card in shown if shown.count(card) == 2)
    place = next(n for n, turned in enumerate(sealed["reveals"]) if turned["card"] != twice)
    sealed["reveals"][place]["card"] = twice
    assert fault(api, sealed)[0] == "card-too-many"


def test_a_card_that_would_have_made_a_move_illegal_is_found(api):
    player = api.new_game("astrocyte", 1)
    player.play("t3c1")
    player.play("t3t4")
    given = {**replay(player).json, "deal": {"commitment": "0" * 64}}
    assert verify(api, given)["right"]
    given["reveals"][0]["card"] = "AC"
    ruling = verify(api, given)
    assert (ruling["fault"]["rule"], ruling["fault"]["ply"]) == ("rank-not-one-lower", 2)


# A wrong start, deal or end


def test_a_start_that_the_deal_does_not_lay_out_is_found(api, numbered):
    assert fault(api, {**numbered, "deal": {"number": "2"}}) == ("start-differs", 0)
    one, other = numbered["start"][:2]
    one["cards"], other["cards"] = other["cards"], one["cards"]
    assert fault(api, numbered) == ("start-differs", 0)


@pytest.mark.parametrize("wrong", [{"kind": "cell"}, {"id": "t9"}])
def test_a_start_with_another_pile_than_the_deal_lays_out_is_found(api, numbered, wrong):
    start = [{**numbered["start"][0], **wrong}, *numbered["start"][1:]]
    assert fault(api, {**numbered, "start": start}) == ("start-differs", 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda start: start[:-1],
        lambda start: [*start, start[-1]],
        lambda start: start[::-1],
        lambda start: [],
        lambda start: [{**start[0], "hidden": 6}, *start[1:]],
        lambda start: [{**start[0], "cards": []}, *start[1:]],
        lambda start: [{**start[0], "cards": ["9H", "8H"]}, *start[1:]],
        lambda start: [{**start[0], "kind": "cell"}, *start[1:]],
        lambda start: [{**start[0], "id": "t9"}, *start[1:]],
    ],
)
def test_a_start_that_no_deal_lays_out_is_found(api, sealed, change):
    assert fault(api, {**sealed, "start": change(sealed["start"])}) == ("start-differs", 0)


def test_the_base_cards_are_the_same_in_every_game(api):
    given = replay(api.new_game("binary-star")).json
    assert given["start"][-1]["cards"] == ["KS"]
    given["start"][-1]["cards"] = ["KH"]
    assert fault(api, given) == ("start-differs", 0)


def test_a_replay_without_its_deal_needs_a_start(api, sealed):
    del sealed["start"]
    assert fault(api, sealed) == ("start-missing", 0)


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [("commitment", "0" * 64, "commitment-differs"), ("player_seed", "f0" * 16, "start-differs")],
)
def test_a_commitment_or_a_seed_that_is_not_that_of_the_deal_is_found(api, name, value, code):
    player = api.fair_game("astrocyte", "0f" * 16)
    player.resign()
    given = replay(player).json
    given["deal"][name] = value
    assert fault(api, given) == (code, 0)


def test_the_rules_of_another_game_are_not_those_of_this(api, numbered):
    assert fault(api, {**numbered, "ruleset": "binary-star/1"}) == ("ruleset-differs", 0)


@pytest.mark.parametrize(
    ("length", "status"), [(len(WON_LINE), "in_progress"), (len(WON_LINE), "resigned"), (9, "won")]
)
def test_an_end_that_the_moves_do_not_lead_to_is_found(api, length, status):
    given = {**WON, "moves": WON_LINE[:length], "status": status}
    assert fault(api, given) == ("status-differs", length)


# Positions


def start(variant, number=1):
    return start_position(PublicDeal(VARIANTS[variant], number))


def judge(api, position, *moves):
    body = {"variant": position.variant.name, "piles": every_pile(position), "moves": list(moves)}
    return api.post("/v1/referee/positions", body)


@every_variant
def test_what_is_legal_in_a_position_is_what_is_legal_in_a_game_that_stands_so(api, variant):
    player = play_on(api.new_game(variant, 1), 40)
    line = [parse_move(move) for move in replay(player).json["moves"]]
    walk = played(start(variant), line)
    for before, move, after in zip(walk.positions, line, walk.positions[1:], strict=False):
        assert judge(api, before, str(move)).json["piles"] == every_pile(after)
    ruling = judge(api, walk.end).json
    for name in ("legal_moves", "status", "stuck"):
        assert ruling[name] == player.game[name]
    again = api.post("/v1/referee/positions", {"variant": variant, "piles": ruling["piles"]})
    assert again.json == ruling


def test_moves_go_on_past_cards_that_are_turned_for_all_are_known(api):
    ruling = judge(api, start("astrocyte"), "t7t2", "t4t3", "deal").json
    assert [turned["card"] for turned in ruling["reveals"][:2]] == ["KD", "6C"]
    assert len(ruling["reveals"]) == 10


def test_a_position_without_its_empty_piles_is_the_same(api):
    piles = [pile for pile in every_pile(start("astrocyte")) if pile["cards"] or pile["under"]]
    answer = api.post("/v1/referee/positions", {"variant": "astrocyte", "piles": piles})
    assert answer.json == judge(api, start("astrocyte")).json


def test_a_won_position_is_won_and_nothing_is_legal_in_it(api):
    position = played(start("binary-star", WON_DEAL), map(parse_move, WON_LINE[:-1])).end
    won = judge(api, position, WON_LINE[-1]).json
    assert (won["status"], won["stuck"], won["legal_moves"]) == ("won", False, [])
    assert known(judge(api, position, WON_LINE[-1], "f1f2")) == (409, "game-over")


def test_an_illegal_move_is_refused_with_its_place_and_rule(api):
    answer = judge(api, start("astrocyte"), "t7t2", "c1t1")
    assert known(answer) == (409, "illegal-move")
    assert (answer.json["index"], answer.json["rule"]) == (1, "source-empty")


@pytest.mark.parametrize(
    "change",
    [
        lambda piles: [],
        lambda piles: piles[:-1],
        lambda piles: [*piles, piles[0]],
        lambda piles: [{**piles[0], "id": "t9"}, *piles[1:]],
        lambda piles: [{**piles[0], "cards": []}, *piles[1:]],
        lambda piles: [{**piles[0], "cards": ["9H", "9H"]}, *piles[1:]],
        lambda piles: [{**piles[0], "under": ["9H"] * 104}, *piles[1:]],
    ],
)
@every_variant
def test_a_position_that_no_game_can_reach_is_refused(api, fake, variant, change):
    body = {"variant": variant, "piles": change(every_pile(start(variant)))}
    with nothing_changes(fake):
        assert known(api.post("/v1/referee/positions", body)) == (409, "position-impossible")


# Nothing stored


def test_the_referee_needs_no_store(api, sealed):
    failing = Failing(UNAVAILABLE["refused"])
    alone = instance_with(failing)
    assert verify(alone, sealed) == verify(api, sealed)
    assert judge(alone, start("astrocyte")).status == 200
    assert failing.calls == 0


def test_a_key_is_accepted_and_changes_nothing(api, fake, sealed):
    with nothing_changes(fake):
        for given in (sealed, {**sealed, "moves": []}):
            answer = api.post("/v1/referee/verify", given, Idempotency_Key="0123456789abcdef")
            assert answer.json == verify(api, given)
            assert "Idempotency-Replayed" not in answer.headers

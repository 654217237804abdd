"""The referee finds every right replay right, and the first thing that is wrong in any other."""

import copy

import pytest

from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from tests.http.kit import (
    WON_DEAL,
    WON_LINE,
    every_pile,
    known,
    nothing_changes,
    pack_that_lays_out,
)
from tests.http.test_http import Broken, service_on
from tests.http.test_replays import play_on, replay
from tests.support.walks import wandered

every_variant = pytest.mark.parametrize("variant", VARIANTS)
every_deal = pytest.mark.parametrize("number", [3, None], ids=["numbered", "sealed"])
FACES = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def verify(api, told):
    answer = api.post("/v1/referee/verify", told)
    assert answer.status == 200, answer.body
    return answer.json


def fault(api, told):
    """The code of what is wrong with a replay, and where it is."""
    ruling = verify(api, told)
    assert not ruling["right"]
    return ruling["fault"]["code"], ruling["fault"]["ply"]


@pytest.fixture
def sealed(api):
    """The replay of a game of Astrocyte that goes on, with a deal and a few cards turned."""
    player = api.new_game("astrocyte")
    for _ in range(3):
        player.play("deal")
    return replay(play_on(player, 30)).json


@pytest.fixture
def known_deal(api):
    """The same of a numbered deal."""
    player = api.new_game("astrocyte", 1)
    player.play("deal")
    return replay(play_on(player, 40)).json


# Right replays


@every_variant
@every_deal
@pytest.mark.parametrize("seed", range(2))
def test_every_game_that_was_played_is_right_while_it_goes_on_and_when_it_is_over(
    api, variant, number, seed
):
    player = play_on(api.new_game(variant, number), 60, seed)
    told = replay(player).json
    ruling = verify(api, told)
    assert ruling == {
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


def test_a_won_game_is_right_and_won(api):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE)
    ruling = verify(api, replay(player).json)
    assert (ruling["right"], ruling["status"], ruling["ply"]) == (True, "won", len(WON_LINE))


def test_a_deal_and_moves_are_enough(api):
    told = {"variant": "binary-star", "deal": {"number": str(WON_DEAL)}, "moves": WON_LINE}
    ruling = verify(api, told)
    assert (ruling["right"], ruling["status"]) == (True, "won")
    assert verify(api, {**told, "moves": []})["status"] == "in_progress"


def test_of_all_that_is_not_required_what_is_left_out_is_not_judged(api, known_deal):
    for name in ("format", "ruleset", "start", "reveals", "status"):
        told = {key: value for key, value in known_deal.items() if key != name}
        assert verify(api, told)["right"], name


def test_a_long_replay_is_judged(api):
    back_and_forth = ["t3c1", "c1t3"] * 2500
    told = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": back_and_forth}
    code, ply = fault(api, told)
    assert (code, ply) == ("illegal-move", 2)
    onto_cells = ["t3c1", *["c1c2", "c2c1"] * 2499]
    assert verify(api, {**told, "moves": onto_cells})["ply"] == 4999


def test_a_replay_longer_than_the_limit_is_refused(api):
    told = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": ["t3c1"] * 10_001}
    assert known(api.post("/v1/referee/verify", told)) == (422, "invalid-request")


# Wrong moves


@every_variant
@every_deal
def test_a_move_that_the_rules_refuse_is_the_first_wrong_one(api, variant, number):
    told = replay(play_on(api.new_game(variant, number), 20)).json
    length = len(told["moves"])
    ruling = verify(api, {**told, "moves": [*told["moves"], "t1t1", "t1t1"]})
    assert ruling["ply"] == length
    assert ruling["fault"] == {
        "code": "illegal-move",
        "ply": length + 1,
        "move": "t1t1",
        "rule": "same-pile",
        "piles": ["t1"],
        "detail": ruling["fault"]["detail"],
    }


def test_a_move_after_the_win_is_wrong(api):
    told = {
        "variant": "binary-star",
        "deal": {"number": str(WON_DEAL)},
        "moves": [*WON_LINE, "f1f2"],
    }
    ruling = verify(api, told)
    assert (ruling["fault"]["code"], ruling["fault"]["ply"]) == ("after-the-end", len(WON_LINE) + 1)
    assert (ruling["status"], ruling["ply"]) == ("won", len(WON_LINE))


# Wrong cards


def test_one_wrong_card_is_found_wherever_it_is_turned(api, known_deal):
    for place, turned in enumerate(known_deal["reveals"]):
        told = copy.deepcopy(known_deal)
        told["reveals"][place]["card"] = next(face for face in FACES if face != turned["card"])
        assert fault(api, told) == ("reveals-differ", turned["ply"])


def test_a_card_too_many_or_too_few_is_found(api, sealed, known_deal):
    for told in (sealed, known_deal):
        first = told["reveals"][0]["ply"]
        without = {**told, "reveals": [r for r in told["reveals"] if r["ply"] != first]}
        assert fault(api, without) == ("reveals-differ", first)
        beyond = {"ply": len(told["moves"]) + 1, "pile": "t1", "card": told["reveals"][0]["card"]}
        code, _ = fault(api, {**told, "reveals": [*told["reveals"], beyond]})
        assert code in ("reveals-differ", "card-too-many")


def test_a_card_on_another_pile_is_found(api, sealed):
    told = copy.deepcopy(sealed)
    told["reveals"][0]["pile"], told["reveals"][1]["pile"] = "t2", "t1"
    assert fault(api, told) == ("reveals-differ", 1)


def test_a_third_copy_of_a_card_is_found_though_the_deal_is_sealed(api, sealed):
    shown = [card for pile in sealed["start"] for card in pile["cards"]]
    shown += [turned["card"] for turned in sealed["reveals"]]
    twice = next(card for card in shown if shown.count(card) == 2)
    place = next(n for n, t in enumerate(sealed["reveals"]) if t["card"] != twice)
    told = copy.deepcopy(sealed)
    told["reveals"][place]["card"] = twice
    code, ply = fault(api, told)
    assert code == "card-too-many"
    assert ply in {turned["ply"] for turned in told["reveals"] if turned["card"] == twice} | {0}


def test_a_card_that_would_have_made_a_move_illegal_is_found(api, stack):
    """The seven of hearts was turned and built on the eight: had it been a nine, it could not."""
    stack(pack_that_lays_out(["8S", "AC 7H", *["KC"] * 2, *["KD"] * 2, *["KS"] * 2]))
    player = api.new_game("astrocyte")
    for move in ("t2c1", "t2t1"):
        assert player.play(move).status == 200
    told = replay(player).json
    assert verify(api, told)["right"]
    told["reveals"][0]["card"] = "9H"
    ruling = verify(api, told)
    assert (ruling["fault"]["rule"], ruling["fault"]["ply"]) == ("rank-not-one-lower", 2)


# A wrong start, deal or end


def test_a_start_that_the_deal_does_not_lay_out_is_found(api, known_deal):
    told = copy.deepcopy(known_deal)
    told["start"][0]["cards"], told["start"][1]["cards"] = (
        told["start"][1]["cards"],
        told["start"][0]["cards"],
    )
    assert fault(api, told) == ("start-differs", 0)
    assert fault(api, {**known_deal, "deal": {"number": "2"}}) == ("start-differs", 0)


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


def test_what_lies_on_the_table_before_the_deal_is_the_same_in_every_game(api):
    told = replay(api.new_game("binary-star")).json
    assert told["start"][-1]["cards"] == ["KS"]
    told["start"][-1]["cards"] = ["KH"]
    assert fault(api, told) == ("start-differs", 0)


def test_a_card_that_lies_there_three_times_at_the_start_is_found(api, sealed):
    start = [{**pile, "cards": ["9H"] if pile["cards"] else []} for pile in sealed["start"]]
    assert fault(api, {**sealed, "start": start}) == ("card-too-many", 0)


def test_a_replay_without_its_deal_needs_a_start(api, sealed):
    told = {key: value for key, value in sealed.items() if key != "start"}
    assert fault(api, told) == ("start-missing", 0)


def test_a_commitment_that_is_not_that_of_the_seed_is_found(api):
    player = api.fair_game("astrocyte", "0f" * 16)
    player.resign()
    told = replay(player).json
    told["deal"]["commitment"] = "0" * 64
    assert fault(api, told) == ("commitment-differs", 0)


def test_a_seed_that_is_not_the_one_brought_is_found(api):
    player = api.fair_game("astrocyte", "0f" * 16)
    player.resign()
    told = replay(player).json
    told["deal"]["player_seed"] = "f0" * 16
    assert fault(api, told) == ("start-differs", 0)


def test_the_rules_of_another_game_are_not_those_of_this(api, known_deal):
    assert fault(api, {**known_deal, "ruleset": "binary-star/1"}) == ("ruleset-differs", 0)


@pytest.mark.parametrize(
    ("length", "status"), [(len(WON_LINE), "in_progress"), (len(WON_LINE), "resigned"), (9, "won")]
)
def test_an_end_that_the_moves_do_not_lead_to_is_found(api, length, status):
    told = {"variant": "binary-star", "deal": {"number": str(WON_DEAL)}, "moves": WON_LINE[:length]}
    assert fault(api, {**told, "status": status}) == ("status-differs", length)


# Positions


def judge(api, position, *moves):
    body = {"variant": position.variant.name, "piles": every_pile(position), "moves": list(moves)}
    return api.post("/v1/referee/positions", body)


@every_variant
@pytest.mark.parametrize("seed", range(2))
def test_what_is_legal_in_a_position_is_what_is_legal_in_a_game_that_stands_so(api, variant, seed):
    player = play_on(api.new_game(variant, seed + 1), 40, seed)
    position = start_position(PublicDeal(VARIANTS[variant], seed + 1))
    for move in replay(player).json["moves"]:
        told = judge(api, position, move).json
        position = position.after(next(m for m in position.variant.actions if str(m) == move))
        assert told["piles"] == every_pile(position)
    told = judge(api, position).json
    assert told["legal_moves"] == player.game["legal_moves"]
    assert (told["status"], told["stuck"]) == (player.game["status"], player.game["stuck"])


@every_variant
def test_an_answer_can_be_asked_about_again(api, variant):
    position = wandered(start_position(PublicDeal(VARIANTS[variant], 3)), range(30)).end
    told = judge(api, position).json
    again = api.post("/v1/referee/positions", {"variant": variant, "piles": told["piles"]})
    assert again.json == told


def test_moves_go_on_past_cards_that_are_turned_for_all_are_known(api):
    start = start_position(PublicDeal(VARIANTS["astrocyte"], 1))
    told = judge(api, start, "t7t2", "t4t3", "deal").json
    assert [turned["card"] for turned in told["reveals"][:2]] == ["KD", "6C"]
    assert len(told["reveals"]) == 10


def test_a_position_without_its_empty_piles_is_the_same(api):
    start = start_position(PublicDeal(VARIANTS["astrocyte"], 1))
    piles = [pile for pile in every_pile(start) if pile["cards"] or pile["under"]]
    answer = api.post("/v1/referee/positions", {"variant": "astrocyte", "piles": piles})
    assert answer.json == judge(api, start).json


def test_a_won_position_is_won_and_nothing_is_legal_in_it(api):
    position = start_position(PublicDeal(VARIANTS["binary-star"], WON_DEAL))
    for move in WON_LINE[:-1]:
        position = position.after(next(m for m in position.variant.actions if str(m) == move))
    won = judge(api, position, WON_LINE[-1]).json
    assert (won["status"], won["stuck"], won["legal_moves"]) == ("won", False, [])
    assert known(judge(api, position, WON_LINE[-1], "f1f2")) == (409, "game-over")


def test_an_illegal_move_is_refused_with_its_place_and_rule(api):
    start = start_position(PublicDeal(VARIANTS["astrocyte"], 1))
    answer = judge(api, start, "t7t2", "c1t1")
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
        lambda piles: [
            {**piles[0], "id": "f1"},
            *piles[1:8],
            {**piles[12], "id": "t1"},
            *piles[13:],
        ],
    ],
)
@every_variant
def test_a_position_that_no_game_can_reach_is_refused(api, fake, variant, change):
    piles = every_pile(start_position(PublicDeal(VARIANTS[variant], 1)))
    with nothing_changes(fake):
        body = {"variant": variant, "piles": change(piles)}
        assert known(api.post("/v1/referee/positions", body)) == (409, "position-impossible")


# Nothing kept


def test_the_referee_needs_no_store(contract, api, sealed):
    alone = service_on(Broken(), contract)
    assert verify(alone, sealed) == verify(api, sealed)
    start = start_position(PublicDeal(VARIANTS["astrocyte"], 1))
    assert judge(alone, start).status == 200


def test_a_key_is_taken_and_changes_nothing(api, fake, sealed):
    headers = {"Idempotency_Key": "0123456789abcdef"}
    with nothing_changes(fake):
        for told in (sealed, {**sealed, "moves": []}):
            answer = api.post("/v1/referee/verify", told, **headers)
            assert answer.json == verify(api, told)
            assert "Idempotency-Replayed" not in answer.headers

"""A game can be exported: with every card where they may be known, else with what was seen."""

import pytest

from service.records.replay_text import parse_replay
from tests.http.kit import (
    UNKNOWN_ID,
    WON_DEAL,
    WON_LINE,
    every_variant,
    known,
    nothing_changes,
    play_on,
)

TEXT = {"Accept": "text/plain"}
every_deal = pytest.mark.parametrize("number", [3, None], ids=["numbered", "sealed"])


def replay(player, **headers):
    answer = player.api.get(f"{player.path}/replay", **headers)
    assert answer.status == 200, answer.body
    return answer


@every_variant
@every_deal
def test_a_replay_has_the_start_the_line_of_play_and_the_cards_it_turned(api, variant, number):
    player = api.new_game(variant, number)
    start = player.game["piles"]
    shown = replay(play_on(player, 30)).json
    line = player.api.get(f"{player.path}/moves?limit=500").json["items"]
    assert shown["start"] == start
    assert shown["moves"] == [item["move"] for item in line]
    assert shown["reveals"] == [
        {"ply": item["ply"], **reveal} for item in line for reveal in item["reveals"]
    ]
    assert shown["status"] == player.game["status"]
    assert (shown["variant"], shown["ruleset"]) == (variant, player.game["ruleset"])
    public = {"number": "3"}
    sealed = {"commitment": player.game["deal"]["commitment"]}
    assert shown["deal"] == (sealed if number is None else public)
    assert replay(player, **player.bearer).json == shown


def test_a_replay_has_nothing_of_what_has_been_undone(api, fake):
    player = api.new_game("astrocyte")
    before = replay(player).body
    player.play("deal")
    player.undo()
    with nothing_changes(fake):
        assert replay(player).body == before


@every_variant
def test_a_sealed_deal_is_shown_whole_when_the_game_is_over(api, variant):
    player = api.fair_game(variant, "0f" * 16)
    player.resign()
    shown = replay(player).json
    reveal = api.get(f"{player.path}/reveal").json
    names = ("commitment", "server_seed", "player_seed")
    assert shown["deal"] == {name: reveal[name] for name in names}
    assert shown["deal"]["player_seed"] == "0f" * 16
    assert shown["status"] == "resigned"


def test_a_won_game_is_shown_to_its_end(api):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE)
    shown = replay(player).json
    assert (shown["status"], shown["moves"], shown["reveals"]) == ("won", WON_LINE, [])


def test_there_is_no_replay_of_an_unknown_game(api):
    assert known(api.get(f"/v1/games/{UNKNOWN_ID}/replay")) == (404, "game-not-found")


# As text


@every_variant
@every_deal
def test_the_text_says_what_the_json_says(api, variant, number):
    player = play_on(api.new_game(variant, number), 25)
    assert parse_replay(replay(player, **TEXT).body.decode()) == replay(player).json
    player.resign()
    assert parse_replay(replay(player, **TEXT).body.decode()) == replay(player).json


def test_the_text_is_one_that_people_can_read(api):
    player = api.new_game("astrocyte", 1)
    for move in ("t7t2", "t4t3"):
        player.play(move)
    head, board, moves = replay(player, **TEXT).body.decode().split("\n\n")
    assert head.splitlines() == [
        "format: asterism-replay/1",
        "variant: astrocyte",
        "ruleset: astrocyte/1",
        "number: 1",
        "status: in_progress",
    ]
    assert board.splitlines()[:2] == ["t1: [7] KC", "t2: [7] TC"]
    assert board.splitlines()[-1] == "s: [40]"
    assert moves == "t7t2 t7=KD\nt4t3 t4=6C\n"


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        *((accept, "application/json") for accept in ("", "*/*", "text/plain;q=0.5, */*")),
        *((accept, "text/plain") for accept in ("text/*", "application/json;q=0, */*")),
        ("application/json, text/plain", "application/json"),
        ("application/json;q=0.2, text/plain;q=0.3", "text/plain"),
    ],
)
def test_the_client_chooses_the_form(player, accept, given):
    answer = replay(player, Accept=accept)
    assert answer.headers["Content-Type"].partition(";")[0] == given


@pytest.mark.parametrize("accept", ["text/html", "text/plain;q=0", "*/*;q=0", "x"])
def test_whoever_accepts_neither_form_is_refused(player, api, accept):
    answer = api.get(f"{player.path}/replay", Accept=accept)
    assert known(answer) == (406, "not-acceptable")

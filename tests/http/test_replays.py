"""A game can be handed on: with every card where they may be known, else with what was seen."""

import random
import re

import pytest

from service.games import VARIANTS
from service.records.replay_text import parse_replay
from tests.http.kit import WON_DEAL, WON_LINE, known, nothing_changes

every_variant = pytest.mark.parametrize("variant", VARIANTS)
TEXT = {"Accept": "text/plain"}


def replay(player, **headers):
    answer = player.api.get(f"{player.path}/replay", **headers)
    assert answer.status == 200, answer.body
    return answer


def play_on(player, length, seed=1):
    """Plays `length` moves as they come, with some undone on the way."""
    choice = random.Random(seed)
    for _ in range(length):
        if player.game["legal_moves"]:
            player.play(choice.choice(player.game["legal_moves"]))
        if choice.random() < 0.2:
            player.undo()
    return player


@every_variant
def test_a_replay_tells_the_table_at_the_start(api, variant):
    player = api.new_game(variant, 5)
    start = player.game["piles"]
    assert replay(play_on(player, 20)).json["start"] == start


@every_variant
@pytest.mark.parametrize("number", [3, None], ids=["numbered", "sealed"])
def test_a_replay_tells_the_line_of_play_and_the_cards_it_turned(api, variant, number):
    player = play_on(api.new_game(variant, number), 30)
    told = replay(player).json
    line = player.api.get(f"{player.path}/moves?limit=500").json["items"]
    assert told["moves"] == [item["move"] for item in line]
    assert told["reveals"] == [
        {"ply": item["ply"], **reveal} for item in line for reveal in item["reveals"]
    ]
    assert told["status"] == player.game["status"]
    assert (told["variant"], told["ruleset"]) == (variant, player.game["ruleset"])


def test_a_replay_tells_nothing_of_what_has_been_taken_back(api):
    player = api.new_game("astrocyte")
    before = replay(player).body
    player.play("deal")
    player.undo()
    assert replay(player).body == before


@every_variant
def test_a_numbered_deal_is_told_by_its_number(api, variant):
    assert replay(api.new_game(variant, 4711)).json["deal"] == {"number": "4711"}


@every_variant
def test_a_sealed_deal_is_told_by_its_commitment_while_the_game_goes_on(api, variant):
    player = play_on(api.new_game(variant), 20)
    assert replay(player).json["deal"] == {"commitment": player.game["deal"]["commitment"]}
    bearer = {"Authorization": f"Bearer {player.token}"}
    assert replay(player, **bearer).body == replay(player).body


@every_variant
def test_a_sealed_deal_is_told_whole_when_the_game_is_over(api, variant):
    player = api.fair_game(variant, "0f" * 16)
    player.resign()
    told = replay(player).json
    reveal = api.get(f"{player.path}/reveal").json
    assert told["deal"] == {
        name: reveal[name] for name in ("commitment", "server_seed", "player_seed")
    }
    assert told["deal"]["player_seed"] == "0f" * 16
    assert told["status"] == "resigned"


def test_a_won_game_is_told_to_its_end(api):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE)
    told = replay(player).json
    assert (told["status"], told["moves"], told["reveals"]) == ("won", WON_LINE, [])


def test_a_replay_is_read_and_changes_nothing(api, fake):
    player = play_on(api.new_game("astrocyte"), 10)
    with nothing_changes(fake):
        assert replay(player).body == replay(player).body


def test_there_is_no_replay_of_a_game_that_there_is_not(api):
    assert known(api.get(f"/v1/games/{'a' * 26}/replay")) == (404, "game-not-found")


# As text


@every_variant
@pytest.mark.parametrize("number", [3, None], ids=["numbered", "sealed"])
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
    assert moves == "t7t2 t7=KD\nt4t3 t4=6C\n"


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        *(
            (accept, "application/json")
            for accept in ("", "*/*", "application/*", "text/plain;q=0.5, */*")
        ),
        *((accept, "text/plain") for accept in ("text/plain", "text/*", "text/plain, */*;q=0.1")),
        *((accept, "text/plain") for accept in ("application/json;q=0, */*", "text/plain;q=1")),
        ("application/json, text/plain", "application/json"),
        ("application/json;q=0.2, text/plain;q=0.3", "text/plain"),
    ],
)
def test_the_client_chooses_the_form(api, accept, given):
    answer = replay(api.new_game("astrocyte", 1), Accept=accept)
    assert answer.headers["Content-Type"].partition(";")[0] == given


@pytest.mark.parametrize("accept", ["text/html", "image/*", "text/plain;q=0", "*/*;q=0", "x"])
def test_whoever_takes_neither_form_is_refused(api, fake, accept):
    player = api.new_game("astrocyte", 1)
    with nothing_changes(fake):
        answer = api.get(f"{player.path}/replay", Accept=accept)
    assert known(answer) == (406, "not-acceptable")


def test_a_text_shows_hidden_cards_by_their_number_alone(api):
    body = replay(api.new_game("astrocyte"), **TEXT).body.decode()
    assert re.findall(r"\[[^\]]*\]", body) == ["[7]"] * 8 + ["[40]"]

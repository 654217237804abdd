"""A game can be read as text: a header, the board as its player sees it, and the legal moves."""

import re

import pytest

from service.games import VARIANTS
from service.games.boards import parse_reachable_position, print_view
from tests.contract.contract import document
from tests.http.kit import (
    MIDNIGHT,
    NEARLY_WON,
    TODAY,
    UNKNOWN_ID,
    WON_DEAL,
    WON_LINE,
    every_variant,
    known,
    nothing_changes,
    put,
)

TEXT = {"Accept": "text/plain"}


def text(player, **headers):
    answer = player.api.get(player.path, **TEXT, **headers)
    assert answer.status == 200, answer.body
    return answer.body.decode()


def parts(player):
    """The header as a dictionary, the board, and the legal moves."""
    head, board, moves = text(player).split("\n\n")
    return dict(line.split(": ") for line in head.splitlines()), board, moves


def test_the_example_of_the_contract_is_what_is_sent(api):
    player = api.new_game("astrocyte", 1, label="evening table")
    player.play("t7t2")
    answer = document()["paths"]["/v1/games/{game_id}"]["get"]["responses"]["200"]
    assert text(player) == answer["content"]["text/plain"]["example"]


@every_variant
def test_the_text_says_of_a_game_what_the_json_says(api, fake, variant):
    player = api.new_game(variant)
    for _ in range(12):
        player.play(player.game["legal_moves"][0])
    with nothing_changes(fake):
        head, board, moves = parts(player)
    for name in ("variant", "status", "ply", "version"):
        assert head[name] == str(player.game[name])
    shown = [
        f"{pile['id']}: {' '.join(hidden(pile) + pile['cards']) or '-'}"
        for pile in player.game["piles"]
    ]
    assert board.splitlines() == shown
    assert moves == f"legal moves: {' '.join(player.game['legal_moves'])}\n"


def hidden(pile):
    return [f"[{pile['hidden']}]"] if pile["hidden"] else []


def test_a_game_without_a_legal_move_says_so(api):
    player = api.new_game("binary-star", 1417)
    head, _, moves = parts(player)
    assert (head["stuck"], moves) == ("yes", "legal moves: -\n")
    player.resign()
    head, _, moves = parts(player)
    assert (head["status"], head["stuck"], moves) == ("resigned", "no", "legal moves: -\n")


def test_the_board_is_one_that_the_command_line_reads(api, store):
    won = api.new_game("binary-star", WON_DEAL)
    won.play(*WON_LINE[:40])
    for player in (won, put(api, store, NEARLY_WON)):
        _, board, _ = parts(player)
        position = parse_reachable_position(VARIANTS[player.game["variant"]], board)
        assert print_view(position.view) == board


def test_face_down_cards_are_counted_and_not_told(api):
    player = api.fair_game("astrocyte", "0f" * 16)
    face_up = sorted(card for pile in player.game["piles"] for card in pile["cards"])
    assert sorted(re.findall(r"\b[A23456789TJQK][CDHS]\b", text(player))) == face_up


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        *((accept, "application/json") for accept in ("", "*/*", "text/plain;q=0.5, */*")),
        *((accept, "text/plain") for accept in ("text/*", "application/json;q=0, */*")),
        ("application/json, text/plain", "application/json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"),
        ("application/json;q=0.2, text/plain;q=0.3", "text/plain"),
    ],
)
def test_json_is_sent_unless_the_client_prefers_text(player, accept, given):
    answer = player.api.get(player.path, Accept=accept)
    assert answer.headers["Content-Type"].partition(";")[0] == given
    assert answer.headers["Vary"] == "Accept"


def test_head_and_a_known_version_are_answered_as_for_json(player, api):
    whole = api.get(player.path, **TEXT)
    head = api.request("HEAD", player.path, **TEXT)
    assert head.body == b""
    for name in ("Content-Type", "Content-Length", "ETag", "Vary", "Cache-Control"):
        assert head.headers[name] == whole.headers[name]
    same = api.get(player.path, If_None_Match=whole.headers["ETag"], **TEXT)
    assert (same.status, same.body, same.headers["Vary"]) == (304, b"", "Accept")


def test_a_daily_game_is_shown_to_its_player_alone_until_the_day_is_over(api, clock):
    player = api.new_game("astrocyte", deal={"daily": TODAY})
    assert known(api.get(player.path, **TEXT)) == (401, "token-missing")
    wrong = api.get(player.path, Authorization="Bearer x", **TEXT)
    assert known(wrong) == (403, "token-wrong")
    assert text(player, **player.bearer).startswith("variant: astrocyte\n")
    clock.now = MIDNIGHT
    assert text(player).startswith("variant: astrocyte\n")


def test_there_is_no_text_of_an_unknown_game(api):
    refused = api.get(f"/v1/games/{UNKNOWN_ID}", **TEXT)
    assert known(refused) == (404, "game-not-found")
    assert refused.headers["Content-Type"] == "application/problem+json"

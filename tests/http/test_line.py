"""The line of play is listed a page at a time, with the cards that each move turned up."""

import random

import pytest

from tests.http.kit import WON_DEAL, WON_LINE, known

TAKEN_BACK = 7


@pytest.fixture
def played(api):
    """A player who has played the first 95 moves of a game of Binary Star."""
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE[: 102 - TAKEN_BACK])
    return player


def page(player, query=""):
    answer = player.api.get(f"{player.path}/moves{query}")
    assert answer.status == 200, answer.body
    return answer.json


def all_pages(player, limit):
    """Every item of the line, and how many came with each page."""
    items, lengths, query = [], [], f"?limit={limit}"
    while query:
        got = page(player, query)
        items += got["items"]
        lengths.append(len(got["items"]))
        query = got["next"] and f"?limit={limit}&cursor={got['next']}"
    return items, lengths


def test_the_line_of_a_new_game_is_empty(api):
    assert page(api.new_game("astrocyte")) == {"items": [], "next": None}


def test_the_line_holds_the_moves_in_the_order_they_were_played(played):
    items = page(played)["items"]
    assert [item["move"] for item in items] == WON_LINE[:95]
    assert [item["ply"] for item in items] == list(range(1, 96))


@pytest.mark.parametrize("limit", [1, 7, 94, 95, 96, 500])
def test_the_pages_together_are_the_line(played, limit):
    items, lengths = all_pages(played, limit)
    assert [item["move"] for item in items] == WON_LINE[:95]
    assert lengths == [limit] * (95 // limit) + [95 % limit] * (95 % limit > 0)


def test_a_page_holds_a_hundred_moves_if_nothing_is_said(api):
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE)
    first = page(player)
    assert len(first["items"]) == 100
    rest = page(player, f"?cursor={first['next']}")
    assert ([item["move"] for item in rest["items"]], rest["next"]) == (WON_LINE[100:], None)


@pytest.mark.parametrize("after", [0, 1, 50, 94])
def test_a_page_starts_behind_the_ply_that_is_named(played, after):
    items = page(played, f"?after={after}")["items"]
    assert items == page(played)["items"][after:]


@pytest.mark.parametrize("after", [95, 96, 10_000])
def test_a_page_behind_the_end_is_empty(played, after):
    assert page(played, f"?after={after}&limit=10") == {"items": [], "next": None}


def test_after_and_limit_go_together(played):
    items = page(played, "?after=10&limit=5")["items"]
    assert [item["ply"] for item in items] == [11, 12, 13, 14, 15]


def test_a_page_may_be_of_another_length_than_the_one_before(played):
    first = page(played, "?limit=10")
    assert [item["ply"] for item in page(played, f"?cursor={first['next']}&limit=2")["items"]] == [
        11,
        12,
    ]


def test_a_cursor_stays_right_while_the_game_goes_on(played):
    further = page(played, "?limit=90")["next"]
    played.play(*WON_LINE[95:])
    assert [item["move"] for item in page(played, f"?cursor={further}")["items"]] == WON_LINE[90:]


def test_a_cursor_leads_nowhere_once_its_moves_are_taken_back(played):
    further = page(played, "?limit=90")["next"]
    played.undo(20)
    assert page(played, f"?cursor={further}") == {"items": [], "next": None}


def test_what_was_taken_back_is_not_in_the_line(played):
    played.undo(TAKEN_BACK)
    items, _ = all_pages(played, 10)
    assert [item["move"] for item in items] == WON_LINE[: 95 - TAKEN_BACK]
    played.redo(2)
    assert len(page(played)["items"]) == 95 - TAKEN_BACK + 2


def test_a_new_move_takes_the_place_of_what_was_taken_back(api):
    player = api.new_game("astrocyte", 1)
    player.play("t7t2")
    player.undo()
    player.play("t1c1")
    assert [item["move"] for item in page(player)["items"]] == ["t1c1"]


def test_the_line_tells_with_each_move_the_cards_that_its_answer_told(api):
    player, choice, told = api.new_game("astrocyte", 1), random.Random(1), []
    for _ in range(25):
        move = choice.choice(player.game["legal_moves"])
        told.append({"move": move, "reveals": player.play(move).json["reveals"]})
    items = page(player)["items"]
    assert [{"move": item["move"], "reveals": item["reveals"]} for item in items] == told
    assert sum(len(item["reveals"]) for item in items) > 8


def test_the_line_of_a_game_that_is_over_is_whole(played):
    played.resign()
    assert len(page(played)["items"]) == 95


# What is refused


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("after", "limit") for value in ("", "-1", "1.0", "%D9%A3")),
        *(("after", "10001"), ("limit", "0"), ("limit", "501")),
        *(("cursor", value) for value in ("", "!!!!", "%ff", "A" * 5000)),
    ],
    ids=lambda value: value[:9],
)
def test_a_malformed_parameter_is_refused(played, name, value):
    answer = played.api.get(f"{played.path}/moves?{name}={value}")
    assert known(answer) == (422, "invalid-request")
    assert [fault["parameter"] for fault in answer.json["errors"]] == [name]


def test_the_cursor_of_another_game_is_refused(api, played):
    further = page(played, "?limit=3")["next"]
    other = api.new_game("astrocyte", 1)
    for path in (f"{other.path}/moves?", "/v1/deals?variant=astrocyte&"):
        assert known(api.get(f"{path}cursor={further}")) == (422, "foreign-cursor")
    assert len(page(played, f"?cursor={further}")["items"]) == 92


def test_a_page_has_one_beginning(played):
    further = page(played, "?limit=3")["next"]
    answer = played.api.get(f"{played.path}/moves?after=3&cursor={further}")
    assert known(answer) == (422, "invalid-request")
    assert [fault["parameter"] for fault in answer.json["errors"]] == ["cursor"]

"""The line of play is listed a page at a time, with the cards that each move turned up."""

import pytest

from tests.http.kit import WON_DEAL, WON_LINE, faults, known
from tests.support.walks import fixture


@pytest.fixture
def played(api):
    """A player who has played the first 95 moves of a game of Binary Star."""
    player = api.new_game("binary-star", WON_DEAL)
    player.play(*WON_LINE[:95])
    return player


def page(player, query=""):
    answer = player.api.get(f"{player.path}/moves{query}")
    assert answer.status == 200, answer.body
    return answer.json


def moves_of(page):
    return [item["move"] for item in page["items"]]


def test_the_line_of_a_new_game_is_empty(api):
    assert page(api.new_game("astrocyte")) == {"items": [], "next": None}


@pytest.mark.parametrize("limit", [1, 7, 94, 95, 96, 500])
def test_the_pages_together_are_the_line(played, limit):
    items, lengths, query = [], [], f"?limit={limit}"
    while query:
        got = page(played, query)
        items += got["items"]
        lengths.append(len(got["items"]))
        query = got["next"] and f"?limit={limit}&cursor={got['next']}"
    assert [(item["ply"], item["move"]) for item in items] == [*enumerate(WON_LINE[:95], 1)]
    assert lengths == [limit] * (95 // limit) + [95 % limit] * (95 % limit > 0)


def test_a_page_holds_a_hundred_moves_if_no_limit_is_given(played):
    played.play(*WON_LINE[95:])
    first = page(played)
    assert moves_of(first) == WON_LINE[:100]
    rest = page(played, f"?cursor={first['next']}")
    assert (moves_of(rest), rest["next"]) == (WON_LINE[100:], None)


@pytest.mark.parametrize(
    ("after", "limit"), [(0, 500), (1, 94), (50, 5), (94, 3), (95, 9), (10_000, 9)]
)
def test_a_page_starts_after_the_ply_that_is_named(played, after, limit):
    got = page(played, f"?after={after}&limit={limit}")
    assert moves_of(got) == WON_LINE[:95][after : after + limit]
    assert (got["next"] is None) == (after + limit >= 95)


def test_a_cursor_stays_right_while_the_game_goes_on(played):
    further = page(played, "?limit=90")["next"]
    played.play(*WON_LINE[95:])
    assert moves_of(page(played, f"?cursor={further}")) == WON_LINE[90:]
    assert moves_of(page(played, f"?cursor={further}&limit=2")) == WON_LINE[90:92]


def test_a_cursor_leads_nowhere_once_its_moves_are_undone(played):
    further = page(played, "?limit=90")["next"]
    played.undo(20)
    assert page(played, f"?cursor={further}") == {"items": [], "next": None}


def test_what_was_undone_is_not_in_the_line(played):
    played.undo(7)
    assert moves_of(page(played)) == WON_LINE[:88]
    played.redo(2)
    played.resign()
    assert moves_of(page(played)) == WON_LINE[:90]


def test_the_line_shows_with_each_move_the_cards_that_it_turned_up(api):
    won = fixture("astrocyte-won-line.json")
    player, shown = api.new_game("astrocyte", int(won["deal"])), []
    for ply, move in enumerate(won["moves"][:40], 1):
        shown.append({"ply": ply, "move": move, "reveals": player.play(move).json["reveals"]})
    assert page(player)["items"] == shown
    assert sum(len(item["reveals"]) for item in shown) > 8


# What is refused


@pytest.mark.parametrize(
    "query",
    [
        *(f"{name}={value}" for name in ("after", "limit") for value in ("", "-1", "1.0")),
        *("after=10001", "limit=0", "limit=501", "cursor=", "cursor=!!!!", "cursor=%ff"),
    ],
)
def test_a_malformed_parameter_is_refused(played, query):
    answer = played.api.get(f"{played.path}/moves?{query}")
    assert faults(answer) == [query.partition("=")[0]]


def test_the_cursor_of_another_game_is_refused(api, played):
    further = page(played, "?limit=3")["next"]
    for path in (f"{api.new_game('astrocyte', 1).path}/moves?", "/v1/deals?variant=astrocyte&"):
        assert known(api.get(f"{path}cursor={further}")) == (422, "foreign-cursor")


def test_a_page_has_one_beginning(played):
    further = page(played, "?limit=3")["next"]
    assert faults(played.api.get(f"{played.path}/moves?after=3&cursor={further}")) == ["cursor"]

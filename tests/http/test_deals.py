"""Numbered deals over HTTP: the catalogue page by page, and the truth about any one deal."""

import pytest

from service.deals.catalogue import catalogue
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.solvers import SOLVERS

LAST = 2**64 - 1


def pages(api, query):
    """Every item of a list, page by page."""
    cursor = ""
    while True:
        answer = api.get(f"/v1/deals?{query}{cursor}")
        assert answer.status == 200, answer.body
        yield from answer.json["items"]
        if answer.json["next"] is None:
            return
        cursor = f"&cursor={answer.json['next']}"


def test_the_catalogue_lists_deals_in_order_with_what_is_known_of_each(api):
    items = api.get("/v1/deals?variant=binary-star&limit=12").json["items"]
    assert [item["number"] for item in items] == [str(n) for n in range(1, 13)]
    assert [item["verdict"] for item in items if item["number"] in {"6", "11"}] == [
        "unwinnable",
        "unwinnable",
    ]
    assert all(item["moves"] == 102 for item in items if item["verdict"] == "winnable")


def test_only_deals_proven_solvable_are_listed_on_demand(api):
    items = api.get("/v1/deals?variant=binary-star&solvable=proven&limit=12").json["items"]
    assert {item["verdict"] for item in items} == {"winnable"}
    assert [item["number"] for item in items][4:6] == ["5", "7"]


def test_deals_of_one_difficulty_are_listed_on_demand(api):
    items = api.get("/v1/deals?variant=binary-star&difficulty=5&limit=50").json["items"]
    assert {item["difficulty"] for item in items} == {5}
    assert len(items) == 50


def test_the_pages_of_a_list_join_without_gap_or_repeat(api):
    query = "variant=binary-star&solvable=proven&difficulty=5&limit=500"
    numbers = [int(item["number"]) for item in pages(api, query)]
    known = catalogue("binary-star")
    assert numbers == [entry.number for entry in known.entries(0, "winnable", 5)]
    assert len(numbers) > 500


def test_the_catalogue_of_a_game_that_hides_cards_ends_where_its_deals_have_been_decided(api):
    query = "variant=astrocyte&solvable=proven&limit=500"
    numbers = [int(item["number"]) for item in pages(api, query)]
    assert numbers == list(range(1, 1001))


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("", "variant"),
        ("?variant=klondike", "variant"),
        ("?variant=binary-star&solvable=maybe", "solvable"),
        ("?variant=binary-star&difficulty=0", "difficulty"),
        ("?variant=binary-star&difficulty=6", "difficulty"),
        ("?variant=binary-star&limit=0", "limit"),
        ("?variant=binary-star&limit=501", "limit"),
        ("?variant=binary-star&cursor=nonsense", "cursor"),
        ("?variant=binary-star&sort=up", "sort"),
    ],
)
def test_a_wrong_query_is_told_by_its_parameter(api, query, parameter):
    answer = api.get(f"/v1/deals{query}")
    assert (answer.status, answer.code) == (422, "invalid-request")
    assert [error["parameter"] for error in answer.json["errors"]] == [parameter]


def test_the_cursor_of_another_list_is_refused(api):
    further = api.get("/v1/deals?variant=binary-star&limit=1").json["next"]
    for path in ("/v1/deals?variant=astrocyte&", "/v1/deals/binary-star-1/results?"):
        answer = api.get(f"{path}cursor={further}")
        assert (answer.status, answer.code) == (422, "foreign-cursor")


@pytest.mark.parametrize("number", [1, 6, 99_999, 100_000, 100_001, 4_711_000_000, LAST])
def test_the_truth_about_a_deal_is_what_the_solver_says(api, number):
    deal = api.get(f"/v1/deals/binary-star-{number}").json
    verdict = SOLVERS["binary-star"](start_position(PublicDeal(VARIANTS["binary-star"], number)))
    assert deal["verdict"] == verdict.name
    assert deal["number"] == str(number)


def test_a_numbered_deal_that_hides_cards_has_the_verdict_of_the_catalogue(api):
    deal = api.get("/v1/deals/astrocyte-1000").json
    known = catalogue("astrocyte").entry(1000)
    assert (deal["verdict"], deal["moves"]) == ("winnable", known.moves)
    assert deal["difficulty"] == known.difficulty


def test_a_deal_that_hides_cards_is_not_searched_in_a_request(api):
    deal = api.get(f"/v1/deals/astrocyte-{LAST}").json
    assert (deal["verdict"], deal["moves"], deal["difficulty"]) == ("unknown", None, None)


@pytest.mark.parametrize(
    "deal_id",
    [
        "binary-star",
        "binary-star-",
        "binary-star-0",
        "binary-star-007",
        f"binary-star-{LAST + 1}",
        "binary-star-1e3",
        "binary-star--1",
        "klondike-1",
        "-1",
        "1",
        "astrocyte-sealed-0123456789abcdef",
        "binary-star-%D9%A3",
        "binary-star-" + "9" * 2000,
    ],
)
def test_what_is_no_numbered_deal_is_not_found(api, deal_id):
    answer = api.get(f"/v1/deals/{deal_id}")
    assert (answer.status, answer.code) == (404, "deal-not-found")


def test_the_deal_of_a_numbered_game_can_be_looked_up_by_its_id(api):
    game = api.new_game("binary-star", 6).game
    assert api.get(f"/v1/deals/{game['deal']['id']}").json["verdict"] == "unwinnable"


def test_the_deal_of_a_sealed_game_cannot_be_looked_up(api):
    game = api.new_game("binary-star").game
    assert api.get(f"/v1/deals/{game['deal']['id']}").status == 404

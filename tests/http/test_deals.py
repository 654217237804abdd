"""Numbered deals over HTTP: the catalogue page by page, and the truth about any one deal."""

import pytest

from service.deals.catalogue import catalogue
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.solvers import SOLVERS
from tests.http.kit import faults, known

LAST = 2**64 - 1


def pages(api, query):
    """Every item of a list, page by page."""
    cursor = ""
    while cursor is not None:
        answer = api.get(f"/v1/deals?{query}{cursor}")
        assert answer.status == 200, answer.body
        yield from answer.json["items"]
        cursor = answer.json["next"] and f"&cursor={answer.json['next']}"


def test_the_catalogue_lists_deals_in_order_with_what_is_known_of_each(api):
    items = api.get("/v1/deals?variant=binary-star&limit=12").json["items"]
    assert [item["number"] for item in items] == [str(n) for n in range(1, 13)]
    lost = [item["number"] for item in items if item["verdict"] == "unwinnable"]
    assert lost == ["6", "11"]
    assert {item["moves"] for item in items if item["verdict"] == "winnable"} == {102}


def test_the_pages_of_a_filtered_list_join_without_gap_or_repeat(api):
    query = "variant=binary-star&solvable=proven&difficulty=5&limit=500"
    items = list(pages(api, query))
    assert {(item["verdict"], item["difficulty"]) for item in items} == {("winnable", 5)}
    entries = catalogue("binary-star").entries(0, "winnable", 5)
    assert [int(item["number"]) for item in items] == [entry.number for entry in entries]
    assert len(items) > 500


def test_the_catalogue_of_a_game_that_hides_cards_ends_where_its_deals_have_been_decided(api):
    query = "variant=astrocyte&solvable=proven&limit=500"
    assert [int(item["number"]) for item in pages(api, query)] == list(range(1, 1001))


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("", "variant"),
        ("?variant=klondike", "variant"),
        ("?variant=binary-star&solvable=maybe", "solvable"),
        ("?variant=binary-star&difficulty=0", "difficulty"),
        ("?variant=binary-star&limit=501", "limit"),
        ("?variant=binary-star&cursor=nonsense", "cursor"),
        ("?variant=binary-star&sort=up", "sort"),
    ],
)
def test_a_wrong_query_is_refused_by_its_parameter(api, query, parameter):
    assert faults(api.get(f"/v1/deals{query}")) == [parameter]


def test_the_cursor_of_another_list_is_refused(api):
    further = api.get("/v1/deals?variant=binary-star&limit=1").json["next"]
    for path in ("/v1/deals?variant=astrocyte&", "/v1/deals/binary-star-1/results?"):
        assert known(api.get(f"{path}cursor={further}")) == (422, "foreign-cursor")


@pytest.mark.parametrize("number", [1, 6, 100_000, 100_001, LAST])
def test_the_truth_about_a_deal_is_what_the_solver_says(api, number):
    deal = api.get(f"/v1/deals/binary-star-{number}").json
    verdict = SOLVERS["binary-star"](start_position(PublicDeal(VARIANTS["binary-star"], number)))
    assert (deal["verdict"], deal["number"]) == (verdict.name, str(number))


def test_a_numbered_deal_that_hides_cards_has_the_verdict_of_the_catalogue(api):
    deal = api.get("/v1/deals/astrocyte-1000").json
    entry = catalogue("astrocyte").entry(1000)
    verdict = (deal["verdict"], deal["moves"], deal["difficulty"])
    assert verdict == ("winnable", entry.moves, entry.difficulty)


def test_a_deal_that_hides_cards_is_not_searched_in_a_request(api):
    deal = api.get(f"/v1/deals/astrocyte-{LAST}").json
    assert (deal["verdict"], deal["moves"], deal["difficulty"]) == ("unknown", None, None)


@pytest.mark.parametrize(
    "deal_id",
    [
        *("binary-star", "binary-star-", "binary-star-0", "binary-star-007", "binary-star-1e3"),
        *(f"binary-star-{LAST + 1}", "binary-star--1", "klondike-1", "-1", "1"),
        *("astrocyte-sealed-0123456789abcdef", "binary-star-%D9%A3", "binary-star-" + "9" * 2000),
    ],
    ids=lambda deal_id: deal_id[:40],
)
def test_an_id_of_no_numbered_deal_is_not_found(api, deal_id):
    assert known(api.get(f"/v1/deals/{deal_id}")) == (404, "deal-not-found")


def test_the_deal_of_a_numbered_game_can_be_looked_up_and_that_of_a_sealed_game_not(api):
    numbered, sealed = api.new_game("binary-star", 6).game, api.new_game("binary-star").game
    assert api.get(f"/v1/deals/{numbered['deal']['id']}").json["verdict"] == "unwinnable"
    assert api.get(f"/v1/deals/{sealed['deal']['id']}").status == 404

"""A request costs as many round trips as it did, and hardly more calls than it did."""

import pytest

from tests.bench.counts import PYTHON, Cost, growth, measured, stored

ROUND_TRIPS, CALLS = stored()["round_trips"], stored()["calls"]


@pytest.fixture(scope="module")
def costs():
    return measured()


def test_each_request_takes_the_round_trips_to_the_store_that_it_did(costs):
    assert {name: cost.round_trips for name, cost in costs.items()} == ROUND_TRIPS


def test_no_request_takes_many_more_calls_than_it_did(costs):
    """Figures differ between versions of Python; those without any check round trips alone."""
    before = CALLS.get(PYTHON, {name: cost.rooms for name, cost in costs.items()})
    grown = [text for name, cost in costs.items() if (text := growth(name, cost, before[name]))]
    assert not grown, "\n\n" + "\n\n".join(grown)


def test_what_has_grown_is_named_with_its_place():
    cost = Cost(1, {"service.games": {"rule": 80, "play": 10}, "flask": {"answer": 30}})
    assert growth("move", cost, {"service.games": 85, "flask": 30}) == ""
    assert growth("move", cost, {"service.games": 50, "flask": 30}) == (
        "move: 120 calls, 80 before (+50%; up to +5% may pass). Most of it in:\n"
        "  service.games: 90, 50 before\n"
        "      80 in rule\n"
        "      10 in play\n"
        "If it is worth it: python -m tests.bench.counts --write"
    )

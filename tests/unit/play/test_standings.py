"""Statistics are computed once for all who ask, until other results are published."""

import pytest

from service.play.standings import Standings
from service.records.results import Result

RESULT = Result("a" * 26, None, True, 102, 5_000, 0, 0, True, False, 1_000, 2_000)
NAME = "variant:astrocyte"


@pytest.fixture
def clock():
    """The time in milliseconds."""
    return {"now": 1_000}


@pytest.fixture
def standings(store, clock):
    """Standings on the store in memory."""
    return Standings(store, lambda: clock["now"])


@pytest.fixture
def readings(store, monkeypatch):
    """The names of the lists that have been read as a whole."""
    read, names = store.result_store.results, []
    monkeypatch.setattr(
        store.result_store, "results", lambda name: names.append(name) or read(name)
    )
    return names


def games(standings):
    return standings.figures(NAME)["all"].games


def test_a_list_is_read_once_while_it_stays_as_it_is(store, standings, clock, readings):
    store.result_store.enter(NAME, RESULT)
    clock["now"] = 2_000
    assert [games(standings) for _ in range(3)] == [1, 1, 1]
    assert readings == [NAME]


def test_a_result_counts_from_the_moment_it_is_published(store, standings, clock):
    store.result_store.enter(NAME, RESULT)
    told = []
    for clock["now"] in (1_999, 2_000):
        told.append(games(standings))
    store.result_store.enter(NAME, RESULT._replace(game_id="b" * 26))
    assert [*told, games(standings)] == [0, 1, 2]

"""Statistics are computed once for all who ask, until other results are published."""

import pytest

from service.play.standings import Standings
from service.records.game import Counters
from service.records.results import Result
from tests.conftest import TTL
from tests.store.test_promise import new_game

RESULT = Result("a" * 26, 2, None, "won", 102, 5_000, 0, 0, True, False, 1_000, 2_000, 3_000)
NAME = "variant:astrocyte"


@pytest.fixture
def clock():
    """The time in milliseconds."""
    return {"now": 1_000}


@pytest.fixture
def standings(store, clock):
    """Standings on the store in memory."""
    return Standings(store, TTL, lambda: clock["now"])


@pytest.fixture
def readings(store, monkeypatch):
    """The names of the lists that have been read as a whole."""
    read, names = store.result_store.results, []
    monkeypatch.setattr(
        store.result_store, "results", lambda name: names.append(name) or read(name)
    )
    return names


def games(standings):
    return standings.figures(NAME)["all"].begun


def test_a_list_is_read_once_while_it_stays_as_it_is(store, standings, clock, readings):
    store.result_store.enter([NAME], RESULT)
    clock["now"] = 2_000
    assert [games(standings) for _ in range(3)] == [1, 1, 1]
    assert readings == [NAME]


def test_a_result_counts_from_the_moment_it_is_published(store, standings, clock):
    store.result_store.enter([NAME], RESULT)
    told = []
    for clock["now"] in (1_999, 2_000):
        told.append(games(standings))
    store.result_store.enter([NAME], RESULT._replace(game_id="b" * 26))
    assert [*told, games(standings)] == [0, 1, 2]


DAY = 24 * 60 * 60 * 1000
MIDNIGHT = 20_000 * DAY


def at(version, time, **changes):
    """A game of Astrocyte at its deal after as many moves, the last of them at a time."""
    counters = Counters(moves=version - 1)
    return new_game(version=version, counters=counters)._replace(updated_at=time, **changes)


def test_a_running_game_is_left_when_it_has_expired_though_not_every_move_is_entered(
    store, standings, clock
):
    """It expires a lifetime after its last move, whichever move of that day was entered."""
    first, last = at(2, MIDNIGHT), at(3, MIDNIGHT + DAY - 1)
    standings.record_write(at(1, MIDNIGHT), first)
    standings.record_write(first, last)
    assert [row.version for row in store.result_store.results(NAME)] == [2]
    seen, expiry = [], last.updated_at + TTL * 1000
    for clock["now"] in (expiry - 1, expiry + 2 * DAY):
        figures = standings.figures(NAME)["all"]
        seen.append((figures.outcomes["open"], figures.outcomes["left"]))
    assert seen == [(1, 0), (0, 1)]


def test_a_game_that_is_played_from_day_to_day_stays_open(store, standings, clock):
    game = at(1, MIDNIGHT)
    for day in range(40):
        following = at(day + 2, MIDNIGHT + day * DAY)
        standings.record_write(game, following)
        game = following
    clock["now"] = game.updated_at
    assert standings.figures(NAME)["all"].outcomes["open"] == 1


@pytest.mark.parametrize(
    ("changes", "entered"),
    [
        ({}, False),
        ({"resigned": True}, True),
        ({"counters": Counters(moves=5, undos=1)}, True),
        ({"counters": Counters(moves=5, hints=1)}, True),
        ({"updated_at": MIDNIGHT + DAY}, True),
    ],
    ids=["a usual move", "a resignation", "the first undo", "the first hint", "the next day"],
)
def test_a_write_is_entered_if_statistics_tell_it(store, standings, changes, entered):
    standings.record_write(at(5, MIDNIGHT), at(6, MIDNIGHT)._replace(**changes))
    assert bool(store.result_store.results(NAME)) == entered


def test_what_is_entered_late_does_not_undo_a_deletion(store, standings, clock):
    clock["now"], game = MIDNIGHT, at(3, MIDNIGHT)
    standings.record_deletion(game)
    standings.record_result(game)
    assert standings.figures(NAME)["all"].outcomes["left"] == 1

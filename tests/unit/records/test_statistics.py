"""Statistics of results, counted a second time in another way."""

from itertools import product
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.records.results import OUTCOMES, Result
from service.records.statistics import (
    GROUPS,
    holm,
    sign_test,
    statistics,
    statistics_by_group,
    wilson,
)

Z = 1.959964

NOW = 1_000
RESULTS = st.lists(
    st.builds(
        Result,
        game_id=st.just("a" * 26),
        version=st.just(2),
        label=st.just("ada"),
        status=st.sampled_from(["won", "resigned", "stuck", "open"]),
        moves=st.integers(0, 400),
        milliseconds=st.integers(0, 10**7),
        undos=st.integers(0, 2),
        hints=st.integers(0, 2),
        first_attempt=st.booleans(),
        ranked=st.booleans(),
        updated_at=st.just(0),
        published_at=st.just(0),
        kept_until=st.sampled_from([0, NOW, NOW + 1]),
    ),
    max_size=30,
)


@given(RESULTS)
def test_each_game_has_one_outcome(results):
    """One that is gone before its end was left, whatever it was; one that has ended stays so."""
    counted = statistics(results, NOW)
    assert tuple(counted.outcomes) == OUTCOMES
    assert counted.begun == len(results)
    for status in ("won", "resigned"):
        assert counted.outcomes[status] == sum(result.status == status for result in results)
    for status in ("stuck", "open"):
        assert counted.outcomes[status] == sum(
            result.status == status and result.kept_until > NOW for result in results
        )
    if results:
        assert counted.win_rate.share == counted.outcomes["won"] / len(results)


@given(RESULTS)
def test_moves_and_time_are_those_of_the_games_that_were_won(results):
    """Half of the values are no greater than the middle one, and half are no less."""
    won = [result for result in results if result.status == "won"]
    for spread, values in (
        (statistics(results, NOW).moves, [result.moves for result in won]),
        (statistics(results, NOW).milliseconds, [result.milliseconds for result in won]),
    ):
        if spread is None:
            assert values == []
            continue
        assert (spread.least, spread.most) == (min(values), max(values))
        assert 2 * sum(value <= spread.median for value in values) >= len(values)
        assert 2 * sum(value >= spread.median for value in values) >= len(values)


@given(RESULTS)
def test_each_group_has_the_results_that_its_name_says(results):
    groups = statistics_by_group(results, NOW)
    assert list(groups) == list(GROUPS)
    assert groups["all"].begun == len(results)
    assert groups["first_attempts"].begun == sum(result.first_attempt for result in results)
    assert groups["ranked"].begun == sum(result.ranked for result in results)
    helped = [result for result in results if result.undos + result.hints > 0]
    assert groups["without_help"].begun == len(results) - len(helped)
    assert groups["with_undo"].begun == sum(result.undos > 0 for result in helped)
    assert groups["with_hints"].begun == sum(result.hints > 0 for result in helped)


def test_without_games_there_are_no_statistics():
    assert statistics([], NOW) == (0, dict.fromkeys(OUTCOMES, 0), None, None, None)


@pytest.mark.parametrize("total", [1, 2, 7, 100, 60_000])
def test_the_ends_of_an_interval_are_the_shares_that_the_count_lies_just_within(total):
    """In Wilson's words (1927), shares p with |count / total - p| = z sqrt(p (1 - p) / total)."""
    for count in {0, 1, total // 3, total - 1, total}:
        low, high = wilson(count, total)
        assert 0 <= low <= count / total <= high <= 1
        for end in (low, high):
            if 1e-9 < end < 1 - 1e-9:
                spread = Z * sqrt(end * (1 - end) / total)
                assert abs(count / total - end) == pytest.approx(spread, rel=1e-6)


def test_an_interval_is_wilsons():
    low, high = wilson(55_017, 60_000)
    assert (round(low, 4), round(high, 4)) == (0.9147, 0.9191)


def test_a_result_sorts_before_a_worse_one():
    best = Result("b" * 26, 2, None, "won", 102, 5_000, 0, 0, True, True, 0, 0, 0)
    others = [
        best._replace(game_id="c" * 26),
        best._replace(milliseconds=5_001),
        best._replace(moves=103, milliseconds=1),
        best._replace(moves=10**12, milliseconds=10**15),
        best._replace(status="resigned", moves=1),
        best._replace(ranked=False, moves=1),
        best._replace(ranked=False, status="resigned", moves=0),
        best._replace(status="open", moves=0),
    ]
    places = [result.sort_key for result in (best, *others)]
    assert places == sorted(places)
    assert len({len(place) for place in places}) == 1


@given(st.integers(0, 6), st.integers(0, 6))
def test_the_sign_test_counts_the_throws_of_a_coin_that_are_at_least_as_uneven(one, other):
    throws = list(product((0, 1), repeat=one + other))
    uneven = sum(abs(2 * sum(throw) - len(throw)) >= abs(one - other) for throw in throws)
    assert sign_test(one, other) == pytest.approx(uneven / len(throws))


def test_the_sign_test_takes_large_numbers():
    assert sign_test(201, 137) == pytest.approx(0.00059, abs=1e-5)
    assert sign_test(20_000, 19_900) == pytest.approx(0.62, abs=0.01)
    assert sign_test(5_000, 0) == 0.0


def test_the_values_of_several_tests_are_corrected_for_their_number():
    assert holm([0.03, 0.01, 0.04]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []

"""Requests are counted by whose they are, and what was taken comes back evenly."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.limits import DEFAULT_LIMITS, Limits
from service.tally import A_MINUTE, Tally

LIMIT = "moves"


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def limits_of(quota, clock):
    return Limits({LIMIT: quota}, Tally(clock))


@pytest.mark.parametrize("quota", [1, 2, 7, 60, 1000])
def test_a_whole_quota_is_had_at_once_and_no_request_more(clock, quota):
    limits = limits_of(quota, clock)
    left = [limits.take(LIMIT, "ada").left for _ in range(quota)]
    assert left == list(reversed(range(quota)))
    refused = limits.take(LIMIT, "ada")
    assert (refused.left, refused.wait) == (0, max(1, -(-60 // quota)))


@pytest.mark.parametrize("quota", [1, 7, 60, 600])
def test_who_waits_as_long_as_told_is_let_in(clock, quota):
    limits = limits_of(quota, clock)
    for _ in range(quota):
        limits.take(LIMIT, "ada")
    clock.now += limits.take(LIMIT, "ada").wait
    assert limits.take(LIMIT, "ada").wait == 0


def test_who_waits_less_is_not(clock):
    limits = limits_of(6, clock)
    for _ in range(6):
        limits.take(LIMIT, "ada")
    clock.now += 9.9
    assert limits.take(LIMIT, "ada").wait == 1


def test_the_whole_quota_is_back_when_it_was_said_to_be(clock):
    limits = limits_of(60, clock)
    for _ in range(30):
        reset = limits.take(LIMIT, "ada").reset
    assert reset == 30
    clock.now += reset
    assert limits.take(LIMIT, "ada").left == 59


def test_who_is_refused_owes_no_more_for_it(clock):
    limits = limits_of(2, clock)
    for _ in range(100):
        limits.take(LIMIT, "ada")
    clock.now += 30
    assert limits.take(LIMIT, "ada").wait == 0


def test_one_s_requests_are_not_another_s(clock):
    limits = Limits({"moves": 1, "reads": 1}, Tally(clock))
    assert [limits.take(limit, who).wait for limit in ("moves", "reads") for who in "ab"] == [0] * 4
    assert limits.take("moves", "a").wait > 0


@given(st.lists(st.floats(0, 20), min_size=1, max_size=200), st.integers(1, 50))
def test_in_no_stretch_of_time_is_more_given_than_a_quota_and_what_came_back(pauses, quota):
    clock = Clock()
    limits = limits_of(quota, clock)
    given_at = []
    for pause in pauses:
        clock.now += pause
        if limits.take(LIMIT, "ada").wait == 0:
            given_at.append(clock.now)
    for first, begin in enumerate(given_at):
        for last, end in enumerate(given_at[first:], first):
            assert last - first + 1 <= quota + (end - begin) * quota / A_MINUTE + 1e-3


def test_however_many_names_come_all_are_counted_in_the_same_room(clock):
    tally = Tally(clock)
    for stranger in range(200_000):
        assert tally.take(f"stranger {stranger}", 10)[1]
    assert [tally.take("ada", 2)[1] for _ in range(3)] == [True, True, False]


def test_who_owes_much_is_not_forgotten_for_those_who_owe_little(clock):
    tally = Tally(clock)
    for _ in range(10):
        tally.take("ada", 10)
    for stranger in range(200_000):
        tally.take(f"stranger {stranger}", 10)
    assert not tally.take("ada", 10)[1]


def test_what_another_process_has_left_half_written_blocks_nobody_for_more_than_a_minute(clock):
    tally = Tally(clock)
    tally.take("ada", 10)
    for spoiled in (1e300, float("inf"), -1e300, float("nan")):
        slot = tally._slot("ada")
        tally._clear_at[slot] = spoiled
        tally.take("ada", 10)
        clock.now += 61
        assert tally.take("ada", 10)[1]


FORKED = """
import os
from service.tally import Tally
tally = Tally()
if os.fork():
    os.wait()
    print(tally.take("ada", 2)[1])
else:
    print(tally.take("ada", 2)[1], tally.take("ada", 2)[1], flush=True)
"""


def test_processes_that_were_forked_count_together():
    ran = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "True", "False"]


def test_a_limit_that_is_not_named_does_not_hold(clock):
    limits = Limits({"moves": 5}, Tally(clock))
    assert [name for name in DEFAULT_LIMITS if limits.hold(name)] == ["moves"]

"""Requests are counted by client and minute, and whoever waits as long as told gets through."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api import rate_limits
from service.api.rate_limits import RateLimits
from service.config import DEFAULT_LIMITS

ROOT = Path(__file__).parents[3]
LIMIT = "moves"
START = 1_700_000_040.0
"""A moment, in seconds since 1970, at which a minute begins."""


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def limits_of(quota, clock):
    return RateLimits({LIMIT: quota}, clock)


@pytest.mark.parametrize("quota", [1, 7, 1000])
def test_a_whole_quota_can_be_used_at_once_and_no_request_more(clock, quota):
    limits = limits_of(quota, clock)
    usages = [limits.hit(LIMIT, "ada") for _ in range(quota)]
    assert [usage.remaining for usage in usages] == list(reversed(range(quota)))
    assert all(usage.allowed for usage in usages)
    refused = limits.hit(LIMIT, "ada")
    assert (refused.allowed, refused.remaining) == (False, 0)


@given(quota=st.integers(1, 20), seconds=st.tuples(st.floats(0, 59.999), st.floats(0, 59.999)))
def test_whoever_waits_as_long_as_told_gets_the_whole_quota_from_any_worker(quota, seconds):
    clock = Clock()
    one, other = limits_of(quota, clock), limits_of(quota, clock)
    for worker, second in zip((one, other), sorted(seconds), strict=True):
        clock.now = START + second
        for _ in range(quota + 1):
            refused = worker.hit(LIMIT, "ada")
        assert not refused.allowed
        assert 0 < refused.reset <= 60
    clock.now += refused.reset
    for worker in (one, other):
        usage = worker.hit(LIMIT, "ada")
        assert (usage.allowed, usage.remaining) == (True, quota - 1)


def test_whoever_waits_less_is_refused_again(clock):
    limits = limits_of(1, clock)
    limits.hit(LIMIT, "ada")
    clock.now += limits.hit(LIMIT, "ada").reset - 0.1
    assert (limits.hit(LIMIT, "ada").allowed, limits.hit(LIMIT, "ada").reset) == (False, 1)


def test_one_client_s_requests_are_not_another_s(clock):
    limits = RateLimits({"moves": 1, "reads": 1}, clock)
    assert all(limits.hit(limit, who).allowed for limit in ("moves", "reads") for who in "ab")
    assert not limits.hit("moves", "a").allowed


@given(st.lists(st.floats(0, 20), min_size=1, max_size=200), st.integers(1, 50))
def test_in_no_minute_by_the_clock_is_more_allowed_than_the_quota(pauses, quota):
    clock, allowed = Clock(), {}
    limits = limits_of(quota, clock)
    for pause in pauses:
        clock.now += pause
        minute = clock.now // 60
        allowed[minute] = allowed.get(minute, 0) + limits.hit(LIMIT, "ada").allowed
    assert max(allowed.values()) <= quota


def test_a_clock_that_is_set_back_locks_nobody_out_for_more_than_a_minute(clock):
    limits = limits_of(1, clock)
    limits.hit(LIMIT, "ada")
    clock.now -= 3600
    assert limits.hit(LIMIT, "ada").allowed
    assert limits.hit(LIMIT, "ada").reset == 60


def test_a_flood_of_clients_takes_a_bounded_amount_of_memory(clock, monkeypatch):
    monkeypatch.setattr(rate_limits, "MOST_CLIENTS", 100)
    limits = RateLimits({"moves": 2, "reads": 1}, clock)
    limits.hit("reads", "ada")
    for stranger in range(1_000):
        assert limits.hit("moves", f"stranger {stranger}").allowed
    _, minute = limits._limits["moves"]
    assert len(minute._counts) <= 100
    assert [limits.hit("moves", "ada").allowed for _ in range(3)] == [True, True, False]
    assert not limits.hit("reads", "ada").allowed, "what floods one limit leaves the others alone"


def test_what_was_counted_in_a_minute_is_forgotten_in_the_next(clock):
    limits = limits_of(1, clock)
    for later in range(3):
        clock.now = START + 60 * later
        for stranger in range(50):
            limits.hit(LIMIT, f"stranger {later} {stranger}")
    _, minute = limits._limits[LIMIT]
    assert len(minute._counts) == 50


def test_a_limit_that_is_not_named_is_not_enforced(clock):
    limits = RateLimits({"moves": 5}, clock)
    assert [name for name in DEFAULT_LIMITS if name in limits] == ["moves"]


def test_fifty_games_of_hints_in_one_minute_stay_below_every_limit(clock):
    """A hint and a move for each of 220 moves, which is what Astrocyte takes by hints."""
    limits = RateLimits(DEFAULT_LIMITS, clock)
    for game in range(50):
        assert limits.hit("creation", "ada").allowed
        for _ in range(220):
            assert all(limits.hit(name, "ada").allowed for name in ("hints", "moves"))
            assert all(limits.hit(n, f"game {game}").allowed for n in ("game-hints", "game-moves"))


@pytest.mark.parametrize("limit", DEFAULT_LIMITS)
def test_every_limit_stands_in_the_readme_and_on_the_page_for_operators(limit):
    readme, operating = ((ROOT / name).read_text() for name in ("README.md", "deploy/OPERATING.md"))
    assert f"`{limit}` {DEFAULT_LIMITS[limit]:,}" in readme
    (row,) = [
        row
        for row in operating.splitlines()
        if row.startswith("| `") and f"`{limit}`" in row and "ASTERISM" not in row
    ]
    assert f"{DEFAULT_LIMITS[limit]:,}" in row

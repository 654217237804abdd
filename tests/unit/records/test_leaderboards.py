"""Leaderboards: streaks, win rates and ranks are those of the days and games that were counted."""

import random

import pytest

from service.records.leaderboards import SORTS, Tally, leaderboard, places_after
from service.records.statistics import wilson

TODAY = 20_000
WON, LOST = Tally(0, 0, 1, 1, 1), Tally(0, 0, 1, 0, 0)
LATE = Tally(0, 0, 1, 1, 0)
"""A daily deal won, lost, and won when its day was over."""


def board(tallies, sort):
    """The leaderboard of labels with tallies by day."""
    days = {day for known in tallies.values() for day in known}
    by_day = {
        day: {label: known[day] for label, known in tallies.items() if day in known} for day in days
    }
    return leaderboard(by_day, TODAY)[sort]


def row(tallies, sort="daily-wins"):
    """The only row of the leaderboard of one label; days count back from today."""
    days = {TODAY - ago: tally for ago, tally in tallies.items()}
    (place,) = board({"ada": days}, sort)
    return place.row


@pytest.mark.parametrize(
    ("ago", "current", "best"),
    [
        ([1], 1, 1),
        ([2], 0, 1),
        ([1, 2, 3, 5, 6], 3, 3),
        ([2, 3, 5, 6, 7], 0, 3),
        ([1, 3, 5], 1, 1),
        (list(range(1, 90)), 89, 89),
        ([0, 1, 2], 2, 2),
    ],
)
def test_a_streak_is_of_successive_days_and_today_is_not_over(ago, current, best):
    found = row(dict.fromkeys(ago, WON))
    over = [day for day in ago if day > 0]
    assert (found.current_streak, found.best_streak) == (current, best)
    assert (found.daily_wins, found.begun, found.won) == (len(over),) * 3


def test_a_daily_deal_that_was_lost_or_won_late_ends_a_streak_and_counts_as_begun():
    found = row({1: WON, 2: LOST, 3: WON, 4: LATE, 5: WON, 6: WON})
    assert (found.daily_wins, found.current_streak, found.best_streak) == (4, 1, 2)
    assert (found.begun, found.won) == (6, 5)


def test_todays_daily_deal_tells_nothing_and_other_games_count_at_once():
    assert board({"ada": {TODAY: WON}}, "daily-wins") == []
    tally = Tally(30, 12, 1, 1, 1)
    assert board({"ada": {TODAY: tally}}, "daily-wins") == []
    (place,) = board({"ada": {TODAY: tally}}, "win-rate")
    assert (place.row.begun, place.row.won) == (30, 12)
    assert (place.row.daily_wins, place.row.best_streak) == (0, 0)
    assert place.row.win_rate == (0.4, *wilson(12, 30))


def test_a_win_rate_is_ranked_from_twenty_games_on_by_its_lower_bound():
    games = {
        "few": (19, 19),
        "all": (20, 20),
        "many": (200, 196),
        "no": (20, 0),
        "half": (40, 20),
    }
    places = board(
        {label: {TODAY - 3: Tally(*counts, 0, 0, 0)} for label, counts in games.items()},
        "win-rate",
    )
    assert [(place.rank, place.row.label) for place in places] == [
        (1, "many"),
        (2, "all"),
        (3, "half"),
        (4, "no"),
    ]


def test_labels_that_are_alike_share_a_rank():
    alike = {label: {TODAY - 1: WON} for label in ("ada", "bob", "cyd")}
    ahead, behind = dict.fromkeys((TODAY - 2, TODAY - 1), WON), {TODAY - 1: WON, TODAY - 2: LOST}
    for sort in ("daily-wins", "streak"):
        places = board({**alike, "eve": ahead}, sort)
        assert [place.rank for place in places] == [1, 2, 2, 2]
        assert places[0].row.label == "eve"
    last = board({**alike, "zoe": behind}, "daily-wins")[-1]
    assert (last.rank, last.row.label) == (4, "zoe")


@pytest.mark.parametrize("sort", SORTS)
def test_a_leaderboard_is_read_from_any_place_on(sort):
    choice = random.Random(7)
    labels = {
        f"label {number} ☆": {
            TODAY - ago: choice.choice([WON, LOST, Tally(25, choice.randrange(26), 0, 0, 0)])
            for ago in choice.sample(range(90), 20)
        }
        for number in range(50)
    }
    places = board(labels, sort)
    assert 40 < len(places) <= 50
    assert [place.sort_key for place in places] == sorted({place.sort_key for place in places})
    found, after = [], ""
    while page := places_after(places, after, 7):
        found, after = found + page, page[-1].sort_key
    assert found == places
    del labels[places[6].row.label]
    assert places_after(board(labels, sort), places[6].sort_key, 9)[0].row == places[7].row

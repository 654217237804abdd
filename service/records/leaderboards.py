"""Leaderboards: what the games of owned labels came to, summed by label and ranked."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

from service.deals.deal import DailyDeal
from service.records.game import Game
from service.records.results import Result
from service.records.statistics import Share, wilson

DAYS = 90
"""How many days a leaderboard covers, today included: at most as long as labels are remembered."""

FEWEST_GAMES = 20
"""How many begun games it takes to be ranked by win rate."""

A_DAY = 24 * 60 * 60 * 1000


class Tally(NamedTuple):
    """Numbers of first attempts: at daily deals, which tell nothing until the day is over, apart.

    `wins_of_day` counts those that were won on the day of their deal.
    """

    begun: int
    won: int
    daily_begun: int
    daily_won: int
    wins_of_day: int


class Attempt(NamedTuple):
    """What a first attempt adds to the tally of its label on the day on which it was begun.

    `day` is counted since 1970 UTC; `tally` is that of the game at this version, alone.
    """

    variant: str
    day: int
    label: str
    game_id: str
    version: int
    tally: Tally


class Row(NamedTuple):
    """What a label has achieved; streaks are days with daily wins, the current one to yesterday."""

    label: str
    daily_wins: int
    current_streak: int
    best_streak: int
    begun: int
    won: int
    win_rate: Share


class Place(NamedTuple):
    """A row of a leaderboard: its rank from 1, the same for rows alike, and a text that sorts."""

    rank: int
    sort_key: str
    row: Row


class Sort(NamedTuple):
    """A way to sort: which rows are listed, and by what numbers, the highest first."""

    lists: Callable[[Row], bool]
    numbers: Callable[[Row], tuple[float, ...]]


SORTS: dict[str, Sort] = {
    "daily-wins": Sort(
        lambda row: row.daily_wins > 0,
        lambda row: (row.daily_wins, row.best_streak, row.win_rate.low * _MOST),
    ),
    "streak": Sort(
        lambda row: row.best_streak > 0,
        lambda row: (row.best_streak, row.current_streak, row.daily_wins),
    ),
    "win-rate": Sort(
        lambda row: row.begun >= FEWEST_GAMES,
        lambda row: (row.win_rate.low * _MOST, row.begun, row.daily_wins),
    ),
}
"""The ways to sort a leaderboard, by name."""

SORT_KEY_PATTERN = r"[0-9]{30}[0-9a-f]{12}"
"""Matches the `sort_key` of a place."""

_MOST = 10**9
_NUMBERS_LENGTH = 30

Leaderboard = Mapping[str, list[Place]]
"""The places, best first, by the name of their sort."""


def attempt_of(game: Game, result: Result) -> Attempt | None:
    """What `game` with this `result` adds to the tallies; None if it does not count.

    Only first attempts of owned labels count: others could be repeated until they are won.
    """
    counts = game.label_owned and game.first_attempt and game.is_begun
    if game.label is None or not counts:
        return None
    won = int(result.status == "won")
    if isinstance(game.deal, DailyDeal):
        day = game.deal.opens_at // A_DAY - 1
        tally = Tally(0, 0, 1, won, won * result.ranked)
    else:
        day, tally = game.created_at // A_DAY, Tally(1, won, 0, 0, 0)
    return Attempt(game.variant.name, day, game.label, game.id, result.version, tally)


def leaderboard(days: Mapping[int, Mapping[str, Tally]], today: int) -> Leaderboard:
    """The leaderboard of these tallies by day, in days since 1970 UTC, as it is `today`."""
    tallies: dict[str, dict[int, Tally]] = {}
    for day in sorted(days):
        for label, tally in days[day].items():
            tallies.setdefault(label, {})[day] = tally
    rows = [row for label, known in tallies.items() if (row := _row(label, known, today))]
    return {name: list(_places(sort, rows)) for name, sort in SORTS.items()}


def places_after(places: list[Place], after: str, limit: int) -> list[Place]:
    """At most `limit` places after a `sort_key`."""
    start = bisect_right(places, after, key=lambda place: place.sort_key)
    return places[start : start + limit]


def _row(label: str, tallies: Mapping[int, Tally], today: int) -> Row | None:
    """What a label has achieved by its tallies, whose days ascend; None if nothing shows yet."""
    over = [tally for day, tally in tallies.items() if day < today]
    begun = sum(t.begun for t in tallies.values()) + sum(t.daily_begun for t in over)
    won = sum(t.won for t in tallies.values()) + sum(t.daily_won for t in over)
    if not begun:
        return None
    days_won = [day for day, tally in tallies.items() if day < today and tally.wins_of_day]
    streaks = _streaks(days_won)
    current = streaks[-1] if days_won and days_won[-1] == today - 1 else 0
    rate = Share(won / begun, *wilson(won, begun))
    return Row(label, len(days_won), current, max(streaks, default=0), begun, won, rate)


def _streaks(days: list[int]) -> list[int]:
    """The lengths of the runs of successive days in `days`, which ascend."""
    runs = groupby(enumerate(days), key=lambda item: item[1] - item[0])
    return [len(list(run)) for _, run in runs]


def _places(sort: Sort, rows: Iterable[Row]) -> Iterable[Place]:
    keys = sorted((_sort_key(sort, row), row) for row in rows if sort.lists(row))
    for _, alike in groupby(enumerate(keys, 1), key=lambda item: item[1][0][:_NUMBERS_LENGTH]):
        first, *others = alike
        for _, (key, row) in (first, *others):
            yield Place(first[0], key, row)


def _sort_key(sort: Sort, row: Row) -> str:
    """A text that sorts: each number from the highest down, then a digest of the label."""
    numbers = "".join(f"{_MOST - int(number):010}" for number in sort.numbers(row))
    return numbers + blake2b(row.label.encode(), digest_size=6).hexdigest()

"""Results of finished games and statistics of begun ones, as the service answers them."""

from collections.abc import Mapping
from datetime import datetime

from service.client.models import Model


class Result(Model, frozen=True):
    """The result of a game; `replay` is its path while it is kept."""

    game_id: str
    label: str | None
    status: str
    moves: int
    seconds: float
    undos: int
    hints: int
    first_attempt: bool
    ranked: bool
    ended_at: datetime
    replay: str | None
    label_owned: bool = False


class WinRate(Model, frozen=True):
    """A share of won games, and its 95 % interval."""

    share: float
    low: float
    high: float


class Spread(Model, frozen=True):
    """The least, the median and the most of some numbers."""

    least: float
    median: float
    most: float


class Figures(Model, frozen=True):
    """What begun games have come to, and the moves and seconds of those that were won."""

    begun: int
    won: int
    resigned: int
    stuck: int
    left: int
    open: int
    win_rate: WinRate | None
    moves: Spread | None
    seconds: Spread | None


class Stats(Model, frozen=True):
    """Statistics of one variant; `figures` by group: `all`, `first_attempts`, `ranked` …"""

    variant: str
    label: str | None
    deal: str | None
    figures: Mapping[str, Figures]
    label_owned: bool | None = None


class LeaderboardItem(Model, frozen=True):
    """What the owner of a label has achieved, and the place in the order asked for."""

    rank: int
    label: str
    daily_wins: int
    current_streak: int
    best_streak: int
    begun: int
    won: int
    win_rate: WinRate

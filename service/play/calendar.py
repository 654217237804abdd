"""The calendar of daily deals: derived from the server key, secret until their day is over."""

from collections.abc import Callable
from datetime import UTC, date, datetime

from service.deals.daily import DAILY_INFIX, parse_day
from service.deals.deal import DailyDeal, Deal, PublicDeal
from service.deals.shuffle import deal_number
from service.errors import DayNotOverError, DealNotFoundError, InputError, NotTodayError
from service.games import find_variant
from service.games.base import Variant
from service.play.keys import ServerKey


class Calendar:
    """The deal of each day, and which days are over."""

    def __init__(self, key: ServerKey, now: Callable[[], int]) -> None:
        """`now` gives milliseconds since 1970 UTC."""
        self._key = key
        self.now = now

    @property
    def today(self) -> date:
        """The current day in UTC."""
        return datetime.fromtimestamp(self.now() / 1000, UTC).date()

    def deal(self, game: Variant, day: date) -> DailyDeal:
        """The deal of `day`, past or future."""
        return DailyDeal(game, self._key.daily_seed(game.name, day), day=day)

    def todays_deal(self, game: Variant, day: date) -> DailyDeal:
        """The deal of `day` for a new game; `NotTodayError` unless it is today's."""
        today = self.today
        if day != today:
            raise NotTodayError(day, today)
        return self.deal(game, day)

    def parse_deal_id(self, deal_id: str) -> PublicDeal | DailyDeal:
        """The deal with this id; `DealNotFoundError` if none, or if its day is to come."""
        is_daily = DAILY_INFIX in deal_id
        name, _, text = deal_id.rpartition(DAILY_INFIX if is_daily else "-")
        try:
            game = find_variant(name)
            if not is_daily:
                return PublicDeal(game, deal_number(text))
            day = parse_day(text)
        except InputError:
            raise DealNotFoundError from None
        if day > self.today:
            raise DealNotFoundError
        return self.deal(game, day)

    def is_closed(self, deal: Deal) -> bool:
        """Whether `deal` is a daily deal whose day is not over."""
        return isinstance(deal, DailyDeal) and self.now() < deal.opens_at

    def require_open(self, deal: Deal) -> None:
        """Raises `DayNotOverError` if `deal` is a daily deal whose day is not over."""
        if isinstance(deal, DailyDeal) and self.is_closed(deal):
            raise DayNotOverError(deal.day)

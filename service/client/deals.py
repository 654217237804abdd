"""Numbered and daily deals, and what proves that nobody chose them, as the service answers them."""

from datetime import date, datetime

from service.client.models import Model


class DealReveal(Model, frozen=True):
    """Everything that is needed to repeat a shuffle."""

    scheme: str
    variant: str
    ruleset: str
    fairness: str
    number: str | None
    commitment: str | None
    server_seed: str | None
    player_seed: str | None
    seed: str
    pack: tuple[str, ...]


class Commitment(Model, frozen=True):
    """The service's side of a deal that nobody can choose, for one game within the hour."""

    commitment_id: str
    scheme: str
    commitment: str
    expires_at: datetime


class KnownDeal(Model, frozen=True):
    """A numbered deal: whether it can be won, in how many moves, and how hard it is."""

    id: str
    variant: str
    ruleset: str
    number: str
    verdict: str
    moves: int | None
    transfers: int | None
    difficulty: int | None


class DailyDeal(Model, frozen=True):
    """A daily deal; `reveal` has its cards when its day is over."""

    id: str
    variant: str
    ruleset: str
    day: date
    commitment: str
    opens_at: datetime
    reveal: DealReveal | None


class DailyDeals(Model, frozen=True):
    """Today's deals, one for each variant."""

    day: date
    items: tuple[DailyDeal, ...]

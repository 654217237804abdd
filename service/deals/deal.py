"""A deal: where its shuffle came from, who may know it, and the position that it lays out."""

from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar, Literal

from service.deals.shuffle import commitment, numbered_seed, sealed_seed, shuffled
from service.games.base import Position, Variant
from service.games.cards import Card

_FIRST_DAY = date(1970, 1, 1).toordinal()
_A_DAY = 24 * 60 * 60 * 1000

Fairness = Literal["public", "sealed", "daily", "revealed"]


@dataclass(frozen=True, slots=True)
class PublicDeal:
    """A numbered deal: who knows the number knows every card."""

    variant: Variant
    number: int

    fairness: ClassVar[Fairness] = "public"
    commitment: ClassVar[None] = None
    server_seed: ClassVar[None] = None
    player_seed: ClassVar[None] = None

    @property
    def id(self) -> str:
        """The name of the deal, the same for everybody who plays it."""
        return f"{self.variant.name}-{self.number}"

    @property
    def seed(self) -> bytes:
        """The 32 bytes that the shuffle is drawn from."""
        return numbered_seed(self.variant.name, self.number)


@dataclass(frozen=True, slots=True, repr=False)
class SealedDeal:
    """A deal from a secret server seed of 32 bytes, shown as a commitment until its game ends."""

    variant: Variant
    server_seed: bytes
    player_seed: bytes = b""

    fairness: ClassVar[Fairness] = "sealed"
    number: ClassVar[None] = None

    @property
    def commitment(self) -> str:
        """The digest that holds the server to its seed, 64 hex digits."""
        return commitment(self.server_seed)

    @property
    def id(self) -> str:
        """The name of the deal; it tells no more than the commitment does."""
        return f"{self.variant.name}-sealed-{self.commitment[:16]}"

    @property
    def seed(self) -> bytes:
        """The 32 bytes that the shuffle is drawn from."""
        return sealed_seed(self.server_seed, self.player_seed)

    def __repr__(self) -> str:
        """The id alone: a seed must not reach a log by way of a message."""
        return f"{type(self).__name__}({self.id})"


@dataclass(frozen=True, slots=True, repr=False)
class RevealedDeal(SealedDeal):
    """A deal that was sealed and is no more: whoever has its seeds knows every card."""

    fairness: ClassVar[Fairness] = "revealed"


@dataclass(frozen=True, slots=True, repr=False)
class DailyDeal(SealedDeal):
    """The sealed deal of a UTC day, the same for everybody: it stays sealed until the day ends."""

    day: date = field(kw_only=True)

    fairness: ClassVar[Fairness] = "daily"

    @property
    def id(self) -> str:
        """The name of the deal, the same for everybody who plays it."""
        return f"{self.variant.name}-daily-{self.day}"

    @property
    def opens_at(self) -> int:
        """When its day ends, in milliseconds since 1970 UTC."""
        return (self.day.toordinal() + 1 - _FIRST_DAY) * _A_DAY


Deal = PublicDeal | SealedDeal


def shuffled_pack(deal: Deal) -> tuple[Card, ...]:
    """The shuffled pack of `deal`, in dealing order."""
    return shuffled(deal.variant.pack, deal.seed)


def start_position(deal: Deal) -> Position:
    """The position that `deal` lays out."""
    return deal.variant.start(shuffled_pack(deal))

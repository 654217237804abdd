"""Deals: the source of a shuffle, who may know it, and the position that it lays out."""

from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar, Literal

from typing_extensions import override

from service.deals.shuffle import commitment, numbered_seed, sealed_seed, shuffled
from service.games.base import Position, Variant
from service.games.cards import Card

_FIRST_DAY = date(1970, 1, 1).toordinal()
_A_DAY = 24 * 60 * 60 * 1000

Fairness = Literal["public", "sealed", "daily", "revealed"]


@dataclass(frozen=True, slots=True)
class PublicDeal:
    """A numbered deal: the number determines every card."""

    variant: Variant
    number: int

    fairness: ClassVar[Fairness] = "public"
    commitment: ClassVar[None] = None
    server_seed: ClassVar[None] = None
    player_seed: ClassVar[None] = None

    @property
    def id(self) -> str:
        """The id of the deal, shared by all its games."""
        return f"{self.variant.name}-{self.number}"

    @property
    def seed(self) -> bytes:
        """The 32 bytes that determine the shuffle."""
        return numbered_seed(self.variant.name, self.number)


@dataclass(frozen=True, slots=True, repr=False)
class SealedDeal:
    """A deal from a server seed of 32 bytes; until its game ends only a digest of it is public."""

    variant: Variant
    server_seed: bytes
    player_seed: bytes = b""

    fairness: ClassVar[Fairness] = "sealed"
    number: ClassVar[None] = None

    @property
    def commitment(self) -> str:
        """The published digest of the server seed, 64 hex digits."""
        return commitment(self.server_seed)

    @property
    def id(self) -> str:
        """The id of the deal, derived from the commitment alone."""
        return f"{self.variant.name}-sealed-{self.commitment[:16]}"

    @property
    def seed(self) -> bytes:
        """The 32 bytes that determine the shuffle."""
        return sealed_seed(self.server_seed, self.player_seed)

    def __repr__(self) -> str:
        """The id alone, so that no seed gets into a log."""
        return f"{type(self).__name__}({self.id})"


@dataclass(frozen=True, slots=True, repr=False)
class RevealedDeal(SealedDeal):
    """A formerly sealed deal whose seeds are published."""

    fairness: ClassVar[Fairness] = "revealed"


@dataclass(frozen=True, slots=True, repr=False)
class DailyDeal(SealedDeal):
    """The deal of a UTC day, the same for everybody, sealed until the day ends."""

    day: date = field(kw_only=True)

    fairness: ClassVar[Fairness] = "daily"

    @property
    @override
    def id(self) -> str:
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

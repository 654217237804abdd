"""Encodes the deal of a stored game as a msgpack array that begins with its kind."""

from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

from service.deals.deal import DailyDeal, Deal, PublicDeal, RevealedDeal, SealedDeal
from service.games import VARIANTS

_RULESETS = {variant.ruleset: variant for variant in VARIANTS.values()}

Seed = Annotated[bytes, Meta(min_length=32, max_length=32)]


class _Deal(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    ruleset: str


class _PublicDeal(_Deal, frozen=True, tag=0):
    number: Annotated[int, Meta(ge=1)]


class _SealedDeal(_Deal, frozen=True, tag=1):
    server_seed: Seed
    player_seed: bytes


class _RevealedDeal(_Deal, frozen=True, tag=2):
    server_seed: Seed
    player_seed: bytes


class _DailyDeal(_Deal, frozen=True, tag=3):
    server_seed: Seed
    day: date


StoredDeal = _PublicDeal | _SealedDeal | _RevealedDeal | _DailyDeal


def encode_deal(deal: Deal) -> StoredDeal:
    """`deal` in its stored form."""
    ruleset = deal.variant.ruleset
    match deal:
        case PublicDeal():
            return _PublicDeal(ruleset, deal.number)
        case DailyDeal():
            return _DailyDeal(ruleset, deal.server_seed, deal.day)
        case RevealedDeal():
            return _RevealedDeal(ruleset, deal.server_seed, deal.player_seed)
        case SealedDeal():
            return _SealedDeal(ruleset, deal.server_seed, deal.player_seed)


def decode_deal(stored: StoredDeal) -> Deal:
    """The deal of a stored form; `KeyError` if this release does not know its ruleset."""
    variant = _RULESETS[stored.ruleset]
    match stored:
        case _PublicDeal():
            return PublicDeal(variant, stored.number)
        case _DailyDeal():
            return DailyDeal(variant, stored.server_seed, day=stored.day)
        case _RevealedDeal():
            return RevealedDeal(variant, stored.server_seed, stored.player_seed)
        case _SealedDeal():
            return SealedDeal(variant, stored.server_seed, stored.player_seed)

"""Deals: each is one shuffle of one pack, and says no more of its seeds than it may."""

import hashlib
import hmac
from datetime import date

import pytest

from service.deals.deal import DailyDeal, PublicDeal, SealedDeal, shuffled_pack
from service.deals.shuffle import LARGEST_DEAL, commitment, sealed_seed, shuffled
from service.games import VARIANTS
from service.games.cards import TWO_PACKS

BINARY_STAR, ASTROCYTE = VARIANTS["binary-star"], VARIANTS["astrocyte"]
SECRET = bytes(range(32))


@pytest.mark.parametrize(
    ("variant", "number", "top", "digest"),
    [
        (BINARY_STAR, 1, "TS 4H 5C 5H 5H JD", "41ad67d1d0566b56"),
        (BINARY_STAR, 2, "", "b54bff8d553c4991"),
        (BINARY_STAR, LARGEST_DEAL, "", "1afbc3c7a5eef020"),
        (ASTROCYTE, 1, "7C 6H 9D TH 4H 5C", "d722d2801e81f643"),
        (ASTROCYTE, 2, "", "e2a593fdb316f8bd"),
        (ASTROCYTE, LARGEST_DEAL, "", "b00fd69a822f4b03"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_numbered_deal_is_the_same_pack_for_ever(variant, number, top, digest):
    pack = " ".join(shuffled_pack(PublicDeal(variant, number)))
    assert pack.startswith(top)
    assert hashlib.sha256(pack.encode()).hexdigest()[:16] == digest


def test_a_sealed_deal_is_dealt_from_the_mixed_seed():
    deal = SealedDeal(ASTROCYTE, SECRET, b"mine")
    assert shuffled_pack(deal) == shuffled(TWO_PACKS, sealed_seed(SECRET, b"mine"))
    empty = hmac.new(SECRET, b"", hashlib.sha256).digest()
    assert SealedDeal(ASTROCYTE, SECRET).seed == sealed_seed(SECRET) == empty


def test_another_player_seed_is_another_deal_under_the_same_commitment():
    mine, yours = (SealedDeal(ASTROCYTE, SECRET, seed) for seed in (b"mine", b"yours"))
    assert shuffled_pack(mine) != shuffled_pack(yours)
    assert mine.commitment == yours.commitment == commitment(SECRET)


def test_a_printed_sealed_deal_does_not_tell_its_seed():
    daily = DailyDeal(ASTROCYTE, SECRET, day=date(2026, 11, 30))
    assert repr(daily) == "DailyDeal(astrocyte-daily-2026-11-30)"
    deal = SealedDeal(ASTROCYTE, SECRET, b"mine")
    assert repr(deal) == f"SealedDeal(astrocyte-sealed-{commitment(SECRET)[:16]})"


def test_a_public_deal_is_known_by_its_number_and_a_sealed_one_has_none():
    public, sealed = PublicDeal(BINARY_STAR, 4711), SealedDeal(BINARY_STAR, SECRET)
    assert (public.id, public.fairness, public.commitment) == ("binary-star-4711", "public", None)
    assert (sealed.number, sealed.fairness) == (None, "sealed")

"""Cards, packs, deal numbers and seeds: scheme `asterism-deal/1` is kept to the letter."""

import hashlib
import hmac
from collections import Counter
from datetime import date

import pytest

from service.deals.deal import DailyDeal, PublicDeal, SealedDeal, shuffled_pack, start_position
from service.deals.shuffle import (
    LARGEST_DEAL,
    _below,
    commitment,
    deal_number,
    numbered_seed,
    sealed_seed,
    shuffled,
)
from service.errors import CardError, DealNumberError
from service.games import VARIANTS
from service.games.cards import FACES, RANK, SUIT, TWO_PACKS, parse_card, without
from tests import reading

BINARY_STAR, ASTROCYTE = VARIANTS["binary-star"], VARIANTS["astrocyte"]
SECRET = bytes(range(32))


def test_the_faces_run_from_the_ace_of_clubs_to_the_king_of_spades():
    clubs = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    others = [clubs.replace("C", suit) for suit in "DHS"]
    assert " ".join(FACES) == " ".join([clubs, *others])


def test_two_packs_are_all_faces_in_order_and_then_all_again():
    assert TWO_PACKS == FACES + FACES


def test_ranks_count_from_the_ace_to_the_king():
    hearts = ["AH", "2H", "9H", "TH", "JH", "QH", "KH"]
    assert [RANK[face] for face in hearts] == [1, 2, 9, 10, 11, 12, 13]


def test_the_suit_of_a_card_is_its_second_letter():
    assert [SUIT[face] for face in ("TC", "TD", "TH", "TS")] == list("CDHS")


@pytest.mark.parametrize("text", ["AC", "TS", "2H", "KD"])
def test_a_card_is_written_rank_first(text):
    assert parse_card(text) == text


@pytest.mark.parametrize(
    "text", ["", "9", "9X", "H9", "1H", "10H", "9h", "9H ", "9H\n", "٩H", "9H9H", "0S"]
)
def test_other_texts_are_no_cards(text):
    with pytest.raises(CardError):
        parse_card(text)


def test_a_pack_loses_only_the_first_copy_of_a_card_taken_out():
    assert without(("AC", "2C", "AC", "3C"), ["AC"]) == ("2C", "AC", "3C")


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


def test_the_seed_of_a_numbered_deal_is_a_digest_of_scheme_variant_and_number():
    written = b"asterism-deal/1|astrocyte|4711"
    assert numbered_seed("astrocyte", 4711) == hashlib.sha256(written).digest()


def test_a_shuffle_keeps_the_cards_and_leaves_the_pack_alone():
    pack = list(TWO_PACKS)
    assert Counter(shuffled(pack, SECRET)) == Counter(TWO_PACKS)
    assert pack == list(TWO_PACKS)


def test_numbers_too_high_to_be_shared_out_evenly_are_thrown_away():
    """Nothing is thrown away for a pack of cards in a million, so the pack is a huge one."""
    pack = range(200_000)
    as_read, thrown = reading.shuffle(pack, SECRET)
    assert thrown > 0
    assert shuffled(pack, SECRET) == tuple(as_read)


@pytest.mark.parametrize("bound", [3, 6, 7, 100, 104])
def test_the_lowest_number_that_is_too_high_is_thrown_away_as_well(bound):
    """No seed is known that draws it, one number in four thousand million, so it is handed over."""
    lowest = 2**32 - 2**32 % bound
    assert _below(bound, iter([lowest, lowest - 1])) == bound - 1


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("9", 9), ("10", 10), ("4711", 4711), ("18446744073709551615", 2**64 - 1)],
)
def test_a_deal_number_is_written_in_plain_digits(text, number):
    assert deal_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "00", "01", "007", "+1", "-1", "1_0", " 1", "1 ", "1\n", "1\0", "1.0", "1e3"),
        *("0x1", "one", "1,000", "None", "True", "٣", "1٣", "１", "²", "౧"),
        *("18446744073709551616", "99999999999999999999", "100000000000000000000"),
    ],
)
def test_no_other_text_is_a_deal_number(text):
    with pytest.raises(DealNumberError):
        deal_number(text)


@pytest.mark.parametrize("digit", ["9", "0", "٣"])
def test_five_thousand_digits_are_refused_like_any_other_text(digit):
    with pytest.raises(DealNumberError):
        deal_number(digit * 5000)


def test_a_commitment_is_a_digest_of_the_scheme_and_the_server_seed():
    assert commitment(SECRET) == hashlib.sha256(b"asterism-deal/1|" + SECRET).hexdigest()


def test_a_sealed_deal_mixes_the_seeds_of_server_and_player():
    mixed = hmac.new(SECRET, b"my lucky number", hashlib.sha256).digest()
    assert sealed_seed(SECRET, b"my lucky number") == mixed


def test_a_player_who_brings_no_seed_brings_the_empty_one():
    empty = hmac.new(SECRET, b"", hashlib.sha256).digest()
    assert SealedDeal(ASTROCYTE, SECRET).seed == sealed_seed(SECRET) == empty


def test_a_sealed_deal_is_dealt_from_the_mixed_seed():
    deal = SealedDeal(ASTROCYTE, SECRET, b"mine")
    assert shuffled_pack(deal) == shuffled(TWO_PACKS, sealed_seed(SECRET, b"mine"))


def test_another_player_seed_is_another_deal_under_the_same_commitment():
    mine, yours = (SealedDeal(ASTROCYTE, SECRET, seed) for seed in (b"mine", b"yours"))
    assert shuffled_pack(mine) != shuffled_pack(yours)
    assert mine.commitment == yours.commitment == commitment(SECRET)


def test_a_printed_sealed_deal_does_not_tell_its_seed():
    daily = DailyDeal(ASTROCYTE, SECRET, day=date(2026, 11, 30))
    assert repr(daily) == "DailyDeal(astrocyte-daily-2026-11-30)"
    deal = SealedDeal(ASTROCYTE, SECRET, b"mine")
    assert repr(deal) == f"SealedDeal(astrocyte-sealed-{commitment(SECRET)[:16]})"


def test_a_public_deal_is_known_by_variant_and_number():
    deal = PublicDeal(BINARY_STAR, 4711)
    assert (deal.id, deal.fairness, deal.commitment) == ("binary-star-4711", "public", None)


def test_a_sealed_deal_has_no_number():
    deal = SealedDeal(BINARY_STAR, SECRET)
    assert (deal.number, deal.fairness) == (None, "sealed")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_one_number_is_one_deal_and_another_number_another(variant):
    first, again, other = (start_position(PublicDeal(variant, number)) for number in (7, 7, 8))
    assert first == again
    assert first != other

"""Shuffles, seeds and deal numbers: the scheme `asterism-deal/1` is kept to the letter."""

import hashlib
import hmac
from collections import Counter

import pytest

from service.deals.shuffle import (
    _below,
    commitment,
    deal_number,
    numbered_seed,
    sealed_seed,
    shuffled,
)
from service.errors import InputError
from service.games.cards import TWO_PACKS
from tests.support import reading

SECRET = bytes(range(32))


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


@pytest.mark.parametrize("number", [1, 9, 10, 4711, 2**64 - 1])
def test_a_deal_number_is_written_in_plain_digits(number):
    assert deal_number(str(number)) == number


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "00", "01", "007", "+1", "-1", "1_0", " 1", "1 ", "1\n", "1\0", "1.0", "1e3"),
        *("0x1", "one", "1,000", "None", "True", "٣", "1٣", "１", "²", "౧"),
        *("18446744073709551616", "100000000000000000000", "9" * 5000, "0" * 5000),
    ],
    ids=lambda text: ascii(text)[:24],
)
def test_no_other_text_is_a_deal_number(text):
    with pytest.raises(InputError):
        deal_number(text)


def test_a_sealed_deal_is_committed_to_by_a_digest_and_mixes_the_seeds_of_server_and_player():
    assert commitment(SECRET) == hashlib.sha256(b"asterism-deal/1|" + SECRET).hexdigest()
    mixed = hmac.new(SECRET, b"my lucky number", hashlib.sha256).digest()
    assert sealed_seed(SECRET, b"my lucky number") == mixed

"""The stored forms of schema 1, byte by byte: a change of one needs a new schema."""

from datetime import date

import pytest
from msgspec import msgpack

from service.deals.commitment import Commitment
from service.deals.deal import DailyDeal, PublicDeal, RevealedDeal, SealedDeal, start_position
from service.games import VARIANTS
from service.games.base import Reveal
from service.games.moves import parse_move
from service.records.events import Event
from service.records.game import Counters, Game, Outcome, Receipt
from service.records.hint import Hint
from service.store import codec, event_codec
from service.store.deal_codec import encode_deal
from service.store.idempotency import decode_responses

ASTROCYTE = VARIANTS["astrocyte"]
SEED = bytes(range(32))
DEAL = SealedDeal(ASTROCYTE, SEED, b"player")
HINT = Hint(parse_move("t7t1"), "Puts the cards in order.", "unknown")
GAME = Game(
    id="a" * 26,
    deal=DEAL,
    position=start_position(DEAL),
    created_at=1_764_000_000_000,
    updated_at=1_764_000_123_456,
    receipt=Receipt("0123456789abcdef01234567", Outcome(1, (Reveal("t1", "9H"),), "reveal", HINT)),
    version=260,
    length=2,
    resigned=True,
    label="Æ",
    counters=Counters(300, 2, 1, 9),
    plan=(parse_move("t7t1"), parse_move("deal")),
    first_attempt=True,
    forked_at=7,
    epoch=2**48 - 1,
)
STORED_GAME = bytes.fromhex(
    """
    01000001049fc4854378636e7970562e6c2f4e7a62624a74582e612f4875746472554f2e672f5675
    4e4446536e2e672f4842786d5166792e4c2f544d50497066452e542f5a4a7a656877592e582f4c6a
    6a524257632e6c2f2f2f2f2f2f2f2f2f2f2f2f2f455076694f43766551525777467264596b476b71
    554b5349416d714447417361684d736f6f4b695a2e9401ab617374726f637974652f31c420000102
    030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1fc406706c61796572cf0000
    019ab697e800ce0001e240c40c0123456789abcdef0123456794019192a27431a23948a672657665
    616c9493a27437a2743101b8507574732074686520636172647320696e206f726465722ea7756e6b
    6e6f776ec00002c3a2c38694cd012c020109c40402230000c307cf0000ffffffffffffd4038f09
    """
)
EVENT = Event(9, "moved", GAME.created_at + 300, (parse_move("t7t1"),), (Reveal("t7", "AS"),), 0)


def test_a_game():
    assert codec.encode_game(GAME) == STORED_GAME
    assert codec.decode_game(GAME.id, STORED_GAME) == GAME


def test_a_game_whose_label_is_owned_has_one_more_member():
    owned = GAME._replace(label_owned=True)
    stored = codec.encode_game(owned)
    assert codec.decode_game(GAME.id, stored) == owned
    assert msgpack.decode(stored[5:-4]) == [*msgpack.decode(STORED_GAME[5:-4]), True]


@pytest.mark.parametrize(
    ("deal", "stored"),
    [
        (PublicDeal(ASTROCYTE, 2**64 - 1), "93 00 {ruleset} cfffffffffffffffff"),
        (SealedDeal(ASTROCYTE, SEED), "94 01 {ruleset} c420{seed} c400"),
        (RevealedDeal(ASTROCYTE, SEED, b"\1"), "94 02 {ruleset} c420{seed} c40101"),
        (DailyDeal(ASTROCYTE, SEED, day=date(2026, 11, 30)), "94 03 {ruleset} c420{seed} {day}"),
    ],
    ids=["public", "sealed", "revealed", "daily"],
)
def test_the_deal_in_a_game(deal, stored):
    parts = {"ruleset": b"\xabastrocyte/1", "seed": SEED, "day": b"\xaa2026-11-30"}
    stored = stored.format(**{name: part.hex() for name, part in parts.items()})
    assert msgpack.encode(encode_deal(deal)) == bytes.fromhex(stored)
    assert codec.decode_game(GAME.id, codec.encode_game(GAME._replace(deal=deal))).deal == deal


def test_a_commitment():
    commitment = Commitment("a" * 26, SEED, 1_764_000_000_000)
    stored = bytes.fromhex(f"01 92 c420 {SEED.hex()} cf0000019ab697e800 9d5ba6e2")
    assert codec.encode_commitment(commitment) == stored
    assert codec.decode_commitment(commitment.id, stored) == commitment


def test_an_event():
    stored = bytes.fromhex("21 0001 012c 0223 0627 fe5c")
    assert event_codec.encode_event(EVENT, GAME) == stored
    assert event_codec.decode_event(stored, EVENT.version, GAME) == EVENT


def test_responses():
    """Only decoding: the compressed bytes may vary with the release of zlib."""
    stored = bytes.fromhex("6b44b5ec28a335e36880921ba000bba7995e")
    assert decode_responses(stored, STORED_GAME) == {"0123456789abcdef01234567": STORED_GAME}

"""What is kept and then damaged is told to be so: no game goes on from it, and none is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.deals.commitment import Commitment
from service.deals.deal import SealedDeal
from service.errors import GameUnreadableError
from service.games.base import Reveal
from service.play.keys import fingerprint
from service.records.events import Event
from service.records.game import Counters, Game, Outcome, Receipt
from service.store import codec, event_codec
from tests.support.walks import dealt_walks


@st.composite
def games(draw):
    """A game somewhere on its way, with all that a game can have."""
    walk = draw(dealt_walks(most=40))
    return Game(
        id="a" * 26,
        deal=draw(st.sampled_from([walk.deal, SealedDeal(walk.variant, bytes(32), b"seed")])),
        position=walk.end,
        created_at=1_000,
        updated_at=2_000,
        receipt=Receipt(fingerprint(b"moved"), Outcome(1, (Reveal("t1", "9H"),), "reveal")),
        version=len(walk.moves) + 1,
        ply=len(walk.moves),
        length=len(walk.moves),
        label=draw(st.none() | st.text(max_size=8)),
        counters=Counters(len(walk.moves), 1, 2, 3),
        plan=walk.moves[:5],
    )


@st.composite
def damage(draw, data: bytes) -> bytes:
    """`data` cut short, lengthened, or with some of its bytes changed."""
    kind = draw(st.sampled_from(["cut", "lengthened", "changed"]))
    if kind == "cut":
        return data[: draw(st.integers(0, len(data) - 1))]
    if kind == "lengthened":
        return data + draw(st.binary(min_size=1, max_size=4))
    first = draw(st.integers(0, len(data) - 1))
    others = draw(st.binary(min_size=1, max_size=4).filter(any))
    changed = bytes(a ^ b for a, b in zip(data[first:], others, strict=False))
    return data[:first] + changed + data[first + len(changed) :]


@given(st.data())
def test_a_game_that_is_damaged_is_no_other_game(data):
    game = data.draw(games())
    written = codec.encode_game(game)
    assert codec.decode_game(game.id, written) == game
    broken = data.draw(damage(written))
    if broken != written:
        with pytest.raises(GameUnreadableError):
            codec.decode_game(game.id, broken)


@given(st.data())
def test_an_event_with_a_damaged_byte_is_no_other_event(data):
    game = data.draw(games())
    event = Event(7, "moved", 5_000, game.plan, (Reveal("t1", "9H"),), 0)
    written = event_codec.encode_event(event, game)
    assert event_codec.decode_event(written, 7, game) == event
    place = data.draw(st.integers(0, len(written) - 1))
    flipped = bytes([written[place] ^ data.draw(st.integers(1, 255))])
    with pytest.raises(GameUnreadableError):
        event_codec.decode_event(written[:place] + flipped + written[place + 1 :], 7, game)


@given(st.data())
def test_a_commitment_that_is_damaged_is_no_other_commitment(data):
    commitment = Commitment("a" * 26, data.draw(st.binary(min_size=32, max_size=32)), 3_600_000)
    written = codec.encode_commitment(commitment)
    assert codec.decode_commitment(commitment.id, written) == commitment
    broken = data.draw(damage(written))
    if broken != written:
        with pytest.raises(GameUnreadableError):
            codec.decode_commitment(commitment.id, broken)

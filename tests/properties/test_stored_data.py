"""Whatever bytes the store holds: what was written is read from them, or they are unreadable."""

from binascii import crc_hqx

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from service.deals.commitment import Commitment
from service.deals.deal import SealedDeal
from service.errors import GameUnreadableError
from service.games.base import Reveal
from service.play import actions
from service.play.actions import RequestStamp
from service.play.keys import fingerprint
from service.records.events import Event
from service.records.game import Counters, Game, Outcome, Receipt
from service.store import codec, event_codec
from service.store.idempotency import (
    RESPONSES_KEPT,
    add_response,
    decode_responses,
    encode_responses,
)
from tests.support.stored import with_check
from tests.support.walks import dealt_walks

ID = "a" * 26
KEYS = [fingerprint(f"key {number}".encode()) for number in range(24)]


@st.composite
def games(draw):
    """A game somewhere on its way, with all that a game can have."""
    walk = draw(dealt_walks(most=40))
    return Game(
        id=ID,
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
        label_owned=draw(st.booleans()),
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


def read_or_refused(read, *arguments):
    """What is read from stored bytes; None if they are unreadable."""
    try:
        return read(*arguments)
    except GameUnreadableError:
        return None


@given(games(), st.data())
def test_a_game_is_read_as_it_was_written_and_damaged_not_at_all(game, data):
    written = codec.encode_game(game)
    assert codec.decode_game(ID, written) == game
    broken = data.draw(damage(written))
    assume(broken != written)
    assert read_or_refused(codec.decode_game, ID, broken) is None
    checked = with_check(written[:1] + data.draw(damage(written[1:-4])))
    assert isinstance(read_or_refused(codec.decode_game, ID, checked), Game | None)


@given(games(), st.data())
def test_an_event_is_read_as_it_was_written_and_damaged_not_at_all(game, data):
    event = Event(7, "moved", 5_000, game.plan, (Reveal("t1", "9H"),), 0)
    written = event_codec.encode_event(event, game)
    assert event_codec.decode_event(written, 7, game) == event
    place = data.draw(st.integers(0, len(written) - 1))
    flipped = bytes([written[place] ^ data.draw(st.integers(1, 255))])
    with pytest.raises(GameUnreadableError):
        event_codec.decode_event(written[:place] + flipped + written[place + 1 :], 7, game)


@given(st.binary(min_size=32, max_size=32), st.data())
def test_a_commitment_is_read_as_it_was_written_and_damaged_not_at_all(seed, data):
    commitment = Commitment(ID, seed, 3_600_000)
    written = codec.encode_commitment(commitment)
    assert codec.decode_commitment(ID, written) == commitment
    broken = data.draw(damage(written))
    assume(broken != written)
    assert read_or_refused(codec.decode_commitment, ID, broken) is None


@given(games(), st.binary(max_size=300))
def test_bytes_of_any_kind_are_read_or_refused(game, data):
    assert read_or_refused(codec.decode_game, ID, data) is None
    assert read_or_refused(codec.decode_game, ID, bytes((codec.SCHEMA,)) + data) is None
    for event in (data, data + crc_hqx(data, 0).to_bytes(2, "big")):
        assert isinstance(read_or_refused(event_codec.decode_event, event, 7, game), Event | None)
    for responses in (data, with_check(data)):
        assert isinstance(read_or_refused(decode_responses, responses, b""), dict | None)


# Stored responses


@st.composite
def courses(draw):
    """A game at each of its versions, with the key of the request that led there, or None."""
    walk = draw(dealt_walks(most=len(KEYS) - 1))
    receipt = Receipt(fingerprint(b"created"), Outcome())
    games = [Game(ID, walk.deal, walk.positions[0], 1_000, 1_000, receipt)]
    for number, move in enumerate(walk.moves):
        stamp = RequestStamp(2_000 + 997 * number, fingerprint(bytes([number])))
        games.append(actions.play_moves(games[-1], [move], stamp).game)
    asked = draw(st.lists(st.booleans(), min_size=len(games), max_size=len(games)))
    return [(game, key if it else None) for game, key, it in zip(games, KEYS, asked, strict=False)]


def stored(course):
    """The state and the responses, as the store holds them at the end."""
    written, state = b"", b""
    for game, key in course:
        responses = decode_responses(written or None, state)
        state = codec.encode_game(game)
        written = encode_responses(add_response(responses, key, state), state)
    return state, written


@given(courses())
def test_the_response_to_the_creation_and_the_last_are_stored_and_no_others(course):
    state, written = stored(course)
    responses = decode_responses(written or None, state)
    given = {key: game for game, key in course if key is not None}
    known = {key: game for key, game in given.items() if game.version == 1}
    known |= dict(list(given.items())[-RESPONSES_KEPT:])
    assert {key: codec.decode_game(ID, then) for key, then in responses.items()} == known


@given(courses().filter(lambda course: len(course) > 1 and course[0][1]), st.data())
def test_responses_are_read_undamaged_beside_the_game_they_were_written_with(course, data):
    state, written = stored(course)
    with pytest.raises(GameUnreadableError):
        decode_responses(written, codec.encode_game(course[0][0]))
    broken = data.draw(damage(written))
    assume(broken != written)
    assert read_or_refused(decode_responses, broken, state) is None

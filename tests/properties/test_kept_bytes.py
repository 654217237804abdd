"""Whatever bytes lie in the store: a game is read from them, or it is said that there is none."""

from binascii import crc_hqx
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from service.errors import GameUnreadableError
from service.games import VARIANTS
from service.records.events import Event
from service.records.game import Game
from service.store import codec, event_codec
from service.store.idempotency import decode_responses
from tests.properties.test_damage import damage
from tests.store.test_promise import new_game
from tests.support.stored import with_check

GAMES = [new_game(name, label="ada") for name in VARIANTS]


def is_read_or_refused(data):
    try:
        return codec.decode_game("a" * 26, data)
    except GameUnreadableError:
        return None


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_no_game(data):
    assert is_read_or_refused(data) is None
    assert is_read_or_refused(bytes((codec.SCHEMA,)) + data) is None


@given(st.sampled_from(GAMES), st.data())
def test_another_state_with_a_checksum_of_its_own_is_a_game_or_none(game, data):
    written = codec.encode_game(game)[:-4]
    found = is_read_or_refused(with_check(written[:1] + data.draw(damage(written[1:]))))
    assert found is None or isinstance(found, Game)


@given(st.sampled_from(GAMES), st.binary(max_size=40))
def test_bytes_of_any_kind_are_an_event_or_none(game, data):
    for written in (data, data + crc_hqx(data, 0).to_bytes(2, "big")):
        with suppress(GameUnreadableError):
            assert isinstance(event_codec.decode_event(written, 7, game), Event)


@given(st.binary(max_size=40))
def test_bytes_of_any_kind_are_responses_or_none(data):
    for written in (data, with_check(data)):
        with suppress(GameUnreadableError):
            assert decode_responses(written, b"") is not None

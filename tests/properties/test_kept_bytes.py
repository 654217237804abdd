"""Whatever bytes lie in the store: a game is read from them, or it is said that there is none."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from service.errors import GameUnreadableError
from service.events import Event
from service.games import VARIANTS
from service.store import codec
from service.store.packing import (
    pack_letters,
    pack_number,
    unpack_letters,
    unpack_number,
)
from tests.store.test_promise import new_game

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


@given(st.sampled_from(GAMES), st.binary(max_size=40))
def test_bytes_of_any_kind_are_an_event_or_none(game, data):
    with suppress(GameUnreadableError):
        assert isinstance(codec.decode_event(data, 7, game), Event)


@given(st.integers(0, 2**70), st.binary(max_size=3))
def test_a_number_is_unpacked_as_it_was_packed_and_no_further(number, rest):
    data = iter(pack_number(number) + rest)
    assert unpack_number(data) == number
    assert bytes(data) == rest


@given(st.text("ABYZabyz./", min_size=0, max_size=140))
def test_letters_are_unpacked_as_they_were_packed_but_for_what_fills_up(letters):
    found = unpack_letters(pack_letters(letters))
    assert found.startswith(letters)
    assert set(found[len(letters) :]) <= {"/"}
    assert len(found) - len(letters) < 4

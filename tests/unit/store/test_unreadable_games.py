"""What is stored and is no game is refused when it is read, and never taken for another game."""

import pytest

from service.deals.deal import PublicDeal, start_position
from service.errors import GameUnreadableError
from service.games import VARIANTS
from service.games.moves import parse_move
from service.records.game import Game, Outcome, Receipt
from service.store import codec
from tests.support.stored import put_together, taken_apart, with_check


def altered(**members):
    """The state with some members set, those that are None taken out."""

    def alter(state):
        there = taken_apart(state) | members
        return put_together({k: v for k, v in there.items() if v is not None})

    return alter


def with_body(body):
    """The state with something else for its members."""
    return lambda state: with_check(state[:5] + body)


UNREADABLE = {
    "nothing": lambda state: b"",
    "broken off": lambda state: state[:-20],
    "a schema and no more": lambda state: state[:1],
    "a schema and a version": lambda state: with_check(state[:5]),
    "something else": lambda state: b"\x80\x04\x95",
    "no msgpack": with_body(b"\xc1"),
    "nil": with_body(b"\xc0"),
    "an empty array": with_body(b"\x90"),
    "a map": with_body(b"\x80"),
    "one value more": lambda state: with_check(b"%s\x9f%s\xc0" % (state[:5], state[6:-4])),
    "schema nought": altered(schema=0),
    "a newer schema": altered(schema=2),
    "no check value": lambda state: state[:-4],
    "another ruleset": altered(ruleset="astrocyte/2"),
    "no ruleset": altered(ruleset=None),
    "no position": altered(position=""),
    "another position": altered(position="A/B"),
    "unknown cards": altered(position="/".join(["0"] * 21)),
    "no counters": altered(counters=None),
    "no receipt": altered(fingerprint=None),
    "an outcome of another kind": altered(outcome=[0, [], "tired", None]),
    "a deal of no kind": altered(kind=9),
    "a deal of no number": altered(deal=["one"]),
    "a deal of number nought": altered(deal=[0]),
    "a deal without its seed": altered(kind=1, deal=[b"", b""]),
    "a length in words": altered(undone="4"),
    "a length that is no whole number": altered(undone=4.5),
    "a ply that is a truth value": altered(ply=True),
    "a ply below nought": altered(ply=-1),
    "a ply beyond the line": altered(undone=-1),
    "a time in words": altered(created="yesterday"),
    "a time beyond all time": altered(duration=1e300),
    "a time before the beginning": altered(duration=-1),
    "a counter in words": altered(counters=[1, 2, 3, "4"]),
    "counters by name": altered(counters={"a": 1, "b": 2, "c": 3, "d": 4}),
    "a label that is no text": altered(label=5),
    "an epoch in words": altered(epoch="1"),
}


@pytest.fixture
def stored():
    """A game of Astrocyte after one move, with one move undone."""
    deal = PublicDeal(VARIANTS["astrocyte"], 1)
    return Game(
        id="a" * 26,
        deal=deal,
        position=start_position(deal).after(parse_move("t3c1")),
        created_at=1_000,
        updated_at=2_000,
        receipt=Receipt("0" * 24, Outcome()),
        version=4,
        ply=1,
        length=2,
    )


@pytest.mark.parametrize("fault", UNREADABLE)
def test_a_damaged_game_is_not_read(stored, fault):
    state = codec.encode_game(stored)
    assert codec.decode_game(stored.id, state) == stored
    with pytest.raises(GameUnreadableError):
        codec.decode_game(stored.id, UNREADABLE[fault](state))

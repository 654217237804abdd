"""The notation of moves: one spelling each, and no other text is a move."""

import re
from itertools import product

import pytest

from service.errors import InputError
from service.games.moves import DEAL, MOVE_PATTERN, Move, parse_move

SPELLED = {
    "t3f1": Move("t3", "f1", 1),
    "t17f2": Move("t17", "f2"),
    "t3t5x4": Move("t3", "t5", 4),
    "t2f1x13": Move("t2", "f1", 13),
    "c1t6": Move("c1", "t6"),
    "f3t4": Move("f3", "t4"),
    "deal": DEAL,
}


@pytest.mark.parametrize("text", SPELLED)
def test_a_move_is_read_and_printed_in_its_one_spelling(text):
    assert parse_move(text) == SPELLED[text]
    assert str(SPELLED[text]) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "t", "t1", "t1t", "tt", "11", "t1-t2", "t1 t2", " t1t2", "t1t2 ", "t1t2\n"),
        *("t0f1", "t1f0", "t01f1", "t1f01", "t100f1", "t1f100", "t-1f1"),
        *("t1t2x", "t1t2x0", "t1t2x1", "t1t2x02", "t1t2x14", "t1t2x20", "t1t2x-2", "t1t2x1000"),
        *("T1F1", "t1t2X3", "DEAL", "Deal", "deal ", "deal\n", "dealx2", "deals", "dealdeal"),
        *("s1t1", "st1", "t1s", "x1t1", "t1t2t3", "t1t2x3x4", "t1t2x3t4"),
        *("t١f1", "t1f١", "t1t2x٣", "t１f1", "ｔ1f1", "t1f1\0", "t²f1"),
    ],
)
def test_no_other_text_is_a_move(text):
    with pytest.raises(InputError):
        parse_move(text)


def test_a_text_without_end_is_not_repeated_in_the_error():
    with pytest.raises(InputError) as caught:
        parse_move("t" * 5000)
    assert len(str(caught.value)) < 300


def test_the_published_pattern_is_the_one_of_the_contract():
    assert MOVE_PATTERN == (
        "^(deal|[tcf][1-9][0-9]?[tcf][1-9][0-9]?(x([2-9]|1[0-3]))?)$"  # of openapi.yaml
    )


def test_what_the_published_pattern_lets_through_is_what_is_read():
    ends = ["", "t", "t0", "t1", "t9", "t10", "t99", "t100", "c1", "f8", "s", "s1", "T1"]
    counts = ["", "x", *(f"x{n}" for n in range(16)), "x02"]
    for text in ("deal", *map("".join, product(ends, ends, counts))):
        let_through = re.search(MOVE_PATTERN, text) is not None
        try:
            understood = str(parse_move(text)) == text
        except InputError:
            understood = False
        assert understood == let_through, text

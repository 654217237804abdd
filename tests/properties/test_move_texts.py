"""Any text either is a move, and prints as it was written, or is refused as none."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from service.errors import InputError
from service.games.moves import MOVE_PATTERN, Move, parse_move

well_formed = st.from_regex(re.compile(MOVE_PATTERN, re.ASCII), fullmatch=True)
nearly = st.text("tcfsxdeal0123456789٣ \n", max_size=12)


def read(text: str) -> Move | None:
    try:
        return parse_move(text)
    except InputError:
        return None


@settings(max_examples=300)
@given(well_formed)
def test_every_text_of_the_pattern_is_a_move_that_prints_as_it_was_written(text):
    """Except that `$` also lets a line end through, which no move has."""
    move = read(text)
    assert (move is None) == text.endswith("\n")
    assert move is None or str(move) == text


@settings(max_examples=500)
@given(st.one_of(nearly, st.text(max_size=12), st.tuples(well_formed, nearly).map("".join)))
def test_every_other_text_is_refused(text):
    move = read(text)
    if move is None:
        assert not re.fullmatch(MOVE_PATTERN.strip("^$"), text)
    else:
        assert str(move) == text

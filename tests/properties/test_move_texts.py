"""Any text either is a move, and prints as it was written, or is refused as none."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from service.errors import InputError
from service.games import VARIANTS
from service.games.base import Refusal
from service.games.moves import MOVE_PATTERN, Move, parse_move
from tests.support.walks import late_walks, start

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


@settings(max_examples=300)
@given(well_formed)
def test_every_game_has_an_answer_to_every_move(text):
    move = read(text.strip())
    for variant in VARIANTS.values():
        answer = start(variant, 1).why_not(move)
        assert answer is None or isinstance(answer, Refusal)


@given(late_walks(), st.lists(well_formed, min_size=20, max_size=20))
def test_every_move_that_is_not_in_the_action_table_is_refused(walk, texts):
    for text in texts:
        move = read(text.strip())
        if move not in walk.variant.action_index:
            assert walk.end.why_not(move) is not None

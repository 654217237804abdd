"""Nothing that is derived from a view depends on a face-down card."""

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from service.games.boards import print_view
from service.games.cards import FACES
from tests.every_variant.test_cards import face_up
from tests.support.walks import twins, walks_of

few = settings(max_examples=40)


def faces_in(text: str) -> Counter[str]:
    return Counter(re.findall("|".join(FACES), text))


@few
@given(data=st.data())
def test_a_view_holds_and_prints_the_face_up_cards_and_no_other(game, data):
    for position in data.draw(walks_of(game)).positions[::7]:
        assert faces_in(print_view(position.view)) == face_up(position)
        assert faces_in(repr(position.view)) == face_up(position)


@few
@given(data=st.data())
def test_tables_that_differ_in_hidden_cards_alone_look_the_same(game, data):
    one, other = data.draw(twins(game))
    assert one.view == other.view
    assert repr(one.view) == repr(other.view)
    assert print_view(one.view) == print_view(other.view)


@few
@given(data=st.data())
def test_tables_that_differ_in_hidden_cards_alone_are_judged_the_same(game, data):
    one, other = data.draw(twins(game))
    assert one.legal_moves() == other.legal_moves()
    assert (one.view.won, one.view.stuck) == (other.view.won, other.view.stuck)
    for move in game.actions:
        assert one.why_not(move) == other.why_not(move)


@few
@given(data=st.data())
def test_a_move_that_turns_no_card_tells_nothing_of_those_that_are_hidden(game, data):
    one, other = data.draw(twins(game))
    for move in one.legal_moves():
        (after, turned), (after_other, turned_other) = one.play(move), other.play(move)
        assert [pile for pile, _ in turned] == [pile for pile, _ in turned_other]
        if not turned:
            assert after.view == after_other.view

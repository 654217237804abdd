"""What lies face down is told by nothing that is read off a view."""

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from service.games.base import Position
from service.games.boards import parse_position, print_view
from service.games.cards import FACES
from tests.walks import Walk, walks


def faces_in(text: str) -> Counter[str]:
    return Counter(re.findall("|".join(FACES), text))


def face_up(position: Position) -> Counter[str]:
    return Counter(card for pile in position.view.piles for card in pile.cards)


@st.composite
def twins(draw):
    """A position, and another one that its player could not tell from it."""
    position = draw(walks).end
    hidden = draw(st.permutations([card for cards in position.under for card in cards]))
    lines = []
    for pile, under in zip(position.view.piles, position.under, strict=True):
        lying, hidden = hidden[: len(under)], hidden[len(under) :]
        lines.append(f"{pile.id}: [{' '.join(lying)}] {' '.join(pile.cards)}")
    return position, parse_position(position.variant, "\n".join(lines))


@given(walks)
def test_a_printed_view_shows_the_cards_that_lie_face_up_and_no_other(walk: Walk):
    for position in walk.positions[::7]:
        assert faces_in(print_view(position.view)) == face_up(position)


@given(walks)
def test_a_view_holds_the_cards_that_lie_face_up_and_no_other(walk: Walk):
    for position in walk.positions[::7]:
        assert faces_in(repr(position.view)) == face_up(position)


@given(twins())
def test_tables_that_differ_in_hidden_cards_alone_look_the_same(pair):
    one, other = pair
    assert one.view == other.view
    assert repr(one.view) == repr(other.view)
    assert print_view(one.view) == print_view(other.view)


@given(twins())
def test_tables_that_differ_in_hidden_cards_alone_are_judged_the_same(pair):
    one, other = pair
    assert one.legal_moves() == other.legal_moves()
    assert (one.view.won, one.view.stuck) == (other.view.won, other.view.stuck)
    for move in one.variant.actions:
        assert one.why_not(move) == other.why_not(move)


@given(twins())
def test_a_move_that_turns_no_card_tells_nothing_of_those_that_are_hidden(pair):
    one, other = pair
    for move in one.legal_moves():
        (after, turned), (after_other, turned_other) = one.play(move), other.play(move)
        assert [pile for pile, _ in turned] == [pile for pile, _ in turned_other]
        if not turned:
            assert after.view == after_other.view

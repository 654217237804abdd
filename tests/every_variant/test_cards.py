"""What no move can change: the cards, and what is known of them."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from service.games.base import Position
from service.games.boards import parse_position, parse_reachable_position, print_position
from service.games.moves import DEAL
from tests.support.walks import Walk, walks_of

few = settings(max_examples=40)


def face_up(position: Position) -> Counter[str]:
    return Counter(card for pile in position.view.piles for card in pile.cards)


def face_down(position: Position) -> Counter[str]:
    return Counter(card for under in position.under for card in under)


def steps(walk: Walk):
    """Each move of a walk, with the positions before and after it."""
    return zip(walk.positions, walk.moves, walk.positions[1:], strict=False)


@few
@given(data=st.data())
def test_a_move_neither_adds_nor_removes_a_card(game, data):
    walk = data.draw(walks_of(game))
    cards = face_up(walk.positions[0]) + face_down(walk.positions[0])
    for position in walk.positions:
        assert face_up(position) + face_down(position) == cards
        assert game.why_unreachable(position) is None


@few
@given(data=st.data())
def test_piles_keep_their_places_and_count_their_hidden_cards(game, data):
    for position in data.draw(walks_of(game)).positions:
        piles = position.view.piles
        assert tuple(pile.id for pile in piles) == game.layout.ids
        assert tuple(pile.kind for pile in piles) == game.layout.kinds
        assert [pile.hidden for pile in piles] == [len(under) for under in position.under]


@few
@given(data=st.data())
def test_a_move_touches_its_two_piles_and_a_deal_no_cell_and_no_foundation(game, data):
    for before, move, after in steps(data.draw(walks_of(game))):
        touched = {
            then.id
            for then, now in zip(before.view.piles, after.view.piles, strict=True)
            if then != now
        }
        if move == DEAL:
            assert touched == {id for id in game.layout.ids if id[0] in "ts"}
        else:
            assert touched == {move.source, move.target}


@few
@given(data=st.data())
def test_the_cards_that_a_move_turns_up_are_reported_and_stay_up(game, data):
    for before, move, after in steps(data.draw(walks_of(game))):
        reveals = before.play(move).reveals
        assert face_up(after) - face_up(before) == Counter(card for _, card in reveals)
        assert face_up(before) <= face_up(after)
        for pile, card in reveals:
            assert after.view[pile].cards[-1] == card


@few
@given(data=st.data())
def test_a_printed_position_is_read_back_as_it_was(game, data):
    for position in data.draw(walks_of(game)).positions[::7]:
        board = print_position(position)
        assert parse_position(game, board) == position
        assert parse_reachable_position(game, board.replace("\n", " / ")) == position

"""What no move can change: the cards, and what is known of them."""

from collections import Counter

from hypothesis import given

from service.games.base import Position
from service.games.boards import parse_position, parse_reachable_position, print_position
from service.games.cards import TWO_PACKS
from service.games.moves import DEAL
from tests.walks import Walk, walks


def face_up(position: Position) -> Counter[str]:
    return Counter(card for pile in position.view.piles for card in pile.cards)


def face_down(position: Position) -> Counter[str]:
    return Counter(card for hidden in position.under for card in hidden)


@given(walks)
def test_there_are_always_104_cards_and_no_face_more_than_twice(walk: Walk):
    for position in walk.positions:
        assert face_up(position) + face_down(position) == Counter(TWO_PACKS)


@given(walks)
def test_every_pile_counts_its_hidden_cards(walk: Walk):
    for position in walk.positions:
        counts = [pile.hidden for pile in position.view.piles]
        assert counts == [len(hidden) for hidden in position.under]


@given(walks)
def test_piles_keep_their_places_and_kinds(walk: Walk):
    layout = walk.variant.layout
    for position in walk.positions:
        assert tuple(pile.id for pile in position.view.piles) == layout.ids
        assert tuple(pile.kind for pile in position.view.piles) == layout.kinds


@given(walks)
def test_every_position_of_a_game_is_a_real_one(walk: Walk):
    for position in walk.positions:
        assert walk.variant.why_unreachable(position) is None


@given(walks)
def test_a_move_touches_its_two_piles_and_a_deal_no_cell_and_no_foundation(walk: Walk):
    for before, move, after in zip(walk.positions, walk.moves, walk.positions[1:], strict=False):
        touched = {
            then.id
            for then, now in zip(before.view.piles, after.view.piles, strict=True)
            if then != now
        }
        if move == DEAL:
            assert touched == {id for id in walk.variant.layout.ids if id[0] in "ts"}
        else:
            assert touched == {move.source, move.target}


@given(walks)
def test_the_cards_that_come_to_light_are_the_ones_reported(walk: Walk):
    for before, move, after in zip(walk.positions, walk.moves, walk.positions[1:], strict=False):
        played = before.play(move)
        assert played.position == after
        assert face_up(after) - face_up(before) == Counter(card for _, card in played.reveals)
        for pile, card in played.reveals:
            assert after.view[pile].cards[-1] == card


@given(walks)
def test_a_card_once_seen_is_never_hidden_by_a_move(walk: Walk):
    for before, after in zip(walk.positions, walk.positions[1:], strict=False):
        assert face_up(before) <= face_up(after)


@given(walks)
def test_a_printed_position_is_read_back_as_it_was(walk: Walk):
    for position in walk.positions[::7]:
        board = print_position(position)
        assert parse_position(walk.variant, board) == position
        assert parse_reachable_position(walk.variant, board.replace("\n", " / ")) == position

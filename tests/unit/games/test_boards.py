"""Text boards: read, printed, and refused where they show no game."""

import pytest

from service.errors import InputError
from service.games import VARIANTS
from service.games.boards import (
    parse_position,
    parse_reachable_position,
    print_position,
    print_view,
)
from service.games.piles import Pile
from tests.support.walks import start

BINARY_STAR, ASTROCYTE = VARIANTS["binary-star"], VARIANTS["astrocyte"]


def test_cards_are_read_from_the_bottom_to_the_top_and_the_stock_in_dealing_order():
    position = parse_position(ASTROCYTE, "t3: [2S 4H] 9H TD / s: [2S 4H 9H]")
    assert position.view["t3"] == Pile("t3", "tableau", 2, ("9H", "TD"))
    assert position.view["s"] == Pile("s", "stock", 3, ())
    assert (position.under[2], position.under[-1]) == (("2S", "4H"), ("2S", "4H", "9H"))


def test_piles_can_stand_on_one_line_or_on_many():
    one = parse_position(ASTROCYTE, "t1: - / t2: 9H / c1: TD")
    many = parse_position(ASTROCYTE, "\n  t1: -\n\nt2:9H\r\n c1 :  TD \n")
    assert one == many


def test_piles_that_are_not_named_are_empty():
    position = parse_position(ASTROCYTE, "c2: 9H")
    assert [pile.id for pile in position.view.piles if not pile.is_empty] == ["c2"]
    assert [pile.id for pile in position.view.piles] == list(ASTROCYTE.layout.ids)


def test_a_position_prints_every_card_and_a_dash_for_no_card():
    lines = print_position(parse_position(ASTROCYTE, "t2: [2S 4H] 9H / s: [TD]")).splitlines()
    assert lines[:2] == ["t1: -", "t2: [2S 4H] 9H"]
    assert lines[-1] == "s: [TD]"
    assert len(lines) == len(ASTROCYTE.layout.ids)


def test_a_view_prints_counts_in_place_of_hidden_cards():
    view = parse_position(ASTROCYTE, "t2: [2S 4H] 9H / t3: QS / s: [TD]").view
    lines = print_view(view).splitlines()
    assert lines[:3] == ["t1: -", "t2: [2] 9H", "t3: QS"]
    assert lines[-1] == "s: [1]"


NO_BOARDS = {
    "is not a pile": ["t1 9H", "x", "t1: 9H]", "t1: [9H", "t1: 9H [2S]", "t1: [2S] 9H [3S]"],
    "not a card": ["t1: 9H t2: TD", "t1: 9H - TD", "t1: 9h", "t1: 10H", "t1: [7] 9H", "t1: [2S X]"],
    "has no pile": ["t9: 9H", "t0: 9H", "t01: 9H", "f9: 9H", "s1: [9H]"],
    "is given twice": ["t1: 9H / t2: - / t1: TD", "t1: - / t1: -"],
}


@pytest.mark.parametrize(
    ("board", "complaint"),
    [(board, complaint) for complaint, boards in NO_BOARDS.items() for board in boards],
)
def test_a_text_that_is_no_board_is_refused_with_its_fault(board, complaint):
    with pytest.raises(InputError, match=complaint):
        parse_position(ASTROCYTE, board)


def test_a_pile_of_another_game_is_refused():
    with pytest.raises(InputError, match="Binary Star has no pile c1"):
        parse_position(BINARY_STAR, "c1: 9H")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_a_reachable_position_is_read_as_it_is(variant):
    position = start(variant, 1)
    assert parse_reachable_position(variant, print_position(position)) == position


@pytest.mark.parametrize(
    ("variant", "line", "complaint"),
    [
        (ASTROCYTE, "t1: [7C 5H 7H JD 6D AC QC KC]", "t1 lies face down"),
        (ASTROCYTE, "s: -", "not two whole packs"),
        (BINARY_STAR, "t1: 9H", "not two whole packs"),
    ],
)
def test_a_board_that_no_game_reaches_is_refused(variant, line, complaint):
    board = print_position(start(variant, 1)).splitlines()
    others = [other for other in board if other.partition(":")[0] != line.partition(":")[0]]
    with pytest.raises(InputError, match=complaint):
        parse_reachable_position(variant, "\n".join([*others, line]))

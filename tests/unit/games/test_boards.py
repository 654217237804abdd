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


def test_cards_are_read_from_the_bottom_to_the_top():
    position = parse_position(ASTROCYTE, "t3: [2S 4H] 9H TD")
    assert position.view["t3"] == Pile("t3", "tableau", 2, ("9H", "TD"))
    assert position.under[2] == ("2S", "4H")


def test_the_stock_is_read_in_dealing_order():
    position = parse_position(ASTROCYTE, "s: [2S 4H 9H]")
    assert position.view["s"] == Pile("s", "stock", 3, ())
    assert position.under[-1] == ("2S", "4H", "9H")


def test_piles_can_stand_on_one_line_or_on_many():
    one = parse_position(ASTROCYTE, "t1: - / t2: 9H / c1: TD")
    many = parse_position(ASTROCYTE, "\n  t1: -\n\nt2:9H\r\n c1 :  TD \n")
    assert one == many


def test_piles_that_are_not_named_are_empty():
    position = parse_position(ASTROCYTE, "c2: 9H")
    assert [pile.id for pile in position.view.piles if not pile.is_empty] == ["c2"]
    assert [pile.id for pile in position.view.piles] == list(ASTROCYTE.layout.ids)


def test_each_pile_gets_the_kind_that_the_layout_gives_it():
    position = parse_position(BINARY_STAR, "f2: KS / t1: 9H")
    assert [position.view[id].kind for id in ("t1", "f1", "f2")] == [
        "tableau",
        "foundation",
        "foundation",
    ]


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


@pytest.mark.parametrize(
    ("board", "complaint"),
    [
        ("t1 9H", "is not a pile"),
        ("nonsense", "is not a pile"),
        ("t1: 9H]", "is not a pile"),
        ("t1: [9H", "is not a pile"),
        ("t1: 9H [2S]", "is not a pile"),
        ("t1: [2S] 9H [3S]", "is not a pile"),
        ("t1: 9H t2: TD", "not a card"),
        ("t1: 9H - TD", "not a card"),
        ("t1: 9h", "not a card"),
        ("t1: 10H", "not a card"),
        ("t1: [7] 9H", "not a card"),
        ("t1: [2S XX] 9H", "not a card"),
        ("t9: 9H", "has no pile t9"),
        ("t0: 9H", "has no pile t0"),
        ("t01: 9H", "has no pile t01"),
        ("f9: 9H", "has no pile f9"),
        ("s1: [9H]", "has no pile s1"),
        ("t1: 9H / t2: - / t1: TD", "is given twice"),
        ("t1: - / t1: -", "is given twice"),
    ],
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


def without_line(board: str, id: str) -> str:
    return "\n".join(line for line in board.splitlines() if not line.startswith(f"{id}:"))


@pytest.mark.parametrize(
    ("pile", "line", "complaint"),
    [
        ("t1", "t1: 9H", "not two whole packs"),
        ("t1", "t1: [7C 5H 7H JD 6D AC QC KC]", "t1 lies face down"),
        ("c1", "c1: KS KS", "not two whole packs"),
        ("s", "s: -", "not two whole packs"),
    ],
)
def test_a_board_that_no_astrocyte_reaches_is_refused(pile, line, complaint):
    board = without_line(print_position(start(ASTROCYTE, 1)), pile)
    with pytest.raises(InputError, match=complaint):
        parse_reachable_position(ASTROCYTE, f"{board}\n{line}")


def test_a_board_that_no_binary_star_reaches_is_refused():
    board = without_line(print_position(start(BINARY_STAR, 1)), "t1")
    with pytest.raises(InputError, match="not two whole packs"):
        parse_reachable_position(BINARY_STAR, f"{board}\nt1: 9H")

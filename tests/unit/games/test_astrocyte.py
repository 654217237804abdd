"""Astrocyte, rule by rule: each test names the rules of RULES.md that it is about."""

from collections import Counter

import pytest

from service.errors import IllegalMoveError
from service.games import VARIANTS
from service.games.base import Position, Refusal, Reveal
from service.games.boards import parse_position, print_position
from service.games.cards import TWO_PACKS, without
from service.games.moves import DEAL, Move, parse_move
from tests.support import reading
from tests.support.walks import start

ASTROCYTE = VARIANTS["astrocyte"]
RANKS = "A23456789TJQK"
CLUBS, DIAMONDS, HEARTS, SPADES = (
    " ".join(rank + suit for rank in reversed(RANKS)) for suit in "CDHS"
)
"""Whole runs, king to ace."""
EIGHT_RUNS = [CLUBS, DIAMONDS, HEARTS, SPADES] * 2
NO_HOLD = "t1: 2C / t2: 2D / t3: 2H / t4: 2S / t5: 5C / t6: 5D / t7: 5H / t8: 5S"
"""Eight columns of which none takes a card of another."""
FULL_CELLS = "c1: 9C / c2: 9D / c3: 9H / c4: 9S"
"""Four cells with cards that no column of NO_HOLD takes."""


def table(board: str) -> Position:
    return parse_position(ASTROCYTE, board)


def foundations(*runs: str) -> str:
    return " / ".join(f"f{n}: {run}" for n, run in enumerate(runs, start=1))


def after(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.after(parse_move(move))
    return position


def cards(position: Position, id: str) -> str:
    return " ".join(position.view[id].cards)


def why_not(position: Position, move: str) -> Refusal | None:
    return position.why_not(parse_move(move))


def legal(position: Position, move: str) -> bool:
    return why_not(position, move) is None


def rule(position: Position, move: str) -> str:
    return why_not(position, move).rule


def listed(position: Position) -> set[str]:
    return {str(move) for move in position.legal_moves()}


# The table


def test_two_packs_of_four_suits_are_played_with():
    """A1."""
    assert Counter(ASTROCYTE.pack) == Counter(TWO_PACKS)


def test_no_base_is_taken_out_so_the_pack_keeps_its_order():
    """A1, A3: the order before the shuffle is a part of what a deal number means."""
    assert ASTROCYTE.pack == TWO_PACKS


def test_eight_columns_of_eight_show_only_their_tops():
    """A2."""
    columns = start(ASTROCYTE, 1).view.kind("tableau")
    assert [column.id for column in columns] == [f"t{n}" for n in range(1, 9)]
    assert [(column.hidden, len(column.cards)) for column in columns] == [(7, 1)] * 8


def test_cells_and_foundations_are_open_and_forty_cards_are_stock():
    """A2."""
    view = start(ASTROCYTE, 1).view
    assert [cell.id for cell in view.kind("cell")] == ["c1", "c2", "c3", "c4"]
    assert [home.id for home in view.kind("foundation")] == [f"f{n}" for n in range(1, 9)]
    assert all(pile.is_empty for pile in view.kind("cell") + view.kind("foundation"))
    assert view["s"][2:] == (40, ())


def test_the_columns_are_dealt_in_rounds_from_left_to_right():
    """A3."""
    position = ASTROCYTE.start(TWO_PACKS)
    for place in range(8):
        assert position.under[place] == TWO_PACKS[place:56:8]
        assert position.view.piles[place].cards == (TWO_PACKS[56 + place],)


def test_the_rest_of_the_pack_is_the_stock_in_its_order():
    """A3."""
    assert ASTROCYTE.start(TWO_PACKS).under[-1] == TWO_PACKS[64:]


def test_a_row_takes_the_next_eight_cards_of_the_stock_from_left_to_right():
    """A3, A13."""
    dealt = after(ASTROCYTE.start(TWO_PACKS), "deal")
    assert [column.cards[-1] for column in dealt.view.kind("tableau")] == list(TWO_PACKS[64:72])
    again = after(dealt, "deal")
    assert [column.cards[-1] for column in again.view.kind("tableau")] == list(TWO_PACKS[72:80])


# Building


@pytest.mark.parametrize("top", RANKS)
def test_a_column_takes_only_the_next_lower_rank(top):
    """A4: no equal rank, no higher one, and no king on an ace."""
    in_hand = [table(f"t1: {rank}C / t2: {top}D") for rank in RANKS]
    taken = [cards(position, "t1")[0] for position in in_hand if legal(position, "t1t2")]
    assert taken == ([] if top == "A" else [RANKS[RANKS.index(top) - 1]])


@pytest.mark.parametrize("suit", "CDHS")
def test_any_suit_builds_on_any_suit(suit):
    """A4."""
    assert legal(table(f"t1: 9{suit} / t2: TD"), "t1t2")


@pytest.mark.parametrize("move", ["t1t2", "t1t2x2", "c1t2"])
def test_nothing_goes_onto_an_ace(move):
    """A4."""
    position = table("t1: KH QH / t2: AC / c1: KS")
    refusal = why_not(position, move)
    assert (refusal.rule, refusal.piles) == ("rank-not-one-lower", (move[:2], "t2"))


def test_it_is_the_highest_card_of_a_run_that_must_fit():
    """A4, A5."""
    position = table("t1: 9H 8H 7H / t2: TS / t3: 9C")
    assert [legal(position, move) for move in ("t1t2x3", "t1t3x2")] == [True, True]
    assert rule(position, "t1t2x2") == rule(position, "t1t2") == "rank-not-one-lower"
    assert rule(position, "t1t3x3") == "rank-not-one-lower"


def test_a_run_arrives_in_its_order():
    """A5."""
    moved = after(table("t1: 2C 9H 8H 7H / t2: TS"), "t1t2x3")
    assert (cards(moved, "t1"), cards(moved, "t2")) == ("2C", "TS 9H 8H 7H")


@pytest.mark.parametrize("count", range(1, 14))
def test_any_part_of_a_run_moves_although_no_cell_is_free(count):
    """A5, A6."""
    position = table(f"t1: 2C {CLUBS} / {FULL_CELLS}")
    move = str(Move("t1", "t2", count))
    assert move in listed(position)
    assert cards(after(position, move), "t2") == " ".join(CLUBS.split()[-count:])


def test_cards_of_two_suits_do_not_move_together():
    """A5."""
    position = table("t1: 9H 8S 7S / t2: TC")
    refusal = why_not(position, "t1t2x3")
    assert (refusal.rule, refusal.piles) == ("run-not-one-suit", ("t1",))


@pytest.mark.parametrize("column", ["9H 7H", "8H 9H", "9H 9H", "AH KH", "KH AH", "9H 7S", "AH 2H"])
def test_cards_out_of_order_do_not_move_together(column):
    """A5: descending by one, and not round the corner."""
    refusal = why_not(table(f"t1: {column}"), "t1t2x2")
    assert (refusal.rule, refusal.piles) == ("run-not-descending", ("t1",))


def test_every_card_that_moves_belongs_to_the_run():
    """A5: not only the upper ones, and not only the lower ones."""
    assert rule(table("t1: 9H 8H 3H 2H"), "t1t2x3") == "run-not-descending"
    assert rule(table("t1: 9H 8H 3H 2H"), "t1t2x4") == "run-not-descending"
    assert rule(table("t1: 9S 8H 7H"), "t1t2x3") == "run-not-one-suit"
    assert rule(table("t1: 9S 8S 7H"), "t1t2x3") == "run-not-one-suit"


def test_face_down_cards_are_not_available():
    """A5: even where the hidden cards would go on as the run does."""
    position = table("t1: [TH 9H] 8H 7H / t2: JC")
    refusal = why_not(position, "t1t2x4")
    assert (refusal.rule, refusal.piles) == ("not-available", ("t1",))
    assert legal(position, "t1t3x2")


def test_no_more_cards_are_available_than_there_are():
    """A5."""
    assert rule(table("t1: 9H / t2: TC"), "t1t2x2") == "not-available"


@pytest.mark.parametrize("count", [0, -1])
def test_fewer_than_one_card_never_moves(count):
    """A5, A7."""
    position = table("t1: 9H 8H / t2: TC / c1: 5D")
    for source, target in [("t1", "t2"), ("t1", "t3"), ("t1", "c2"), ("c1", "t3"), ("t1", "f1")]:
        assert position.why_not(Move(source, target, count)) is not None


@pytest.mark.parametrize(
    ("board", "move"),
    [
        ("t2: 2C KH", "t2t1"),
        ("t2: 2C AH", "t2t1"),
        ("t2: 2C / c1: 7D", "c1t1"),
        ("t2: 2C / f1: KH QH", "f1t1"),
    ],
)
def test_an_empty_column_takes_any_card(board, move):
    """A6."""
    assert move in listed(table(board))


def test_an_empty_column_takes_a_run_from_any_rank():
    """A6."""
    assert cards(after(table("t1: 2C 6H 5H 4H"), "t1t5x3"), "t5") == "6H 5H 4H"


def test_of_empty_columns_the_first_is_listed_and_each_is_accepted():
    """A6."""
    position = table("t1: 2C 7D / t2: 4S 9H / t4: 4C TC")
    assert "t1t3" in listed(position)
    assert listed(position).isdisjoint({"t1t5", "t1t6", "t1t7", "t1t8"})
    assert [legal(position, f"t1t{n}") for n in (3, 5, 6, 7, 8)] == [True] * 5


# Cells


@pytest.mark.parametrize("move", ["t1c2", "f1c2", "c1c2"])
def test_an_open_cell_takes_the_top_of_a_column_of_a_foundation_or_of_a_cell(move):
    """A7."""
    position = table("t1: 2C 7D / f1: KH QH / c1: 5S")
    top = cards(position, move[:2]).split()[-1]
    assert cards(after(position, move), "c2") == top


def test_of_open_cells_the_first_is_listed_and_each_is_accepted():
    """A7."""
    position = table("t1: 2C 7D / c1: 5S / c3: 5C")
    assert "t1c2" in listed(position)
    assert "t1c4" not in listed(position)
    assert legal(position, "t1c4")


@pytest.mark.parametrize("move", ["t1c1", "f1c1", "c2c1"])
def test_a_cell_holds_one_card(move):
    """A7."""
    position = table("t1: 2C 7D / f1: KH QH / c1: 5S / c2: 4S")
    refusal = why_not(position, move)
    assert (refusal.rule, refusal.piles) == ("target-occupied", ("c1",))


def test_a_run_does_not_fit_into_a_cell():
    """A7."""
    refusal = why_not(table("t1: 8H 7H"), "t1c1x2")
    assert (refusal.rule, refusal.piles) == ("count-invalid", ("c1",))


@pytest.mark.parametrize("move", ["c1t2x2", "c1c2x2"])
def test_a_cell_gives_one_card(move):
    """A7."""
    refusal = why_not(table("t1: 2C / c1: 7H"), move)
    assert (refusal.rule, refusal.piles) == ("count-invalid", ("c1",))


def test_a_cell_card_comes_back_where_a_column_would_take_it():
    """A4, A7."""
    position = table("t1: 8H / t2: 9H / c1: 7D")
    assert cards(after(position, "c1t1"), "t1") == "8H 7D"
    assert rule(position, "c1t2") == "rank-not-one-lower"


def test_an_empty_cell_gives_nothing():
    """A7."""
    refusal = why_not(table("t1: 2C"), "c3t2")
    assert (refusal.rule, refusal.piles) == ("source-empty", ("c3",))


def test_an_empty_column_gives_nothing():
    """A5."""
    refusal = why_not(table("t1: 2C"), "t2t3")
    assert (refusal.rule, refusal.piles) == ("source-empty", ("t2",))


# Foundations


@pytest.mark.parametrize("cards", ["AH", "KH"])
@pytest.mark.parametrize("foundation", ["f1", "f2"])
def test_no_card_goes_from_a_cell_to_a_foundation(cards, foundation):
    """A8: neither the ace that a broken run lacks nor a king onto an open foundation."""
    position = table(f"c2: {cards} / f1: {HEARTS.removesuffix(' AH')}")
    refusal = why_not(position, f"c2{foundation}")
    assert (refusal.rule, refusal.piles) == ("cell-to-foundation", ("c2",))


@pytest.mark.parametrize("move", ["t1f1", "t1f2", "t2f2"])
def test_no_single_card_goes_to_a_foundation(move):
    """A8."""
    position = table(f"t1: AH / t2: KH / f1: {HEARTS.removesuffix(' AH')}")
    refusal = why_not(position, move)
    assert (refusal.rule, refusal.piles) == ("foundation-needs-full-run", (move[:2], move[2:]))


def test_a_foundation_takes_a_whole_run_at_once():
    """A9, A10."""
    position = table(f"t1: {CLUBS}")
    assert "t1f1x13" in listed(position)
    assert cards(after(position, "t1f1x13"), "f1") == CLUBS


def test_other_cards_may_lie_under_the_run():
    """A9."""
    for below in ("2D", "[2D]", "[2D] 3S", "KC QC"):
        moved = after(table(f"t1: {below} {CLUBS}"), "t1f1x13")
        assert cards(moved, "f1") == CLUBS


@pytest.mark.parametrize("count", [2, 11, 12])
def test_a_part_of_a_run_is_not_enough(count):
    """A9."""
    refusal = why_not(table(f"t1: {CLUBS}"), f"t1f1x{count}")
    assert (refusal.rule, refusal.piles) == ("foundation-needs-full-run", ("t1", "f1"))


def test_thirteen_cards_that_are_no_run_stay():
    """A9."""
    two_suits = CLUBS.replace("7C", "7S")
    assert rule(table(f"t1: {two_suits}"), "t1f1x13") == "run-not-one-suit"
    assert rule(table(f"t1: 2C {CLUBS.removeprefix('KC ')}"), "t1f1x13") == "run-not-descending"
    assert listed(table(f"t1: {two_suits}")).isdisjoint({"t1f1x13", "t1f1"})


def test_a_run_of_which_the_king_lies_face_down_stays():
    """A9."""
    position = table(f"t1: [KC] {CLUBS.removeprefix('KC ')}")
    assert rule(position, "t1f1x13") == "not-available"
    assert "t1f1x13" not in listed(position)


@pytest.mark.parametrize("on_it", [CLUBS, "KC", "KH QH"])
def test_a_foundation_takes_a_run_only_while_it_is_empty(on_it):
    """A9, A11."""
    position = table(f"t1: {CLUBS} / f1: {on_it}")
    refusal = why_not(position, "t1f1x13")
    assert (refusal.rule, refusal.piles) == ("foundation-not-empty", ("f1",))
    assert "t1f2x13" in listed(position)


def test_foundations_have_no_suit_of_their_own():
    """A9: every empty one is accepted, the first is listed, and both runs of a suit have room."""
    position = table(f"t1: {CLUBS} / t2: {CLUBS}")
    assert [legal(position, f"t1f{n}x13") for n in range(1, 9)] == [True] * 8
    assert {move for move in listed(position) if "f" in move} == {"t1f1x13", "t2f1x13"}
    both = after(position, "t1f8x13", "t2f3x13")
    assert cards(both, "f3") == cards(both, "f8") == CLUBS


@pytest.mark.parametrize("run", [CLUBS, DIAMONDS, HEARTS, SPADES])
def test_a_run_of_every_suit_goes_home(run):
    """A9."""
    assert "t3f1x13" in listed(table(f"t3: 5C {run}"))


def test_a_finished_run_is_not_lifted_by_itself():
    """A10."""
    finished = after(table(f"t1: {CLUBS.removesuffix(' AC')} / t2: 9S AC"), "t2t1")
    assert cards(finished, "t1") == CLUBS
    assert finished.view["f1"].is_empty


def test_a_finished_run_can_still_be_split():
    """A10."""
    finished = table(f"t1: {CLUBS} / t2: 3H")
    assert {"t1f1x13", "t1t2x2", "t1t3x5", "t1c1"} <= listed(finished)


@pytest.mark.parametrize(
    ("move", "pile", "then"), [("f1t1", "t1", "2S AH"), ("f1t2", "t2", "AH"), ("f1c1", "c1", "AH")]
)
def test_the_top_card_of_a_foundation_comes_back(move, pile, then):
    """A11: to a column one rank higher, to an empty column, to an open cell."""
    position = table(f"t1: 2S / f1: {HEARTS}")
    assert move in listed(position)
    taken_back = after(position, move)
    assert cards(taken_back, pile) == then
    assert cards(taken_back, "f1") == HEARTS.removesuffix(" AH")


def test_a_foundation_card_does_not_come_back_onto_a_wrong_rank():
    """A4, A11."""
    assert rule(table(f"t1: 3S / f1: {HEARTS}"), "f1t1") == "rank-not-one-lower"


@pytest.mark.parametrize("move", ["f1t1x2", "f1t2x13", "f1c1x2"])
def test_foundation_cards_come_back_one_at_a_time(move):
    """A11."""
    refusal = why_not(table(f"t1: 3S / f1: {HEARTS}"), move)
    assert (refusal.rule, refusal.piles) == ("count-invalid", ("f1",))


def test_an_empty_foundation_gives_nothing_back():
    """A11."""
    refusal = why_not(table("t1: 3S"), "f4t2")
    assert (refusal.rule, refusal.piles) == ("source-empty", ("f4",))


def test_no_card_goes_from_foundation_to_foundation():
    """A8, A11."""
    position = table(f"f1: {HEARTS} / f2: {HEARTS.removesuffix(' AH')}")
    assert rule(position, "f1f2") == rule(position, "f1f3") == "foundation-needs-full-run"
    assert rule(position, "f1f3x13") == "count-invalid"


def test_a_broken_foundation_does_not_get_its_ace_back():
    """A11: neither from the cell it went to nor from a column."""
    broken = after(table(f"t1: 2S / t2: {CLUBS} / f1: {HEARTS}"), "f1c1")
    assert len(broken.view["f1"].cards) == 12
    assert rule(broken, "c1f1") == "cell-to-foundation"
    assert rule(after(broken, "c1t1"), "t1f1") == "foundation-needs-full-run"


def test_a_broken_foundation_takes_no_run_and_an_empty_one_does():
    """A9, A11."""
    broken = after(table(f"t2: {CLUBS} / f1: {HEARTS}"), "f1c1")
    assert rule(broken, "t2f1x13") == "foundation-not-empty"
    assert legal(broken, "t2f2x13")


def test_a_foundation_that_gave_all_thirteen_back_takes_a_run_again():
    """A11."""
    position = table(f"t1: 2C {SPADES} / f1: {HEARTS}")
    position = after(position, "f1c1", "f1c2", "f1c3", "f1c4")
    position = after(position, *(f"f1t{n}" for n in range(2, 9)))
    position = after(position, "t7t8", "f1t7", "t6t8")
    assert cards(position, "f1") == "KH"
    assert rule(position, "t1f1x13") == "foundation-not-empty"
    position = after(position, "f1t6")
    assert cards(after(position, "t1f1x13"), "f1") == SPADES


# Turning cards


@pytest.mark.parametrize("move", ["t1t2x2", "t1t3x2"])
def test_a_bared_card_is_turned_up_within_the_move(move):
    """A12."""
    played = table("t1: [3C 4D] 9H 8H / t2: TS").play(parse_move(move))
    column = played.position.view["t1"]
    assert (column.hidden, column.cards) == (1, ("4D",))
    assert played.position.under[0] == ("3C",)
    assert played.reveals == (Reveal("t1", "4D"),)


def test_a_card_is_turned_up_when_a_single_card_leaves_for_a_cell():
    """A12."""
    played = table("t1: [3C] 9H").play(parse_move("t1c1"))
    assert played.reveals == (Reveal("t1", "3C"),)
    assert played.position.view["t1"][2:] == (0, ("3C",))


def test_a_card_is_turned_up_when_a_run_leaves_for_a_foundation():
    """A12."""
    played = table(f"t1: [3C 4D] {CLUBS}").play(parse_move("t1f1x13"))
    assert played.reveals == (Reveal("t1", "4D"),)
    assert played.position.view["t1"][2:] == (1, ("4D",))


@pytest.mark.parametrize("board", ["t1: [3C] 9H 8S", "t1: 8S", "t1: 9H 8S"])
def test_nothing_is_turned_while_a_face_up_card_remains_or_no_card_at_all(board):
    """A12."""
    before = table(board)
    played = before.play(parse_move("t1c1"))
    assert played.reveals == ()
    assert played.position.view["t1"].hidden == before.view["t1"].hidden


def test_a_turned_card_can_be_played_next():
    """A12."""
    assert cards(after(table("t1: [7H] 9H / t2: 8S"), "t1c1", "t1t2"), "t2") == "8S 7H"


def test_a_turned_card_stays_up_when_it_is_covered_again():
    """A12."""
    again = after(table("t1: [4D] 3H / t2: KC"), "t1c1", "c1t1")
    assert (again.view["t1"].hidden, cards(again, "t1")) == (0, "4D 3H")


def test_nothing_is_turned_on_the_pile_that_receives():
    """A12."""
    moved = after(table("t1: 2C 9H / t2: [3C 4D] TS"), "t1t2")
    assert (moved.view["t2"].hidden, cards(moved, "t2")) == (2, "TS 9H")


# Dealing a row

EIGHT = " / ".join(f"t{n}: {rank}C" for n, rank in enumerate("K9753KJ9", start=1))
"""Eight columns with a card each."""
ROW = "2D 4D 6D 8D TD QD 2H 4H"


def test_a_row_is_one_face_up_card_on_each_column():
    """A13."""
    played = table(f"{EIGHT} / s: [{ROW} 6H]").play(DEAL)
    view = played.position.view
    assert [column.cards[1:] for column in view.kind("tableau")] == [(c,) for c in ROW.split()]
    assert played.reveals == tuple(Reveal(f"t{n}", c) for n, c in enumerate(ROW.split(), start=1))
    assert (view["s"].hidden, played.position.under[-1]) == (1, ("6H",))


def test_a_row_covers_what_lies_face_up_and_turns_nothing_down():
    """A12, A13."""
    dealt = after(table(f"{EIGHT.replace('t1: ', 't1: [AS AS] ')} / s: [{ROW}]"), "deal")
    assert (dealt.view["t1"].hidden, cards(dealt, "t1")) == (2, "KC 2D")


def test_the_stock_waits_while_a_column_is_empty():
    """A13: the refusal names the empty columns, and nothing has changed."""
    board = f"t1: - / {EIGHT.partition(' / ')[2].replace('t7: JC', 't7: -')} / s: [{ROW}]"
    position = table(board)
    printed = print_position(position)
    refusal = position.why_not(DEAL)
    assert (refusal.rule, refusal.piles) == ("deal-blocked-by-empty-column", ("t1", "t7"))
    assert "t1, t7" in refusal.detail
    with pytest.raises(IllegalMoveError):
        position.play(DEAL)
    assert print_position(position) == printed
    assert "deal" not in listed(position)


def test_a_row_is_dealt_once_every_column_is_filled():
    """A13."""
    waiting = table(f"{EIGHT.replace('t1: KC', 't1: -')} / c1: 4S / s: [{ROW}]")
    assert rule(waiting, "deal") == "deal-blocked-by-empty-column"
    filled = after(waiting, "c1t1")
    assert "deal" in listed(filled)
    assert after(filled, "deal").view["s"].is_empty


def test_full_cells_and_broken_foundations_keep_no_row_back():
    """A13."""
    assert "deal" in listed(table(f"{EIGHT} / {FULL_CELLS} / f1: KH QH / s: [{ROW}]"))


def test_a_row_is_dealt_onto_any_column_whatever_fits():
    """A13: kings and aces, hidden cards beneath or not."""
    position = table(f"{EIGHT.replace('KC', '[2S] AC')} / s: [{' '.join(['KD'] * 8)}]")
    assert all(c.cards[-1] == "KD" for c in after(position, "deal").view.kind("tableau"))


def test_five_rows_are_dealt_and_no_sixth():
    """A13."""
    position = start(ASTROCYTE, 1)
    left = []
    for _ in range(5):
        position = after(position, "deal")
        left.append(position.view["s"].hidden)
    assert left == [32, 24, 16, 8, 0]
    refusal = position.why_not(DEAL)
    assert (refusal.rule, refusal.piles) == ("stock-empty", ("s",))
    assert "deal" not in listed(position)


@pytest.mark.parametrize(
    "move", [Move("s", "t1"), Move("t1", "s"), Move("c1", "s"), Move("s", "c2")]
)
def test_the_stock_takes_part_in_no_move_but_the_deal(move):
    """A13."""
    assert table(f"{EIGHT} / c1: 4S / s: [{ROW}]").why_not(move) is not None
    assert table(f"{EIGHT} / c1: 4S").why_not(move) is not None


def test_a_run_completed_by_a_deal_stays_and_can_be_moved_next():
    """A14."""
    before = table(f"{EIGHT.replace('KC', CLUBS.removesuffix(' AC'))} / s: [AC {ROW[3:]}]")
    assert "t1f1x13" not in listed(before)
    dealt = after(before, "deal")
    assert cards(dealt, "t1") == CLUBS
    assert dealt.view["f1"].is_empty
    assert "t1f1x13" in listed(dealt)
    assert cards(after(dealt, "t1f1x13"), "f1") == CLUBS


def too_few(runs_off: int, stock: int) -> Position:
    """So many runs off and so many cards in the stock; the others one by one on the columns."""
    off = EIGHT_RUNS[:runs_off]
    left = list(without(TWO_PACKS, " ".join(off).split()))
    columns = [f"t{n}: {card}" for n, card in enumerate(left[stock:], start=1)]
    hidden = f"s: [{' '.join(left[:stock])}]"
    return table(" / ".join([foundations(*off), *columns, hidden]))


@pytest.mark.parametrize(("runs_off", "stock"), [(5, 32), (6, 24), (7, 8)])
def test_too_few_cards_to_fill_the_columns_is_no_fault_and_no_end(runs_off, stock):
    """A15."""
    position = too_few(runs_off, stock)
    assert ASTROCYTE.why_unreachable(position) is None
    assert rule(position, "deal") == "deal-blocked-by-empty-column"
    assert not position.view.stuck


@pytest.mark.parametrize(("runs_off", "stock"), [(5, 32), (6, 24), (7, 8)])
def test_foundation_cards_fill_the_columns_that_the_others_cannot(runs_off, stock):
    """A11, A15."""
    position = too_few(runs_off, stock)
    for column in position.view.kind("tableau"):
        if column.is_empty:
            position = after(position, f"f1{column.id}")
    assert "deal" in listed(position)


# Moves that change nothing


def test_a_card_may_change_cells_and_that_is_never_listed():
    """A16."""
    position = table("t1: 2C 9D / c2: 7D")
    assert legal(position, "c2c1")
    assert cards(after(position, "c2c1"), "c1") == "7D"
    assert not any(move.startswith("c2c") for move in listed(position))


@pytest.mark.parametrize("column", ["9D", "9D 8D", SPADES])
def test_a_column_that_is_one_run_may_change_places_and_that_is_never_listed(column):
    """A16."""
    position = table(f"t3: {column}")
    move = str(Move("t3", "t5", len(column.split())))
    assert legal(position, move)
    assert cards(after(position, move), "t5") == column
    whole = {str(Move("t3", f"t{n}", len(column.split()))) for n in range(1, 9)}
    assert listed(position).isdisjoint(whole)


@pytest.mark.parametrize(
    ("column", "count"), [("[2C] 9D 8D", 2), ("9D 8D", 1), ("2C 9D 8D", 2), ("[2C] 9D", 1)]
)
def test_to_bare_a_card_or_to_split_a_run_is_a_change_and_listed(column, count):
    """A16."""
    assert str(Move("t3", "t1", count)) in listed(table(f"t3: {column}"))


def test_a_whole_run_that_joins_another_column_is_a_change_and_listed():
    """A16."""
    assert "t3t4x2" in listed(table("t3: 9D 8D / t4: TS"))


# The end


def test_the_game_is_won_with_eight_whole_runs():
    """A17."""
    position = table(f"t1: {SPADES} / {foundations(*EIGHT_RUNS[:7])}")
    assert not position.view.won
    assert after(position, "t1f8x13").view.won


@pytest.mark.parametrize("broken", range(1, 9))
def test_no_foundation_may_lack_its_ace(broken):
    """A17."""
    runs = list(EIGHT_RUNS)
    runs[broken - 1], ace = runs[broken - 1][:-3], runs[broken - 1][-2:]
    assert not table(f"t1: {ace} / {foundations(*runs)}").view.won


def test_nothing_more_is_played_in_a_won_game():
    """A17: not even a card taken back."""
    position = table(foundations(*EIGHT_RUNS))
    assert position.legal_moves() == ()
    assert rule(position, "f1t1") == rule(position, "deal") == "game-over"


def test_a_won_game_is_not_stuck():
    """A17."""
    assert not table(foundations(*EIGHT_RUNS)).view.stuck


STUCK = f"{NO_HOLD} / {FULL_CELLS}"


def test_the_game_is_stuck_when_nothing_can_be_moved():
    """A18."""
    position = table(STUCK)
    assert position.view.stuck
    assert position.legal_moves() == ()


@pytest.mark.parametrize(
    ("instead", "rescue"),
    [
        (STUCK.replace("c4: 9S", "c4: -"), "t1c4"),
        (STUCK.replace("c4: 9S", "c4: 4H"), "c4t5"),
        (STUCK.replace("t8: 5S", "t8: 6S"), "t5t8"),
        (STUCK.replace("t8: 5S", "t8: -"), "c1t8"),
        (f"{STUCK} / s: [{ROW}]", "deal"),
        (f"{STUCK} / f1: {HEARTS}", "f1t1"),
        (STUCK.replace("t8: 5S", f"t8: {SPADES}"), "t8f1x13"),
    ],
    ids=["open cell", "cell card", "column", "empty column", "stock", "taking back", "whole run"],
)
def test_one_move_of_any_kind_is_enough_not_to_be_stuck(instead, rescue):
    """A18."""
    position = table(instead)
    assert rescue in listed(position)
    assert not position.view.stuck


def test_a_foundation_whose_top_goes_nowhere_is_no_way_out():
    """A11, A18."""
    assert table(f"{STUCK} / f1: KH QH").view.stuck


def test_a_run_to_be_split_over_an_empty_column_before_a_deal_is_no_dead_end():
    """A18: full cells, nothing builds, and yet the columns can be filled and a row dealt."""
    board = STUCK.replace("t8: 5S", "t8: -").replace("t7: 5H", "t7: 6D 5D")
    position = table(f"{board} / s: [{ROW}]")
    assert not position.view.stuck
    assert "deal" in listed(after(position, "t7t8"))


# Piles and positions


@pytest.mark.parametrize("source", [id for id in ASTROCYTE.layout.ids if id != "s"])
def test_every_action_from_a_pile_is_legal_on_some_table(source):
    """A5, A6, A7, A9, A11."""
    position = table(f"{source}: {CLUBS if source[0] == 't' else 'KC'}")
    actions = [str(move) for move in ASTROCYTE.actions if move.source == source]
    assert actions
    assert [move for move in actions if not legal(position, move)] == []


@pytest.mark.parametrize("move", ["t9c1", "t1t9", "c5t1", "t1c5", "f9t1", "t1f9x13", "t99t1"])
def test_a_pile_that_is_not_on_the_table_is_refused_by_name(move):
    """A2: eight columns, four cells, eight foundations."""
    refusal = why_not(table("t1: 2C"), move)
    assert refusal.rule == "no-such-pile"
    assert refusal.piles[0] in move
    assert refusal.piles[0] not in ASTROCYTE.layout.ids


@pytest.mark.parametrize("move", ["t1t1", "t1t1x2", "c1c1", "f1f1", "t2t2", "c2c2"])
def test_a_card_does_not_move_onto_its_own_pile(move):
    """A5."""
    refusal = why_not(table("t1: 9H 8H / c1: 3C / f1: KH"), move)
    assert (refusal.rule, refusal.piles) == ("same-pile", (move[:2],))


def test_a_refused_move_raises_its_reason():
    """A4."""
    with pytest.raises(IllegalMoveError) as caught:
        after(table("t1: 7C / t2: TS"), "t1t2")
    error = caught.value
    assert (error.move, error.rule, error.piles) == ("t1t2", "rank-not-one-lower", ("t1", "t2"))
    assert error.detail == "7C is not one rank lower than TS, the top of t2."


def why_unreachable(by_hand: reading.Table) -> str | None:
    return ASTROCYTE.why_unreachable(table(by_hand.show()))


def test_a_column_with_its_top_face_down_makes_a_position_unreachable():
    """A12."""
    by_hand = reading.deal("astrocyte", 1)
    by_hand.cards["c1"].append(by_hand.cards["t1"].pop())
    assert why_unreachable(by_hand) == "The top card of column t1 lies face down."
    by_hand.down["t1"] -= 1
    assert why_unreachable(by_hand) is None


def test_two_cards_in_a_cell_make_a_position_unreachable():
    """A7."""
    by_hand = reading.deal("astrocyte", 1).after("t1c1").after("t1c2")
    by_hand.cards["c1"] += by_hand.cards.pop("c2")
    by_hand.cards["c2"] = []
    assert why_unreachable(by_hand) == "Cell c1 holds more than one card."


def test_a_foundation_without_its_king_makes_a_position_unreachable():
    """A9, A11: a king alone is what can be left of a run, a ten is not."""
    for card, faulty in (("t1", False), ("t2", True)):
        by_hand = reading.deal("astrocyte", 1).after(f"{card}c1")
        by_hand.cards["f1"], by_hand.cards["c1"] = by_hand.cards["c1"], []
        assert (why_unreachable(by_hand) is not None) == faulty


def test_half_a_row_in_the_stock_makes_a_position_unreachable():
    """A13."""
    by_hand = reading.deal("astrocyte", 1)
    by_hand.cards["t1"].append(by_hand.cards["s"].pop())
    by_hand.down["s"] -= 1
    assert "whole rows" in why_unreachable(by_hand)


def test_a_column_that_hides_eight_cards_makes_a_position_unreachable():
    """A2."""
    by_hand = reading.deal("astrocyte", 1).after("deal")
    by_hand.down["t1"] = 8
    assert why_unreachable(by_hand) == "Column t1 hides more than 7 cards."


def test_a_stock_of_six_rows_makes_a_position_unreachable():
    """A2."""
    by_hand = reading.deal("astrocyte", 1)
    for column in by_hand.columns:
        by_hand.cards["s"].append(by_hand.cards[column].pop())
        by_hand.down[column] -= 1
    by_hand.down["s"] = 48
    assert "at most 5 whole rows" in why_unreachable(by_hand)


def test_a_face_up_stock_makes_a_position_unreachable():
    """A2."""
    by_hand = reading.deal("astrocyte", 1)
    by_hand.down["s"] = 32
    assert "face-down cards" in why_unreachable(by_hand)


@pytest.mark.parametrize("pile", ["c1", "f1"])
def test_a_hidden_card_on_a_cell_or_a_foundation_makes_a_position_unreachable(pile):
    """A7, A9."""
    by_hand = reading.deal("astrocyte", 1).after("t1c1")
    by_hand.cards["c1"], by_hand.cards[pile] = [], ["KC"]
    assert why_unreachable(by_hand) is None
    by_hand.down[pile] = 1
    assert why_unreachable(by_hand) == f"A card lies face down in {pile}."


def test_a_foundation_with_a_gap_makes_a_position_unreachable():
    """A9, A11."""
    by_hand = reading.deal("astrocyte", 1)
    for pile in by_hand.piles:
        by_hand.cards[pile].clear()
        by_hand.down[pile] = 0
    by_hand.cards.update({f"f{n}": run.split() for n, run in enumerate(EIGHT_RUNS, start=1)})
    assert why_unreachable(by_hand) is None
    by_hand.cards["t1"] = [by_hand.cards["f3"].pop(5)]
    assert why_unreachable(by_hand) == "Foundation f3 does not hold a run from the king down."


def test_a_lost_card_makes_a_position_unreachable():
    """A1: seen or unseen."""
    for pile, place in (("t1", -1), ("t1", 0), ("s", 0)):
        by_hand = reading.deal("astrocyte", 1)
        by_hand.cards[pile][place] = "2H"
        assert why_unreachable(by_hand) == "The cards on the table are not two whole packs."

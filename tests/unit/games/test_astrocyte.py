"""Astrocyte, rule by rule: each case names the rules of RULES.md that it is about.

`tests/properties/test_judgement.py` holds every move of many tables against an independent reading
of the rules. Here are the cases that a reader of RULES.md asks about, and why a move is refused.
"""

import pytest

from service.errors import IllegalMoveError
from service.games import VARIANTS
from service.games.base import Position, Reveal
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
BROKEN = HEARTS.removesuffix(" AH")
EIGHT_RUNS = [CLUBS, DIAMONDS, HEARTS, SPADES] * 2
EIGHT = " / ".join(f"t{n}: {rank}C" for n, rank in enumerate("K9753KJ9", start=1))
"""Eight columns with a card each."""
ROW = "2D 4D 6D 8D TD QD 2H 4H"
FULL_CELLS = "c1: 9C / c2: 9D / c3: 9H / c4: 9S"
STUCK = f"t1: 2C / t2: 2D / t3: 2H / t4: 2S / t5: 5C / t6: 5D / t7: 5H / t8: 5S / {FULL_CELLS}"
"""No column takes a card of another or of a cell."""


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


def rule(position: Position, move: str) -> str | None:
    refusal = position.why_not(parse_move(move))
    return refusal and refusal.rule


def listed(position: Position) -> set[str]:
    return {str(move) for move in position.legal_moves()}


# The table


def test_two_packs_are_played_with_in_the_order_that_a_deal_number_means():
    """A1, A3: no base is taken out."""
    assert ASTROCYTE.pack == TWO_PACKS


def test_eight_columns_of_eight_show_only_their_tops_beside_open_cells_and_foundations():
    """A2."""
    view = start(ASTROCYTE, 1).view
    shown = [(pile.id, pile.hidden, len(pile.cards)) for pile in view.piles]
    assert shown == [
        *((f"t{n}", 7, 1) for n in range(1, 9)),
        *((f"c{n}", 0, 0) for n in range(1, 5)),
        *((f"f{n}", 0, 0) for n in range(1, 9)),
        ("s", 40, 0),
    ]


def test_the_columns_are_dealt_in_rounds_from_left_to_right_and_the_rest_is_the_stock():
    """A3."""
    position = ASTROCYTE.start(TWO_PACKS)
    for place in range(8):
        assert position.under[place] == TWO_PACKS[place:56:8]
        assert position.view.piles[place].cards == (TWO_PACKS[56 + place],)
    assert position.under[-1] == TWO_PACKS[64:]


# What may be played


@pytest.mark.parametrize("top", RANKS)
def test_a_column_takes_only_the_next_lower_rank(top):
    """A4: no equal rank, no higher one, and no king on an ace."""
    in_hand = [table(f"t1: {rank}C / t2: {top}D") for rank in RANKS]
    taken = [cards(position, "t1")[0] for position in in_hand if not rule(position, "t1t2")]
    assert taken == ([] if top == "A" else [RANKS[RANKS.index(top) - 1]])


PLAYED = {
    "A4 onto a card of the same suit": ("t1: 2C 9H / t2: TH", "t1t2", "TH 9H"),
    "A4 onto a card of another suit": ("t1: 2C 9H / t2: TS", "t1t2", "TS 9H"),
    "A5 a run keeps its order": ("t1: 2C 9H 8H 7H / t2: TS", "t1t2x3", "TS 9H 8H 7H"),
    "A5 a part of a run": ("t1: 9H 8H 7H / t2: 9C", "t1t2x2", "9C 8H 7H"),
    "A5 down to the hidden cards": ("t1: [TH 9H] 8H 7H", "t1t2x2", "8H 7H"),
    "A5 no cell is free": (f"t1: 2C {CLUBS} / {FULL_CELLS}", "t1t2x13", CLUBS),
    "A6 a king to an empty column": ("t2: 2C KH", "t2t1", "KH"),
    "A6 an ace": ("t2: 2C AH", "t2t1", "AH"),
    "A6 a run from any rank": ("t1: 2C 6H 5H 4H", "t1t2x3", "6H 5H 4H"),
    "A6 the card of a cell": ("t2: 2C / c1: 7D", "c1t1", "7D"),
    "A7 to a cell": ("t1: 2C 7D / c1: 5S", "t1c2", "7D"),
    "A7 back from a cell": ("t1: 8H / c1: 7D", "c1t1", "8H 7D"),
    "A9 clubs": (f"t3: 5C {CLUBS}", "t3f1x13", CLUBS),
    "A9 diamonds over hidden cards": (f"t3: [2D] {DIAMONDS}", "t3f1x13", DIAMONDS),
    "A9 hearts beside another run": (f"t3: KC QC {HEARTS} / f1: KS", "t3f2x13", HEARTS),
    "A9 spades": (f"t3: {SPADES}", "t3f1x13", SPADES),
    "A10 a finished run may be split": (f"t1: {CLUBS} / t2: 3H", "t1t2x2", "3H 2C AC"),
    "A11 back onto a column": (f"t1: 2S / f1: {HEARTS}", "f1t1", "2S AH"),
    "A11 back to an empty column": (f"t1: 4S / f1: {HEARTS}", "f1t2", "AH"),
    "A11 back to a cell": ("c1: 5S / f1: KH QH", "f1c2", "QH"),
    "A16 to bare a card is a change": ("t1: 2S / t3: [2C] 9D 8D", "t3t2x2", "9D 8D"),
    "A16 to split a run is a change": ("t1: 2S / t3: 9D 8D", "t3t2", "8D"),
    "A16 to join a column is a change": ("t3: 9D 8D / t4: TS", "t3t4x2", "TS 9D 8D"),
}
"""By rule and case: a board, a move that is legal and listed, and its target afterwards."""


@pytest.mark.parametrize(("board", "move", "then"), PLAYED.values(), ids=PLAYED)
def test_a_move_within_the_rules_is_listed_and_played(board, move, then):
    position = table(board)
    assert move in listed(position)
    assert cards(after(position, move), parse_move(move).target) == then


UNLISTED = {
    "A6 a later empty column": ("t1: 2C 7D / t2: 4S", "t1t8", "t1t3"),
    "A7 a later open cell": ("t1: 2C 7D / c1: 5S / c3: 5C", "t1c4", "t1c2"),
    "A9 a later foundation": (f"t1: {CLUBS} / f1: KD", "t1f8x13", "t1f2x13"),
    "A16 from cell to cell": ("t1: 2C 9D / c2: 7D", "c2c1", None),
    "A16 a column of one card": ("t3: 9D", "t3t5", None),
    "A16 a column that is one run": (f"t3: {SPADES}", "t3t5x13", None),
}
"""By rule and case: a board, a move that is legal, and the one that is listed in its place."""


@pytest.mark.parametrize(("board", "move", "instead"), UNLISTED.values(), ids=UNLISTED)
def test_a_move_that_is_like_another_or_changes_nothing_is_accepted_and_not_listed(
    board, move, instead
):
    position, (source, target, count) = table(board), parse_move(move)
    lifted = position.view[source].cards[-count:]
    assert after(position, move).view[target].cards == lifted
    assert {move, str(Move(source, f"{target[0]}1", count))}.isdisjoint(listed(position))
    assert instead is None or instead in listed(position)


# What is refused, and why

RUN = "t1: 9H 8H 7H / t2: TS / t3: 9C"
HOMES = f"t1: AH / t2: KH / c2: KH / f1: {BROKEN} / f2: {CLUBS}"
REFUSED = {
    "A4 a king on an ace": ("t1: KH / t2: AC", "t1t2", "rank-not-one-lower", "t1 t2"),
    "A4 a run on an ace": ("t1: KH QH / t2: AC", "t1t2x2", "rank-not-one-lower", "t1 t2"),
    "A4 the highest card must fit": (RUN, "t1t2x2", "rank-not-one-lower", "t1 t2"),
    "A4 not the lowest": (RUN, "t1t3x3", "rank-not-one-lower", "t1 t3"),
    "A4 A7 back from a cell": ("t2: 9H / c1: 7D", "c1t2", "rank-not-one-lower", "c1 t2"),
    "A4 A11 back from home": ("t1: 3S / f1: " + HEARTS, "f1t1", "rank-not-one-lower", "f1 t1"),
    "A5 two suits": ("t1: 9H 8S 7S / t2: TC", "t1t2x3", "run-not-one-suit", "t1"),
    "A5 two suits below": ("t1: 9S 8S 7H", "t1t2x3", "run-not-one-suit", "t1"),
    "A5 a gap": ("t1: 9H 7H", "t1t2x2", "run-not-descending", "t1"),
    "A5 a gap below": ("t1: 9H 8H 3H 2H", "t1t2x4", "run-not-descending", "t1"),
    "A5 a gap above": ("t1: 9H 8H 3H 2H", "t1t2x3", "run-not-descending", "t1"),
    "A5 ascending": ("t1: 8H 9H", "t1t2x2", "run-not-descending", "t1"),
    "A5 two of a rank": ("t1: 9H 9H", "t1t2x2", "run-not-descending", "t1"),
    "A5 a gap of two suits": ("t1: 9H 7S", "t1t2x2", "run-not-descending", "t1"),
    "A5 round the corner": ("t1: AH KH", "t1t2x2", "run-not-descending", "t1"),
    "A5 the other way round": ("t1: KH AH", "t1t2x2", "run-not-descending", "t1"),
    "A5 hidden cards": ("t1: [TH 9H] 8H 7H / t2: JC", "t1t2x4", "not-available", "t1"),
    "A5 more than there are": ("t1: 9H / t2: TC", "t1t2x2", "not-available", "t1"),
    "A5 an empty column": ("t1: 2C", "t2t3", "source-empty", "t2"),
    "A5 onto itself": ("t1: 9H 8H", "t1t1", "same-pile", "t1"),
    "A5 a run onto itself": ("t1: 9H 8H", "t1t1x2", "same-pile", "t1"),
    "A5 an empty one onto itself": ("t1: 9H 8H", "t2t2", "same-pile", "t2"),
    "A7 a full cell": ("t1: 2C 7D / c1: 5S", "t1c1", "target-occupied", "c1"),
    "A7 a full cell for a cell": ("c1: 5S / c2: 4S", "c2c1", "target-occupied", "c1"),
    "A7 a full cell for a foundation": ("c1: 5S / f1: KH QH", "f1c1", "target-occupied", "c1"),
    "A7 a run for a cell": ("t1: 8H 7H", "t1c1x2", "count-invalid", "c1"),
    "A7 two cards of a cell": ("t1: 2C / c1: 7H", "c1t2x2", "count-invalid", "c1"),
    "A7 an empty cell": ("t1: 2C", "c3t2", "source-empty", "c3"),
    "A7 a cell onto itself": ("c1: 3C", "c1c1", "same-pile", "c1"),
    "A8 a king from a cell": (HOMES, "c2f3", "cell-to-foundation", "c2"),
    "A8 a king onto an open one": (HOMES, "c2f1", "cell-to-foundation", "c2"),
    "A8 the ace that is lacking": (HOMES, "t1f1", "foundation-needs-full-run", "t1 f1"),
    "A8 a king alone": (HOMES, "t2f3", "foundation-needs-full-run", "t2 f3"),
    "A8 from another foundation": (HOMES, "f2f1", "foundation-needs-full-run", "f2 f1"),
    "A9 two of a run": (f"t1: {CLUBS}", "t1f1x2", "foundation-needs-full-run", "t1 f1"),
    "A9 twelve of a run": (f"t1: {CLUBS}", "t1f1x12", "foundation-needs-full-run", "t1 f1"),
    "A9 two suits": (f"t1: {CLUBS.replace('7C', '7S')}", "t1f1x13", "run-not-one-suit", "t1"),
    "A9 no king": (f"t1: 2C {CLUBS[3:]}", "t1f1x13", "run-not-descending", "t1"),
    "A9 a hidden king": (f"t1: [KC] {CLUBS[3:]}", "t1f1x13", "not-available", "t1"),
    "A9 a full one": (f"t1: {CLUBS} / f1: {CLUBS}", "t1f1x13", "foundation-not-empty", "f1"),
    "A9 A11 a broken one": (f"t1: {CLUBS} / f1: KC", "t1f1x13", "foundation-not-empty", "f1"),
    "A11 two cards back": (f"t1: 3S / f1: {HEARTS}", "f1t1x2", "count-invalid", "f1"),
    "A11 a run back": (f"t1: 3S / f1: {HEARTS}", "f1t2x13", "count-invalid", "f1"),
    "A11 a run to another": (f"f1: {HEARTS}", "f1f3x13", "count-invalid", "f1"),
    "A11 an empty one": ("t1: 3S", "f4t2", "source-empty", "f4"),
    "A13 no card is left": (EIGHT, "deal", "stock-empty", "s"),
    "A2 a ninth column": ("t1: 2C", "t9c1", "no-such-pile", "t9"),
    "A2 to a ninth column": ("t1: 2C", "t1t9", "no-such-pile", "t9"),
    "A2 a fifth cell": ("t1: 2C", "t1c5", "no-such-pile", "c5"),
    "A2 a ninth foundation": ("t1: 2C", "f9t1", "no-such-pile", "f9"),
    "A17 a card back after the win": (foundations(*EIGHT_RUNS), "f1t1", "game-over", ""),
    "A17 a deal after the win": (foundations(*EIGHT_RUNS), "deal", "game-over", ""),
}
"""By rule and case: a board, a move, the rule code of the refusal and the piles it names."""


@pytest.mark.parametrize(("board", "move", "code", "piles"), REFUSED.values(), ids=REFUSED)
def test_a_move_against_the_rules_is_refused_with_its_rule_and_piles(board, move, code, piles):
    position = table(board)
    refusal = position.why_not(parse_move(move))
    assert (refusal.rule, " ".join(refusal.piles)) == (code, piles)
    assert move not in listed(position)


@pytest.mark.parametrize("count", [0, -1])
def test_fewer_than_one_card_never_moves(count):
    """A5, A7."""
    position = table("t1: 9H 8H / t2: TC / c1: 5D")
    for source, target in [("t1", "t2"), ("t1", "t3"), ("t1", "c2"), ("c1", "t3"), ("t1", "f1")]:
        assert position.why_not(Move(source, target, count)) is not None


@pytest.mark.parametrize("move", [("s", "t1"), ("t1", "s"), ("c1", "s"), ("s", "c2")])
def test_the_stock_takes_part_in_no_move_but_the_deal(move):
    """A13."""
    for stock in ("", ROW):
        refusal = table(f"{EIGHT} / c1: 4S / s: [{stock}]").why_not(Move(*move))
        assert (refusal.rule, refusal.piles) == ("not-available", ("s",))


def test_a_refused_move_raises_its_reason():
    """A4."""
    with pytest.raises(IllegalMoveError) as caught:
        after(table("t1: 7C / t2: TS"), "t1t2")
    error = caught.value
    assert (error.move, error.rule, error.piles) == ("t1t2", "rank-not-one-lower", ("t1", "t2"))
    assert error.detail == "7C is not one rank lower than TS, the top of t2."


# Foundations


def test_foundations_have_no_suit_of_their_own():
    """A9: both runs of a suit go to any that are empty."""
    both = after(table(f"t1: {CLUBS} / t2: {CLUBS}"), "t1f8x13", "t2f3x13")
    assert cards(both, "f3") == cards(both, "f8") == CLUBS


def test_a_finished_run_is_not_lifted_by_itself():
    """A10."""
    finished = after(table(f"t1: {CLUBS.removesuffix(' AC')} / t2: 9S AC"), "t2t1")
    assert (cards(finished, "t1"), cards(finished, "f1")) == (CLUBS, "")


def test_a_broken_foundation_does_not_get_its_ace_back():
    """A11: neither from the cell it went to nor from a column."""
    broken = after(table(f"t1: 2S / f1: {HEARTS}"), "f1c1")
    assert cards(broken, "f1") == BROKEN
    assert rule(broken, "c1f1") == "cell-to-foundation"
    assert rule(after(broken, "c1t1"), "t1f1") == "foundation-needs-full-run"


def test_a_foundation_that_gave_all_thirteen_back_takes_a_run_again():
    """A11."""
    position = table(f"t1: 2C {SPADES} / f1: {HEARTS}")
    position = after(position, "f1c1", "f1c2", "f1c3", "f1c4")
    position = after(position, *(f"f1t{n}" for n in range(2, 9)))
    position = after(position, "t7t8", "f1t7", "t6t8")
    assert rule(position, "t1f1x13") == "foundation-not-empty"
    assert cards(after(position, "f1t6", "t1f1x13"), "f1") == SPADES


# Turning cards


@pytest.mark.parametrize(
    ("board", "move"),
    [
        ("t1: [3C 4D] 9H 8H / t2: TS", "t1t2x2"),
        ("t1: [3C 4D] 9H 8H / t2: TS", "t1t3x2"),
        ("t1: [3C 4D] 9H", "t1c1"),
        (f"t1: [3C 4D] {CLUBS}", "t1f1x13"),
    ],
)
def test_a_bared_card_is_turned_up_within_the_move(board, move):
    """A12: also when a run leaves."""
    position, reveals = table(board).play(parse_move(move))
    assert reveals == (Reveal("t1", "4D"),)
    assert (position.view["t1"][2:], position.under[0]) == ((1, ("4D",)), ("3C",))


@pytest.mark.parametrize("board", ["t1: [3C] 9H 8S", "t1: 8S", "t1: 9H 8S"])
def test_nothing_is_turned_while_a_face_up_card_remains_or_no_card_at_all(board):
    """A12."""
    before = table(board)
    played = before.play(parse_move("t1c1"))
    assert played.reveals == ()
    assert played.position.view["t1"].hidden == before.view["t1"].hidden


def test_a_turned_card_stays_up_when_it_is_covered_again_and_can_be_played():
    """A12."""
    covered = after(table("t1: [4D] 3H / t2: 5C"), "t1c1", "c1t1")
    assert (covered.view["t1"].hidden, cards(covered, "t1")) == (0, "4D 3H")
    assert cards(after(covered, "t1c1", "t1t2"), "t2") == "5C 4D"


def test_nothing_is_turned_on_the_pile_that_receives():
    """A12."""
    moved = after(table("t1: 2C 9H / t2: [3C 4D] TS"), "t1t2")
    assert (moved.view["t2"].hidden, cards(moved, "t2")) == (2, "TS 9H")


# Dealing a row


def test_a_row_is_the_next_card_of_the_stock_face_up_on_each_column():
    """A3, A12, A13: whatever fits, from left to right; what lies there stays as it is."""
    before = table(f"{EIGHT.replace('KC', '[AS AS] KC')} / s: [{ROW} 6H]")
    position, reveals = before.play(DEAL)
    assert [pile.cards[1:] for pile in position.view.kind("tableau")] == [(c,) for c in ROW.split()]
    assert reveals == tuple(Reveal(f"t{n}", c) for n, c in enumerate(ROW.split(), start=1))
    assert (position.view["t1"].hidden, cards(position, "t1")) == (2, "KC 2D")
    assert (position.view["s"].hidden, position.under[-1]) == (1, ("6H",))


def test_the_stock_waits_until_every_column_is_filled():
    """A13: the refusal names the empty columns, and nothing has changed."""
    board = EIGHT.replace("t1: KC", "t1: -").replace("t7: JC", "t7: -")
    position = table(f"{board} / c1: 4S / c2: 4D / s: [{ROW}]")
    printed = print_position(position)
    refusal = position.why_not(DEAL)
    assert (refusal.rule, refusal.piles) == ("deal-blocked-by-empty-column", ("t1", "t7"))
    assert "t1, t7" in refusal.detail
    with pytest.raises(IllegalMoveError):
        position.play(DEAL)
    assert print_position(position) == printed
    assert "deal" not in listed(position)
    assert after(position, "c1t1", "c2t7", "deal").view["s"].is_empty


def test_full_cells_and_broken_foundations_keep_no_row_back():
    """A13."""
    assert "deal" in listed(table(f"{EIGHT} / {FULL_CELLS} / f1: KH QH / s: [{ROW}]"))


def test_five_rows_are_dealt_and_no_sixth():
    """A13."""
    position, left = start(ASTROCYTE, 1), []
    while "deal" in listed(position):
        position = after(position, "deal")
        left.append(position.view["s"].hidden)
    assert left == [32, 24, 16, 8, 0]
    assert rule(position, "deal") == "stock-empty"


def test_a_run_completed_by_a_deal_stays_and_can_be_moved_next():
    """A14."""
    before = table(f"{EIGHT.replace('KC', CLUBS.removesuffix(' AC'))} / s: [AC {ROW[3:]}]")
    dealt = after(before, "deal")
    assert (cards(dealt, "t1"), cards(dealt, "f1")) == (CLUBS, "")
    assert "t1f1x13" in listed(dealt)


@pytest.mark.parametrize(("runs_off", "stock"), [(5, 32), (6, 24), (7, 8)])
def test_foundation_cards_fill_the_columns_that_too_few_others_cannot(runs_off, stock):
    """A11, A15: so many runs off, so many cards in the stock, the others one by one on columns."""
    off = EIGHT_RUNS[:runs_off]
    left = list(without(TWO_PACKS, " ".join(off).split()))
    columns = [f"t{n}: {card}" for n, card in enumerate(left[stock:], start=1)]
    position = table(" / ".join([foundations(*off), *columns, f"s: [{' '.join(left[:stock])}]"]))
    assert ASTROCYTE.why_unreachable(position) is None
    assert rule(position, "deal") == "deal-blocked-by-empty-column"
    assert not position.view.stuck
    empty = [column.id for column in position.view.kind("tableau") if column.is_empty]
    assert "deal" in listed(after(position, *(f"f1{column}" for column in empty)))


# The end


def test_the_game_is_won_with_eight_whole_runs_and_then_nothing_more_is_played():
    """A17."""
    position = table(f"t1: {SPADES} / {foundations(*EIGHT_RUNS[:7])}")
    assert not position.view.won
    won = after(position, "t1f8x13")
    assert (won.view.won, won.view.stuck, won.legal_moves()) == (True, False, ())


@pytest.mark.parametrize("broken", range(1, 9))
def test_no_foundation_may_lack_its_ace(broken):
    """A17."""
    runs = list(EIGHT_RUNS)
    runs[broken - 1], ace = runs[broken - 1][:-3], runs[broken - 1][-2:]
    assert not table(f"t1: {ace} / {foundations(*runs)}").view.won


def test_the_game_is_stuck_when_nothing_can_be_moved():
    """A18."""
    position = table(STUCK)
    assert (position.view.stuck, position.legal_moves()) == (True, ())


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


# Positions that no game reaches

WON = foundations(*EIGHT_RUNS).split(" / ")
TOO_MANY = "The stock holds at most 5 whole rows of face-down cards."
UNREACHABLE = {
    "A1 a card seen": (["t1: [7C 5H 7H JD 6D AC QC] 2H"], "not two whole packs"),
    "A1 a card unseen": (["t1: [2H 5H 7H JD 6D AC QC] KC"], "not two whole packs"),
    "A2 eight hidden cards": (
        ["t1: [7C 5H 7H JD 6D AC QC KC] TC", "t2: [6H QD 9S 8S 6D KS] 2D"],
        "Column t1 hides more than 7 cards.",
    ),
    "A7 two cards in a cell": (
        ["t1: [7C 5H 7H JD 6D] AC", "c1: QC KC"],
        "Cell c1 holds more than one card.",
    ),
    "A7 a hidden card in a cell": (
        ["t1: [7C 5H 7H JD 6D AC] QC", "c1: [KC]"],
        "A card lies face down in c1.",
    ),
    "A9 a hidden card on a foundation": (
        ["t1: [7C 5H 7H JD 6D AC] QC", "f1: [KC]"],
        "A card lies face down in f1.",
    ),
    "A9 A11 a foundation without its king": (
        ["t2: [6H QD 9S 8S 6D KS] 2D", "f1: TC"],
        "Foundation f1 does not hold a run from the king down.",
    ),
    "A11 a king alone is left of a run": (["t1: [7C 5H 7H JD 6D AC] QC", "f1: KC"], None),
    "A12 a top face down": (
        ["t1: [7C 5H 7H JD 6D AC QC]", "c1: KC"],
        "The top card of column t1 lies face down.",
    ),
}
"""By rule and case: piles in place of those of deal 1, and what is said of the position."""


@pytest.mark.parametrize(("piles", "said"), UNREACHABLE.values(), ids=UNREACHABLE)
def test_a_position_that_no_game_reaches_is_told_from_one_that_some_game_does(piles, said):
    dealt = dict(line.split(": ") for line in reading.deal("astrocyte", 1).show().splitlines())
    board = dealt | dict(line.split(": ") for line in piles)
    why = ASTROCYTE.why_unreachable(table("\n".join(map(": ".join, board.items()))))
    assert (why is None) == (said is None)
    assert said is None or said in why


def test_a_foundation_with_a_gap_makes_a_position_unreachable():
    """A9, A11."""
    assert ASTROCYTE.why_unreachable(table(" / ".join(WON))) is None
    gap = [*WON[:2], WON[2].replace("8H ", ""), *WON[3:], "t1: 8H"]
    why = ASTROCYTE.why_unreachable(table(" / ".join(gap)))
    assert why == "Foundation f3 does not hold a run from the king down."


@pytest.mark.parametrize(("hidden", "face_up"), [(39, 0), (48, 0), (32, 8)])
def test_the_stock_holds_whole_rows_face_down_and_no_more_than_five(hidden, face_up):
    """A2, A13: neither half a row nor six, and no card face up."""
    pack = list(TWO_PACKS)
    stock = " ".join(pack[:hidden]), " ".join(pack[hidden : hidden + face_up])
    others = " ".join(pack[hidden + face_up :])
    board = "s: [{}] {}".format(*stock) + f" / t1: {others}"
    assert ASTROCYTE.why_unreachable(table(board)) == TOO_MANY

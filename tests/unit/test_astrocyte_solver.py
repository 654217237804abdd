"""The solver of Astrocyte and its packed states, held against the rules at every step."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.boards import parse_position, print_position
from service.cards import RANK
from service.errors import InputError
from service.games import VARIANTS
from service.games.astrocyte import weights as w
from service.games.astrocyte.packed import State, Table
from service.games.astrocyte.packing import (
    FACE,
    moves_of,
    pack,
    pack_view,
    rows_of,
    shown,
    unpack,
)
from service.games.astrocyte.rules import run_length
from service.games.astrocyte.steps import (
    ROW,
    after,
    children,
    dealt,
    filled,
    returns,
    settled,
)
from service.moves import DEAL
from service.solvers.astrocyte import solve
from service.solvers.verdict import GaveUp, Solved
from service.variant import Position, View
from tests.walks import WON_GAMES, choices, start, wandered

ROOT = Path(__file__).parents[2]
ASTROCYTE = VARIANTS["astrocyte"]
GAMES = WON_GAMES["astrocyte"]
RANKS = "KQJT98765432A"


def assert_wins(position: Position, verdict) -> None:
    assert isinstance(verdict, Solved), verdict
    for move in verdict.moves:
        position = position.after(move)
    assert position.view.won


def run(suit: str, last: str = "A") -> str:
    """A run from the king down."""
    return " ".join(rank + suit for rank in RANKS[: RANKS.index(last) + 1])


def lifted(position: Position) -> Position:
    """`position` after every whole run on top has gone to a foundation, as in every packed step."""
    for move in moves_of(position, []):
        position = position.after(move)
    return position


def played(position: Position, steps: list[int]) -> Position:
    for move in moves_of(position, steps):
        position = position.after(move)
    return position


@st.composite
def positions(draw) -> Position:
    """A position from any part of a game: early from a deal, or late, from a game that was won."""
    if draw(st.booleans()):
        first = start(ASTROCYTE, draw(st.integers(1, 1000)))
    else:
        first = draw(st.sampled_from(draw(st.sampled_from(GAMES)).walk.positions))
    return wandered(first, draw(choices(60))).end


# Worth and key, reckoned again from the piles


def column_worth(hidden: int, cards: list[str]) -> int:
    """What a column is worth, face-up card by face-up card."""
    if not cards:
        return 0
    ranks = [RANK[card] for card in cards]
    worth, king_at_the_base = 0, not hidden and ranks[0] == 13
    if hidden:
        worth += w.HIDDEN * hidden + w.HIDDEN_SQUARED * hidden**2 + w.HIDDEN_COLUMN + w.BREAK
        worth += w.BURIED_KING * hidden * (ranks[0] == 13)
    else:
        worth += w.BASE_KING if ranks[0] == 13 else w.BASE_LACK * (13 - ranks[0])
    runs, sequence = [1], 1
    for place in range(1, len(cards)):
        card, below = cards[place], cards[place - 1]
        if ranks[place - 1] - ranks[place] == 1:
            sequence += 1
            if card[1] == below[1]:
                runs[-1] += 1
                worth += w.SUITED + w.KING_RUN * (king_at_the_base and len(runs) == 1)
                continue
            worth += w.FITTING
        else:
            worth += w.BREAK + w.SEQUENCE * sequence
            worth += w.INVERTED * max(0, ranks[place] - min(ranks[:place]))
            worth += w.BURIED_KING * (hidden + place) * (ranks[place] == 13)
            sequence = 1
        runs.append(1)
    worth += sum(w.RUN_SQUARED * length**2 for length in runs if length > 1)
    return worth + w.DIGGING * len(runs) * bool(hidden)


def value(position: Position) -> int:
    """How good a position looks, from its piles alone."""
    view = position.view
    columns, stock = view.kind("tableau"), view["s"].hidden // 8
    cells = [pile.cards[0] for pile in view.kind("cell") if pile.cards]
    empty = sum(column.is_empty for column in columns)
    tops = {RANK[column.cards[-1]] for column in columns if column.cards} - {1}
    worth = sum(column_worth(column.hidden, list(column.cards)) for column in columns)
    worth += w.HIDDEN_LATE * (5 - stock) * sum(column.hidden for column in columns)
    worth += w.FIRST_EMPTY * (empty > 0) + w.MORE_EMPTY * max(0, empty - 1)
    worth += w.DISTINCT_TOP * len(tops) + w.ROW_LEFT * stock
    worth += w.CELL * len(cells) + w.CELL_SQUARED * len(cells) ** 2
    worth += w.CELL_LATE * (5 - stock) * len(cells)
    worth += w.CELL_KING * sum(card[0] == "K" for card in cells)
    for pile in view.kind("foundation"):
        if len(pile.cards) == 13:
            worth += w.WHOLE_RUN_OFF
        elif pile.cards:
            worth += w.BROKEN_RUN + w.BROKEN_CARD * len(pile.cards)
    return worth


def same(position: Position):
    """What makes two positions one and the same to a search that knows the places of columns."""
    view = position.view
    others = Counter(pile[1:] for pile in view.piles[8:])
    return view.piles[:8], others, position.under[:8], position.under[-1]


def every_child(table: Table, state: State) -> list[tuple[int, int, int]]:
    found = []
    known = set()
    children(table, state, known, found)
    returns(table, state, known, found)
    assert len({key for _, key, _ in found}) == len(found)
    assert known == {key for _, key, _ in found}
    return found


@given(positions())
def test_a_position_packed_and_unpacked_is_the_same(position):
    table = Table()
    state = pack(table, position)
    assert same(unpack(state, rows_of(position))) == same(position)


@given(positions())
def test_a_packed_state_is_worth_what_its_piles_are_worth(position):
    assert pack(Table(), position).value == value(position)


@given(positions())
def test_every_step_is_legal_and_leads_where_the_rules_lead(position):
    """Its value and its key, found from what it changes, are those of the state built anew."""
    position = lifted(position)
    table = Table()
    state = pack(table, position)
    for worth, key, step in every_child(table, state):
        moves = moves_of(position, [step])
        assert moves[0] in position.legal_moves()
        end = played(position, [step])
        assert same(unpack(after(table, state, step), rows_of(end))) == same(end)
        assert (worth, key) == (value(end), pack(Table(), end).key)


@given(positions())
def test_no_way_to_go_on_is_left_out_but_those_that_are_meant_to_be(position):
    """Every legal move leads to a state that a step leads to, save three kinds.

    Dealing is apart; a run goes into an empty column whole; a column is not moved as a whole.
    """
    position = lifted(position)
    table = Table()
    reached = {key for _, key, _ in every_child(table, pack(table, position))}
    for move in position.legal_moves():
        if move == DEAL:
            continue
        target = position.view[move.target]
        cards = position.view[move.source].cards
        if target.is_empty and target.kind == "tableau" and move.source.startswith("t"):
            column = position.view[move.source]
            if move.count < run_length(cards) or move.count == len(cards) + column.hidden:
                continue
        end = pack(Table(), lifted(position.after(move))).key
        assert end in reached or end == pack(Table(), position).key, move


@given(positions())
def test_empty_columns_are_filled_and_a_row_is_dealt_as_the_rules_do_it(position):
    position = lifted(position)
    rows = rows_of(position)
    table = Table()
    full = filled(table, pack(table, position))
    if full is None:
        assert sum(len(pile.cards) for pile in position.view.piles[8:-1]) == 0
    elif rows:
        state, steps = full
        end = played(position, [*steps, ROW])
        assert same(unpack(dealt(table, state, rows[0]), rows[1:])) == same(end)


@given(positions())
def test_a_state_settles_by_lifting_whole_runs(position):
    table = Table()
    state = pack(table, position)
    still = settled(table, state.columns.copy(), state.cells, state.foundations, state.rows)
    assert same(unpack(still, rows_of(position))) == same(lifted(position))


# What a view packs to


@given(positions())
def test_the_state_of_a_view_holds_no_card_that_the_view_does_not_show(position):
    view: View = position.view
    state = pack_view(Table(), view)
    for column, pile in zip(state.columns, view.piles[:8], strict=True):
        cards, bottom = [], column
        while bottom.rank:
            cards.append(FACE[bottom.card])
            bottom = bottom.under
        assert tuple(reversed(cards)) == pile.cards
        assert bottom.under is bottom
        assert (bottom.hidden, column.hidden) == (pile.hidden, pile.hidden)
    assert shown(state).piles[:8] == view.piles[:8]


@given(positions())
def test_a_view_offers_the_steps_of_its_position(position):
    position = lifted(position)
    table, blind = Table(), Table()
    state, seen = pack(table, position), pack_view(blind, position.view)
    assert seen.value == state.value
    known = {step for _, _, step in every_child(table, state)}
    offered = {step for _, _, step in every_child(blind, seen)}
    assert offered <= known
    keys = {after(table, state, step).key for step in offered}
    assert len(keys) == len(offered)


def test_a_dark_column_is_worth_the_turn_of_a_card_nobody_knows():
    two, one = Table().dark(2), Table().dark(1)
    assert two.worth == w.UNSEEN + w.HIDDEN + w.HIDDEN_SQUARED + w.HIDDEN_COLUMN + w.BREAK
    assert one.worth == w.UNSEEN + 6 * w.BASE_LACK
    assert (two.rank, two.run, two.height) == (0, 0, 0)


# The search


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_deals_are_solved_and_the_rules_accept_the_line(number):
    position = start(ASTROCYTE, number)
    assert_wins(position, solve(position))


@pytest.mark.parametrize("game", range(len(GAMES)))
@pytest.mark.parametrize("tenths", [0, 3, 6, 9])
def test_kept_games_are_solved_from_many_a_ply(game, tenths):
    line = GAMES[game].walk.positions
    position = line[(len(line) - 1) * tenths // 10]
    assert_wins(position, solve(position))


def test_games_that_went_astray_at_random_are_solved_or_given_up():
    for number in (5, 6):
        position = wandered(start(ASTROCYTE, number), range(number, 500, 37)).end
        verdict = solve(position, 100_000)
        if isinstance(verdict, Solved):
            assert_wins(position, verdict)


def test_a_won_game_needs_no_move():
    assert solve(GAMES[0].walk.end, 1) == Solved((), 1)


def test_the_last_moves_of_a_game_are_found_at_once():
    position = GAMES[0].walk.positions[-2]
    verdict = solve(position, 1)
    assert_wins(position, verdict)
    assert verdict.positions == 1


SEVEN_RUNS = [run(suit) for suit in "CDHSCDH"]


def board(foundations: list[str], others: str) -> Position:
    runs = " / ".join(f"f{n}: {cards}" for n, cards in enumerate(foundations, start=1))
    position = parse_position(ASTROCYTE, f"{runs} / {others}" if runs else others)
    assert ASTROCYTE.why_unreal(position) is None
    return position


NEED_GIVING_BACK = {
    "five cards for eight columns": board(
        SEVEN_RUNS,
        "t1: KS / c2: 9S / t3: 4S / c4: JS / t5: 2S / s: [AS QS 3S TS 5S 8S 6S 7S]",
    ),
    "one column holds all": board(SEVEN_RUNS, "t1: KS QS JS TS 9S / s: [AS 2S 3S 4S 5S 8S 6S 7S]"),
    "a broken foundation": board(
        [*SEVEN_RUNS[:6], run("H", "7")],
        "t1: 6H 2S / t2: 5H KS / t3: 4H QS 9S / t4: 3H JS 8S / t5: 2H TS 7S / t6: AH 5S 6S"
        " / t7: AS / t8: 3S 4S",
    ),
}


@pytest.mark.parametrize("name", NEED_GIVING_BACK)
def test_cards_come_back_from_foundations_where_nothing_else_helps(name):
    """A11, A15."""
    position = NEED_GIVING_BACK[name]
    verdict = solve(position)
    assert_wins(position, verdict)
    assert any(move.source.startswith("f") for move in verdict.moves)


def test_whole_runs_that_lie_about_are_lifted_first():
    """A10, A14: the player may have left them."""
    position = board(
        [],
        f"t1: {run('C')} {run('D')} / t2: {run('H')} 5S / t3: {run('S')} / t4: {run('C')}"
        f" / t5: {run('D')} / t6: {run('H')} / t7: {run('S', '6')} / t8: 4S 3S 2S AS",
    )
    verdict = solve(position)
    assert_wins(position, verdict)
    assert [str(move) for move in verdict.moves[:3]] == ["t1f1x13", "t1f2x13", "t3f3x13"]


@pytest.mark.parametrize("budget", [1, 2, 100, 12345])
def test_a_budget_is_kept_to_the_position(budget):
    assert solve(start(ASTROCYTE, 1), budget) == GaveUp(budget)


def test_a_greater_budget_finds_the_same_line():
    position = GAMES[1].walk.positions[len(GAMES[1].walk.positions) // 2]
    verdict = solve(position)
    assert isinstance(verdict, Solved)
    assert solve(position, verdict.positions) == verdict
    assert solve(position, verdict.positions * 2) == verdict
    assert isinstance(solve(position, verdict.positions // 2), GaveUp)


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_of_nothing_is_refused(budget):
    with pytest.raises(InputError):
        solve(start(ASTROCYTE, 1), budget)


def test_a_search_that_has_met_all_it_can_gives_up_early():
    """Sixteen cards that never make a run, on eight columns, four cells full."""
    stuck = parse_position(
        ASTROCYTE,
        "t1: 2C / t2: 2D / t3: 2H / t4: 2S / t5: 5C / t6: 5D / t7: 5H / t8: 5S"
        " / c1: 9C / c2: 9D / c3: 9H / c4: 9S",
    )
    assert solve(stuck) == GaveUp(1)


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_the_answer_does_not_depend_on_the_hash_seed(seed):
    position = GAMES[2].walk.positions[len(GAMES[2].walk.positions) // 2]
    program = (
        "import sys\n"
        "from service.boards import parse_position\n"
        "from service.games import VARIANTS\n"
        "from service.solvers.astrocyte import solve\n"
        "verdict = solve(parse_position(VARIANTS['astrocyte'], sys.stdin.read()))\n"
        "print(verdict.positions, *map(str, verdict.moves))\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program],
        input=print_position(position),
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    verdict = solve(position)
    assert said == [str(verdict.positions), *map(str, verdict.moves)]

"""The solver of Astrocyte finds legal winning lines within its budget."""

import gc
from pathlib import Path

import pytest

from service.errors import InputError
from service.games import VARIANTS
from service.games.base import Position
from service.games.boards import parse_position
from service.solvers.astrocyte.solver import solve
from service.solvers.astrocyte.state import Column
from service.solvers.verdict import GaveUp, Solved
from tests.support.walks import WON_GAMES, start

ROOT = Path(__file__).parents[3]
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


@pytest.mark.parametrize("game", range(len(GAMES)))
@pytest.mark.parametrize("tenths", [3, 9])
def test_recorded_games_are_solved_from_their_midst(game, tenths):
    line = GAMES[game].walk.positions
    position = line[(len(line) - 1) * tenths // 10]
    assert_wins(position, solve(position))


def test_the_end_of_a_game_is_found_at_once():
    assert solve(GAMES[0].walk.end, 1) == Solved((), 1)
    verdict = solve(GAMES[0].walk.positions[-2], 1)
    assert_wins(GAMES[0].walk.positions[-2], verdict)
    assert verdict.positions == 1


SEVEN_RUNS = [run(suit) for suit in "CDHSCDH"]


def board(foundations: list[str], others: str) -> Position:
    runs = " / ".join(f"f{n}: {cards}" for n, cards in enumerate(foundations, start=1))
    position = parse_position(ASTROCYTE, f"{runs} / {others}" if runs else others)
    assert ASTROCYTE.why_unreachable(position) is None
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
def test_cards_leave_foundations_if_nothing_else_helps(name):
    """A11, A15."""
    position = NEED_GIVING_BACK[name]
    verdict = solve(position)
    assert_wins(position, verdict)
    assert any(move.source.startswith("f") for move in verdict.moves)


def test_whole_runs_on_top_are_lifted_first():
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
def test_a_search_ends_with_the_state_that_exceeds_the_budget(budget):
    verdict = solve(start(ASTROCYTE, 1), budget)
    assert isinstance(verdict, GaveUp)
    assert budget <= verdict.positions < budget + 100
    assert solve(start(ASTROCYTE, 1), budget) == verdict


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


def test_a_search_without_further_states_gives_up_early():
    """No card fits on another, the cells are full, and nothing is left to deal."""
    stuck = parse_position(
        ASTROCYTE,
        "t1: 2C / t2: 2D / t3: 2H / t4: 2S / t5: 5C / t6: 5D / t7: 5H / t8: 5S"
        " / c1: 9C / c2: 9D / c3: 9H / c4: 9S",
    )
    assert solve(stuck) == GaveUp(1)


def test_a_search_is_freed_without_garbage_collection():
    position = start(ASTROCYTE, 1)
    solve(position, 10)
    gc.collect()
    gc.disable()
    try:
        before = _columns_alive()
        solve(position)
        assert _columns_alive() - before < SELF_REFERENCES
    finally:
        gc.enable()


SELF_REFERENCES = 10
"""The few columns without a top card, which are their own `under`."""


def _columns_alive() -> int:
    return sum(type(thing) is Column for thing in gc.get_objects())

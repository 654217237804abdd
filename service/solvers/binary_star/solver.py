"""The solver of Binary Star: every position won, with its line, or proven lost."""

from dataclasses import replace

from service.games.base import Position, View
from service.games.moves import Move
from service.solvers.binary_star.line import moves_with_transfers, plain_moves
from service.solvers.binary_star.state import PackedState, Step, pack, with_transfers
from service.solvers.binary_star.sweep_search import Search
from service.solvers.verdict import (
    GaveUp,
    Solved,
    Unwinnable,
    Verdict,
    check_budget,
    count_transfers,
)

BUDGET = 4_000_000
"""Positions that a question may cost at most: about half a minute and 1 GB, hardly ever needed."""

_TURN = 20_000
"""Positions after which play with transfers is tried too: two deals in a thousand need as many."""

_SHORTCUT = 2_000
"""Positions for each try to end a line with transfers by one without."""

_TOLL, _HIGH_TOLL = 4, 40


def solve(position: Position, budget: int = BUDGET) -> Verdict:
    """The verdict on `position` under all rules, looking at no more than `budget` positions.

    Plain play is searched first: nearly all that can be won is won without transfers (B7), and
    such a line is shorter. Once that is lost or takes long, play with transfers is searched, in
    turns that double: after much bad play that can be by far the easier. A line with transfers
    has few, though not always the fewest possible. `InputError` for a budget below 1,
    `BoardError` for a board that no play can go on from.
    """
    check_budget(budget)
    packed = pack(position.view)
    plain, turn = Search(packed), _TURN
    won = plain.run(min(turn, budget))
    if won:
        return _solved_plainly(position, plain, plain.positions)
    if plain.positions == budget:
        return GaveUp(budget)
    joined = with_transfers(packed, position.view)
    full = Search(joined, _TOLL)
    while True:
        # Play without transfers is play under all rules: a proof for these covers both.
        left = budget - plain.positions
        outcome = full.run(left if won is False else min(turn, left))
        spent = plain.positions + full.positions
        if outcome is False:
            return Unwinnable(full.proof())
        if outcome:
            moves, more = _with_few_transfers(position.view, packed, joined, full, budget - spent)
            return Solved(moves, spent + more)
        if spent == budget:
            return GaveUp(budget)
        turn *= 2
        won = plain.run(min(turn, budget - full.positions))
        if won:
            return _solved_plainly(position, plain, plain.positions + full.positions)


def solve_preferring_plain(position: Position, budget: int = BUDGET) -> Verdict:
    """The verdict of `solve`, with a line without transfers if there is one; errors as there.

    Where `solve` has found a line with transfers first, plain play is searched to its end with
    what is left of the budget. So transfers in the line mean that the position needs them, unless
    the budget ends there.
    """
    verdict = solve(position, budget)
    if not isinstance(verdict, Solved) or not count_transfers(verdict.moves):
        return verdict
    if verdict.positions == budget:
        return verdict
    plain = solve_plain(position, budget - verdict.positions)
    if not isinstance(plain, Solved):
        return verdict
    return Solved(plain.moves, verdict.positions + plain.positions)


def solve_plain(position: Position, budget: int = BUDGET) -> Verdict:
    """The verdict on `position` if no card is ever transferred; errors as for `solve`.

    `Solved` is a line under all rules as well; `Unwinnable` says nothing of play with transfers.
    """
    check_budget(budget)
    search = Search(pack(position.view))
    won = search.run(budget)
    if won is None:
        return GaveUp(search.positions)
    if not won:
        return Unwinnable(search.proof())
    return _solved_plainly(position, search, search.positions)


def _solved_plainly(position: Position, search: Search, spent: int) -> Solved:
    return Solved(plain_moves(position.view, search.line().steps), spent)


def _with_few_transfers(
    view: View, packed: PackedState, joined: PackedState, found: Search, budget: int
) -> tuple[tuple[Move, ...], int]:
    """The line found, or one found where transfers cost more if that is shorter.

    Returns its moves and how many positions it took to choose them, at most `budget`.
    """
    steps, spent = _with_plain_end(packed, found, budget)
    moves = moves_with_transfers(view, steps)
    if spent < budget:
        other = Search(joined, _HIGH_TOLL)
        won = other.run(min(_TURN, budget - spent))
        spent += other.positions
        if won:
            steps, tried = _with_plain_end(packed, other, budget - spent)
            spent += tried
            moves = min(moves, moves_with_transfers(view, steps), key=len)
    return moves, spent


def _with_plain_end(
    packed: PackedState, search: Search, budget: int
) -> tuple[tuple[Step, ...], int]:
    """The line that `search` found, if possible without transfers from some step on.

    After each step that needed a transfer, plain play is tried for the rest. Returns the steps
    and how many positions that took, at most `budget`.
    """
    line = search.line()
    spent = 0
    for number, step in enumerate(line.steps[:-1], start=1):
        allowed = min(_SHORTCUT, budget - spent)
        if step.edge is None or allowed < 1:
            continue
        rest = Search(replace(packed, start=line.states[number]))
        won = rest.run(allowed)
        spent += rest.positions
        if won:
            return line.steps[:number] + rest.line().steps, spent
    return line.steps, spent

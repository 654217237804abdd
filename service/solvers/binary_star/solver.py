"""The solver of Binary Star, which finds a winning line or proves that there is none."""

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
"""The default budget in positions: about 30 seconds and 1 GB, hardly ever needed."""

_FIRST_SLICE = 20_000
"""Positions of plain play before transfers are searched too; 2 deals in 1,000 need as many."""

_SHORTCUT = 2_000
"""Positions for each attempt to finish a line without further transfers."""

_PENALTY, _HIGH_PENALTY = 4, 40
"""Penalties for a choice after transfers."""


def solve(position: Position, budget: int = BUDGET) -> Verdict:
    """The verdict on `position`, looking at no more than `budget` positions.

    Plain play, without transfers (B7), is searched first: it wins nearly every winnable deal, in
    fewer moves. If it fails or takes long, both searches continue in alternating slices of doubling
    size. A line with transfers has few of them, not always the fewest possible. Raises `InputError`
    for a budget below 1, `InputError` for a board that cannot be played.
    """
    check_budget(budget)
    packed = pack(position.view)
    plain, slice_ = Search(packed), _FIRST_SLICE
    won = plain.run(min(slice_, budget))
    if won:
        return _solved_without_transfers(position, plain, plain.positions)
    if plain.positions == budget:
        return GaveUp(budget)
    joined = with_transfers(packed, position.view)
    full = Search(joined, _PENALTY)
    while True:
        # Plain play is a part of play with transfers: a proof for the latter covers both.
        left = budget - plain.positions
        outcome = full.run(left if won is False else min(slice_, left))
        spent = plain.positions + full.positions
        if outcome is False:
            return Unwinnable(full.proof())
        if outcome:
            moves, more = _with_few_transfers(position.view, packed, joined, full, budget - spent)
            return Solved(moves, spent + more)
        if spent == budget:
            return GaveUp(budget)
        slice_ *= 2
        won = plain.run(min(slice_, budget - full.positions))
        if won:
            return _solved_without_transfers(position, plain, plain.positions + full.positions)


def solve_preferring_plain(position: Position, budget: int = BUDGET) -> Verdict:
    """The verdict of `solve`, with a line without transfers if the budget allows to find one.

    If `solve` finds a line with transfers, the rest of the budget goes to plain play.
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
    """The verdict on play without transfers; errors as for `solve`."""
    check_budget(budget)
    search = Search(pack(position.view))
    won = search.run(budget)
    if won is None:
        return GaveUp(search.positions)
    if not won:
        return Unwinnable(search.proof())
    return _solved_without_transfers(position, search, search.positions)


def _solved_without_transfers(position: Position, search: Search, spent: int) -> Solved:
    return Solved(plain_moves(position.view, search.line().steps), spent)


def _with_few_transfers(
    view: View, packed: PackedState, joined: PackedState, found: Search, budget: int
) -> tuple[tuple[Move, ...], int]:
    """The moves of the line found, or of a shorter one found with a higher transfer penalty.

    Also returns the number of positions spent on it, at most `budget`.
    """
    steps, spent = _with_plain_end(packed, found, budget)
    moves = moves_with_transfers(view, steps)
    if spent < budget:
        other = Search(joined, _HIGH_PENALTY)
        won = other.run(min(_FIRST_SLICE, budget - spent))
        spent += other.positions
        if won:
            steps, tried = _with_plain_end(packed, other, budget - spent)
            spent += tried
            moves = min(moves, moves_with_transfers(view, steps), key=len)
    return moves, spent


def _with_plain_end(
    packed: PackedState, search: Search, budget: int
) -> tuple[tuple[Step, ...], int]:
    """The steps that `search` found, finished without transfers as early as possible.

    Tries plain play after each step that needed a transfer. Also returns the number of positions
    spent on it, at most `budget`.
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

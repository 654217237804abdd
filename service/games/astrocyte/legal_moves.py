"""The legal moves of Astrocyte, generated from the tops of the piles; `why_not` is their judge.

Each move is one object, taken from tables by the places of its piles. Sets of columns are ints
with a bit a column.
"""

from collections.abc import Sequence
from functools import cache

from service.games.astrocyte.table import (
    CELLS,
    COLUMNS,
    HIGHER,
    LAYOUT,
    STOCK,
    WHOLE_RUN,
    run_length,
)
from service.games.cards import RANK, Card
from service.games.moves import DEAL, Move
from service.games.position import View


def legal_moves(view: View) -> tuple[Move, ...]:
    """Every legal move that changes something; of equivalent targets, the first."""
    columns, others = view.cards[:COLUMNS], view.cards[COLUMNS:STOCK]
    by_rank = _columns_by_rank(columns)
    empty = _PLACES[by_rank[0]][0] if by_rank[0] else -1
    cell, home = _first_empty(others, 0, CELLS), _first_empty(others, CELLS, len(others))
    found: list[Move] = []
    for source, cards in enumerate(columns):
        if not cards:
            continue
        moves, lowest, length = _MOVES[source], RANK[cards[-1]], 1
        if len(cards) > 1 and HIGHER.get(cards[-1]) == cards[-2]:
            length = run_length(cards)
            found += _onto_columns(source, lowest, length, by_rank)
        elif by_rank[lowest + 1]:
            found += _onto(source, 1, by_rank[lowest + 1])
        if empty >= 0:
            whole = length == len(cards) and not view.face_down[source]
            found += moves[empty][: length - whole]
        if cell >= 0:
            found.append(moves[cell][0])
        if home >= 0 and length == WHOLE_RUN:
            found.append(moves[home][WHOLE_RUN - 1])
    found += _from_others(others, empty, cell, by_rank)
    if empty < 0 and view.face_down[STOCK]:
        found.append(DEAL)
    return tuple(found)


def _from_others(
    others: tuple[tuple[Card, ...], ...], empty: int, cell: int, by_rank: list[int]
) -> list[Move]:
    """The moves out of cells and foundations, to columns and, from foundations, to a cell."""
    found: list[Move] = []
    for source, cards in enumerate(others, COLUMNS):
        if not cards:
            continue
        moves = _MOVES[source]
        if takers := by_rank[RANK[cards[-1]] + 1]:
            found += _onto(source, 1, takers)
        if empty >= 0:
            found.append(moves[empty][0])
        if cell >= 0 and source >= COLUMNS + CELLS:
            found.append(moves[cell][0])
    return found


def _columns_by_rank(columns: tuple[tuple[Card, ...], ...]) -> list[int]:
    """Which columns have a top of each rank, a bit a column; at rank 0, which are empty."""
    by_rank = [0] * (WHOLE_RUN + 2)
    for place, cards in enumerate(columns):
        by_rank[RANK[cards[-1]] if cards else 0] |= 1 << place
    return by_rank


def _first_empty(piles: tuple[tuple[Card, ...], ...], first: int, end: int) -> int:
    """The place on the table of the first empty one of some piles beside the columns, or -1."""
    for place in range(first, end):
        if not piles[place]:
            return COLUMNS + place
    return -1


@cache
def _onto(source: int, count: int, targets: int) -> tuple[Move, ...]:
    """The moves of `count` cards from `source` onto each of `targets`, a bit a column."""
    return tuple([_MOVES[source][target][count - 1] for target in _PLACES[targets]])


def _onto_columns(source: int, lowest: int, length: int, by_rank: list[int]) -> Sequence[Move]:
    """The moves onto other columns from `source`, whose top run starts at the rank `lowest`."""
    found: Sequence[Move] = ()
    for count in range(1, length + 1):
        if targets := by_rank[lowest + count]:
            more = _onto(source, count, targets)
            found = sorted((*found, *more), key=_target) if found else more
    return found


def _target(move: Move) -> int:
    """Where on the table `move` leads to."""
    return _INDEX[move.target]


def _places(bits: int) -> list[int]:
    """The columns of which `bits` has a bit."""
    return [place for place in range(COLUMNS) if bits >> place & 1]


def _counts(source: str, target: str) -> list[Move]:
    """The moves between two piles, by the number of cards less one."""
    return [Move(source, target, count) for count in range(1, WHOLE_RUN + 1)]


def _moves_from(source: str) -> list[list[Move]]:
    """The moves from `source`, by the place of the target, and then as `_counts`."""
    return [_counts(source, target) for target in LAYOUT.ids[:STOCK]]


_INDEX = LAYOUT.index
_MOVES = list(map(_moves_from, LAYOUT.ids[:STOCK]))
_PLACES = list(map(_places, range(1 << COLUMNS)))

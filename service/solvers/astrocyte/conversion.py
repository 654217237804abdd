"""Converts positions and views of Astrocyte to search states, and steps back to moves."""

from collections.abc import Sequence

from service.games.astrocyte.table import run_length
from service.games.base import Position, View, with_stand_ins
from service.games.cards import FACES, RANK, SUIT, SUITS, Card
from service.games.moves import DEAL, Move
from service.games.piles import Pile
from service.solvers.astrocyte.constants import (
    CELL,
    COLUMNS,
    FOUNDATION,
    STOCK,
    WHOLE,
)
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.state import Column, State

CODE: dict[Card, int] = {card: SUITS.index(SUIT[card]) << 4 | RANK[card] for card in FACES}
"""The int for each card, as `state` defines it."""

FACE: dict[int, Card] = {code: card for card, code in CODE.items()}
"""The card for each int."""


def to_state(interner: Interner, position: Position) -> State:
    """The state of `position`, with face-down cards known; see `rows_of` for the stock.

    Whole runs that lie on columns stay there.
    """
    columns = [
        _column(interner, position.view.piles[n], position.under[n], n + 1) for n in range(COLUMNS)
    ]
    return _build_state(interner, columns, position.view)


def state_of_view(interner: Interner, view: View) -> State:
    """The state of `view`, in which every face-down card is unknown, as for the player.

    Its key does not depend on the order of columns with equal face-up and as many face-down cards.
    """
    columns = [_column(interner, pile, (), 0) for pile in view.piles[:COLUMNS]]
    return _build_state(interner, columns, view)


def rows_of(position: Position) -> list[list[int]]:
    """The rows of the stock of `position`, the next to be dealt first."""
    stock = [CODE[card] for card in position.under[-1]]
    return [stock[first : first + COLUMNS] for first in range(0, len(stock), COLUMNS)]


def moves_of(position: Position, steps: list[int]) -> tuple[Move, ...]:
    """The moves for `steps` from `position`, including those of whole runs to foundations.

    Raises `IllegalMoveError` if the rules refuse one.
    """
    position, moves = lift_all(position)
    for step in steps:
        move = _move_of(position.view, step)
        position, lifted = lift_all(position.after(move))
        moves = (*moves, move, *lifted)
    return moves


def moves_until_reveal(view: View, steps: list[int]) -> tuple[Move, ...]:
    """The moves for `steps`, up to the first that turns or deals cards.

    No whole run may lie on top in `view`.
    """
    moves: list[Move] = []
    position = with_stand_ins(view)
    for step in steps:
        pending: tuple[Move, ...] = (_move_of(position.view, step),)
        while pending:
            moves += pending
            if pending == (DEAL,):
                return tuple(moves)
            position, reveals = position.play(pending[0])
            if reveals:
                return tuple(moves)
            pending = next_lift(position.view)
    return tuple(moves)


def next_lift(view: View) -> tuple[Move, ...]:
    """The move that lifts a whole run on top of a column to a foundation, or no move (A9)."""
    for column in view.piles[:COLUMNS]:
        if len(column.cards) >= WHOLE and run_length(column.cards) == WHOLE:
            return (Move(column.id, _pile(view, "foundation", None), WHOLE),)
    return ()


def lift_all(position: Position) -> tuple[Position, tuple[Move, ...]]:
    """`position` after lifting every whole run on top of a column (A9), and the moves."""
    moves: tuple[Move, ...] = ()
    while lift := next_lift(position.view):
        position = position.after(lift[0])
        moves += lift
    return position, moves


def _column(interner: Interner, pile: Pile, under: Sequence[Card], place: int) -> Column:
    """The column of `pile`, with the face-down cards `under`, or unknown ones if there are none."""
    unknown = pile.hidden - len(under)
    column = interner.column_with_unknown_top(unknown) if unknown else interner.empty
    # Each face-down card is the first face-up card of a column that comes up later.
    for hidden, card in enumerate((*under, *pile.cards[:1]), start=unknown):
        if hidden:
            column = interner.push_on_hidden(CODE[card], column, hidden, place)
        else:
            column = interner.push(column, CODE[card])
    for card in pile.cards[1:]:
        column = interner.push(column, CODE[card])
    return column


def _build_state(interner: Interner, columns: list[Column], view: View) -> State:
    """The state of `columns` and of the cells, foundations and stock of `view`."""
    cells = [CODE[pile.cards[-1]] for pile in view.kind("cell") if pile.cards]
    tops = [CODE[pile.cards[-1]] for pile in view.kind("foundation") if pile.cards]
    rows = view["s"].hidden // COLUMNS
    return interner.state(
        columns, interner.cells(_ordered(cells)), interner.foundations(_ordered(tops)), rows
    )


def _ordered(codes: list[int]) -> tuple[int, ...]:
    return tuple(sorted(codes))


def _move_of(view: View, step: int) -> Move:
    """The move for `step` in `view`."""
    source, target, amount = step >> 12, step >> 8 & 15, step & 255
    if source == STOCK:
        return DEAL
    into = f"t{target + 1}" if target < CELL else _pile(view, "cell", None)
    if source < CELL:
        return Move(f"t{source + 1}", into, amount)
    kind = "foundation" if source == FOUNDATION else "cell"
    return Move(_pile(view, kind, FACE[amount]), into)


def _pile(view: View, kind: str, top: Card | None) -> str:
    """The id of the first pile of `kind` with `top` on top; None means an empty one."""
    return next(p.id for p in view.kind(kind) if (p.cards[-1] if p.cards else None) == top)

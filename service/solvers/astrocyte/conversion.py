"""Between positions and views of Astrocyte and their packed twins: into search, and back."""

from service.games.astrocyte.rules import ASTROCYTE, run_length
from service.games.base import Position, View
from service.games.cards import FACES, RANK, SUIT, SUITS, Card
from service.games.moves import DEAL, Move
from service.games.piles import Pile
from service.solvers.astrocyte.constants import (
    CELL,
    CELLS,
    COLUMNS,
    FOUNDATION,
    RANK_BITS,
    STOCK,
    WHOLE,
)
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.state import Column, State

CODE: dict[Card, int] = {card: SUITS.index(SUIT[card]) << 4 | RANK[card] for card in FACES}
"""How each card is written in a packed state."""

FACE: dict[int, Card] = {code: card for card, code in CODE.items()}
"""The card that each number stands for."""


def to_state(table: Interner, position: Position) -> State:
    """The packed twin of `position`; face-down cards of columns are known, the stock is apart.

    Whole runs that lie on columns stay there.
    """
    columns: list[Column] = []
    for place in range(COLUMNS):
        under = [CODE[card] for card in position.under[place]]
        column = table.empty
        for hidden, card in enumerate(under):
            column = _turned(table, column, card, hidden, place + 1)
        columns.append(_face_up(table, column, position.view.piles[place], place + 1))
    return _with_the_rest(table, columns, position.view)


def state_of_view(table: Interner, view: View) -> State:
    """The packed twin of `view`: where a face-down card would be turned, a dark column stands.

    There is nothing to find out from it: a view holds no hidden card. The places of columns with
    as many face-down cards under the same cards make no difference to its key.
    """
    columns: list[Column] = []
    for pile in view.piles[:COLUMNS]:
        under = table.dark(pile.hidden) if pile.hidden else table.empty
        columns.append(_face_up(table, under, pile, 0))
    return _with_the_rest(table, columns, view)


def rows_of(position: Position) -> list[list[int]]:
    """The rows of the stock of `position`, the next to be dealt first."""
    stock = [CODE[card] for card in position.under[-1]]
    return [stock[first : first + COLUMNS] for first in range(0, len(stock), COLUMNS)]


def shown(state: State) -> View:
    """A view of `state`; the cells and foundations in use come first, in order of their cards."""
    piles = []
    for id, column in zip(ASTROCYTE.layout.ids, state.columns, strict=False):
        piles.append(Pile(id, "tableau", column.hidden, _cards(column, column.height)))
    cells = [(FACE[code],) for code in state.cells.cards]
    runs = [
        tuple(FACE[code] for code in range((top | RANK_BITS) - 2, top - 1, -1))
        for top in state.foundations.tops
    ]
    for n in range(CELLS):
        piles.append(Pile(f"c{n + 1}", "cell", 0, cells[n] if n < len(cells) else ()))
    for n in range(COLUMNS):
        piles.append(Pile(f"f{n + 1}", "foundation", 0, runs[n] if n < len(runs) else ()))
    piles.append(Pile("s", "stock", state.rows * COLUMNS, ()))
    return View(ASTROCYTE, tuple(piles))


def unpack(state: State, rows: list[list[int]]) -> Position:
    """The position that `state` is the twin of, with `rows` in its stock; see `shown`."""
    under = []
    for column in state.columns:
        covered = column
        while covered.height and covered.hidden == column.hidden:
            covered = covered.under
        under.append(_cards(covered, column.hidden))
    nothing: tuple[tuple[Card, ...], ...] = ((),) * (CELLS + COLUMNS)
    stock = tuple(FACE[code] for row in rows for code in row)
    return Position(shown(state), (*under, *nothing, stock))


def moves_of(position: Position, steps: list[int]) -> tuple[Move, ...]:
    """The moves of the rules that `steps` from `position` stand for, foundations included.

    `IllegalMoveError` if one of them is refused.
    """
    moves: list[Move] = []
    position = _lifted(position, moves)
    for step in steps:
        move = _move_of(position.view, step)
        moves.append(move)
        position = _lifted(position.after(move), moves)
    return tuple(moves)


def moves_seen(view: View, steps: list[int]) -> tuple[Move, ...]:
    """The moves that `steps` stand for, up to the first that turns or deals cards.

    No whole run lies on top in `view`.
    """
    moves: list[Move] = []
    position = _with_aces(view)
    for step in steps:
        todo: tuple[Move, ...] = (_move_of(position.view, step),)
        while todo:
            moves += todo
            if todo == (DEAL,):
                return tuple(moves)
            position, reveals = position.play(todo[0])
            if reveals:
                return tuple(moves)
            todo = lifts(position.view)
    return tuple(moves)


def after_seen(view: View, move: Move) -> View:
    """What is seen after a move that neither turns nor deals cards."""
    return _with_aces(view).after(move).view


def lifts(view: View) -> tuple[Move, ...]:
    """The move of a whole run on top of a column to a foundation, or none (A9)."""
    for column in view.piles[:COLUMNS]:
        if len(column.cards) >= WHOLE and run_length(column.cards) == WHOLE:
            return (Move(column.id, _pile(view, "foundation", None), WHOLE),)
    return ()


def _with_aces(view: View) -> Position:
    """A position that looks like `view`: where nobody knows the card, an ace stands in for it.

    No run grows on an ace, and what follows a turn of one is not looked at.
    """
    ace = FACE[1]
    return Position(view, tuple((ace,) * pile.hidden for pile in view.piles))


def _turned(table: Interner, under: Column, card: int, hidden: int, place: int) -> Column:
    """The column where `card` lies face up on `hidden` face-down ones, and nothing on it."""
    return table.covering(card, under, hidden, place) if hidden else table.laid(under, card)


def _face_up(table: Interner, column: Column, pile: Pile, place: int) -> Column:
    """`column`, all that a turn may bring to light, under the face-up cards of `pile`."""
    for number, card in enumerate(pile.cards):
        if number == 0:
            column = _turned(table, column, CODE[card], pile.hidden, place)
        else:
            column = table.laid(column, CODE[card])
    return column


def _with_the_rest(table: Interner, columns: list[Column], view: View) -> State:
    """The state of `columns` and of what else `view` shows."""
    cells = [CODE[pile.cards[-1]] for pile in view.kind("cell") if pile.cards]
    tops = [CODE[pile.cards[-1]] for pile in view.kind("foundation") if pile.cards]
    rows = view["s"].hidden // COLUMNS
    return table.state(
        columns, table.cells(_ordered(cells)), table.foundations(_ordered(tops)), rows
    )


def _ordered(codes: list[int]) -> tuple[int, ...]:
    return tuple(sorted(codes))


def _cards(column: Column, count: int) -> tuple[Card, ...]:
    """The `count` top cards of `column`, bottom to top, turned or not."""
    cards = []
    for _ in range(count):
        cards.append(FACE[column.card])
        column = column.under
    return tuple(reversed(cards))


def _move_of(view: View, step: int) -> Move:
    """The move that a step stands for in `view`."""
    source, target, amount = step >> 12, step >> 8 & 15, step & 255
    if source == STOCK:
        return DEAL
    into = f"t{target + 1}" if target < CELL else _pile(view, "cell", None)
    if source < CELL:
        return Move(f"t{source + 1}", into, amount)
    kind = "foundation" if source == FOUNDATION else "cell"
    return Move(_pile(view, kind, FACE[amount]), into)


def _pile(view: View, kind: str, top: Card | None) -> str:
    """The first pile of a kind with `top` on top, or that is empty."""
    return next(p.id for p in view.kind(kind) if (p.cards[-1] if p.cards else None) == top)


def _lifted(position: Position, moves: list[Move]) -> Position:
    """`position` after every whole run on top of a column has gone to a foundation (A9).

    Adds the moves to `moves`.
    """
    while lift := lifts(position.view):
        moves += lift
        position = position.after(lift[0])
    return position

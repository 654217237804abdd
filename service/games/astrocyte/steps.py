"""Steps from one packed state of Astrocyte to the next, their values, and the moves they stand for.

A step is a move of the player, except that every whole run on top of a column goes to a
foundation at once, within the step. It is written `source << 12 | target << 8 | amount`, where
columns are 0 … 7, and `amount` is a number of cards from a column, a card from anywhere else.
"""

from typing import Final

from service.games.astrocyte import weights as w
from service.games.astrocyte.packed import (
    CELLS,
    COLUMNS,
    RANK_BITS,
    ROWS,
    WHOLE,
    Cells,
    Column,
    Foundations,
    State,
)
from service.games.astrocyte.table import Table

CELL: Final = COLUMNS
FOUNDATION: Final = COLUMNS + 1
STOCK: Final = COLUMNS + 2
ROW: Final = STOCK << 12
"""The step that deals a row."""

Child = tuple[int, int, int]
"""The value and the key of a state, and the step that leads to it."""


def step(source: int, target: int, amount: int) -> int:
    """How a step is written."""
    return source << 12 | target << 8 | amount


def without(column: Column, count: int) -> Column:
    """`column` less its `count` top cards."""
    for _ in range(count):
        column = column.under
    return column


def settled(
    table: Table, columns: list[Column], cells: Cells, foundations: Foundations, rows: int
) -> State:
    """The state of these parts after every whole run on top has gone to a foundation (A9).

    Changes `columns`. Without an empty foundation a run stays; no real game comes to that.
    """
    tops = foundations.tops
    for place in range(COLUMNS):
        column = columns[place]
        while column.run == WHOLE and len(tops) < COLUMNS:
            tops = (*tops, column.card)
            columns[place] = column = without(column, WHOLE)
    if len(tops) > len(foundations.tops):
        foundations = table.foundations(tuple(sorted(tops)))
    return State(columns, cells, foundations, rows)


def after(table: Table, state: State, step: int) -> State:
    """`state` after any step but `ROW`; whether the rules allow it is not asked."""
    source, target, amount = step >> 12, step >> 8 & 15, step & 255
    columns, cells, foundations = state.columns.copy(), state.cells, state.foundations
    if source < COLUMNS:
        left = columns[source]
        columns[source] = without(left, amount)
        if target < COLUMNS:
            columns[target] = table.laid(columns[target], left.card, amount)
        else:
            cells = table.with_card(cells, left.card)
    else:
        if source == CELL:
            cells = table.without_card(cells, amount)
        else:
            foundations = given_back(table, foundations, amount)
        if target < COLUMNS:
            columns[target] = table.laid(columns[target], amount, 1)
        else:
            cells = table.with_card(cells, amount)
    return settled(table, columns, cells, foundations, state.rows)


def given_back(table: Table, foundations: Foundations, top: int) -> Foundations:
    """`foundations` less one card, `top`, from a foundation that has it on top (A11)."""
    tops = list(foundations.tops)
    tops.remove(top)
    if top & RANK_BITS < WHOLE:
        tops.append(top + 1)
    return table.foundations(tuple(sorted(tops)))


def dealt(table: Table, state: State, row: list[int]) -> State:
    """`state`, which has no empty column, after `row` has been dealt (A13)."""
    columns = [table.laid(state.columns[place], row[place], 1) for place in range(COLUMNS)]
    return settled(table, columns, state.cells, state.foundations, state.rows - 1)


def children(table: Table, state: State, known: set[int], found: list[Child]) -> None:
    """Adds to `found` the states one step on whose keys are not in `known`, and to that the keys.

    Dealing is left out, and what `seldom` adds; so are a column that is moved as a whole, and all
    empty columns but the first.
    """
    _between_columns(table, state, known, found)
    if state.cells.count:
        _out_of_cells(table, state, known, found)
    if state.cells.count < CELLS:
        _into_cells(table, state, known, found)
    if state.foundations.broken:
        _given_back(table, state, state.foundations.broken, known, found)


def seldom(table: Table, state: State, known: set[int], found: list[Child]) -> None:
    """Like `children`, for steps that seldom help: what a search may try that has little left.

    Cards leave whole foundations (A11), and parts of runs go into the first empty column (A6).
    """
    whole = sorted({top for top in state.foundations.tops if top & RANK_BITS == 1})
    _given_back(table, state, whole, known, found)
    if state.gaps:
        gap = state.columns.index(table.empty)
        for source in range(COLUMNS):
            for count in range(1, state.columns[source].run):
                _in_full(table, state, step(source, gap, count), known, found)


def filled(table: Table, state: State) -> tuple[State, list[int]] | None:
    """A state without empty columns, so that a row may be dealt, and the steps that lead to it.

    Each empty column takes, of all that may go there, what leaves the best value: a card from a
    cell, a whole top run that leaves something behind, or the top of a column that is one run. A
    foundation gives a card only where these are at an end (A15). None if nothing is left to give.
    """
    steps: list[int] = []
    while state.gaps:
        gap = state.columns.index(table.empty)
        best = _filler(table, state, gap)
        if best < 0:
            tops = state.foundations.broken or state.foundations.tops[:1]
            if not tops:
                return None
            best = step(FOUNDATION, gap, tops[0])
        steps.append(best)
        state = after(table, state, best)
    return state, steps


def _filler(table: Table, state: State, gap: int) -> int:
    """The step that fills the empty column `gap` best from columns and cells, or -1."""
    columns, cells, spreads = state.columns, state.cells, table.spreads
    tops = state.tops - table.empty.bit
    best, chosen = -(1 << 40), -1
    for face in cells.faces:
        built = table.laid(table.empty, face, 1)
        value = table.without_card(cells, face).worth - cells.worth + built.worth
        value += spreads[tops + built.bit] + (state.rows - ROWS) * w.CELL_LATE
        if value > best:
            best, chosen = value, step(CELL, gap, face)
    for source in range(COLUMNS):
        left = columns[source]
        under = left.height + left.hidden - left.run
        if not left.rank or (left.run == 1 and not under):
            continue
        count = left.run if under else 1
        bared = without(left, count)
        built = table.laid(table.empty, left.card, count)
        value = bared.worth - left.worth + built.worth
        value += spreads[tops - left.bit + bared.bit + built.bit]
        value += (left.hidden - bared.hidden) * (state.rows - ROWS) * w.HIDDEN_LATE
        if value > best:
            best, chosen = value, step(source, gap, count)
    return chosen


def _between_columns(table: Table, state: State, known: set[int], found: list[Child]) -> None:
    """Adds the moves of runs onto columns, and of whole top runs into the first empty column."""
    columns = state.columns
    ranks = [column.rank for column in columns]
    gap = columns.index(table.empty) if state.gaps else -1
    late = (state.rows - ROWS) * w.HIDDEN_LATE
    spreads, plain, tops, key = table.spreads, state.plain, state.tops, state.key
    for source in range(COLUMNS):
        left = columns[source]
        lowest = ranks[source]
        highest = lowest + left.run
        for target in range(COLUMNS):
            if lowest < ranks[target] <= highest:
                count = ranks[target] - lowest
            elif target == gap and left.run < left.height + left.hidden:
                count = left.run
            else:
                continue
            shift = table.shift(left, columns[target])
            if shift.whole:
                _in_full(table, state, source << 12 | target << 8 | count, known, found)
                continue
            child = key + shift.key
            if child not in known:
                known.add(child)
                value = plain + shift.worth + late * shift.turned + spreads[tops + shift.bits]
                found.append((value, child, source << 12 | target << 8 | count))


def _out_of_cells(table: Table, state: State, known: set[int], found: list[Child]) -> None:
    """Adds the moves of cards from cells onto columns that take them, and the first empty one."""
    columns, cells, tops = state.columns, state.cells, state.tops
    ranks = [column.rank for column in columns]
    gap = columns.index(table.empty) if state.gaps else -1
    for face in cells.faces:
        fits = (face & RANK_BITS) + 1
        if fits not in ranks and gap < 0:
            continue
        fewer = table.without_card(cells, face)
        plain = state.plain - cells.worth + fewer.worth - (ROWS - state.rows) * w.CELL_LATE
        for target in range(COLUMNS):
            if ranks[target] != fits and target != gap:
                continue
            onto = columns[target]
            built = table.laid(onto, face, 1)
            if built.run == WHOLE:
                _in_full(table, state, step(CELL, target, face), known, found)
                continue
            key = state.key - cells.hash + fewer.hash - onto.hash + built.hash
            if key not in known:
                known.add(key)
                value = (
                    plain - onto.worth + built.worth + table.spreads[tops - onto.bit + built.bit]
                )
                found.append((value, key, step(CELL, target, face)))


def _into_cells(table: Table, state: State, known: set[int], found: list[Child]) -> None:
    """Adds the moves of column tops into a cell."""
    cells, tops, spreads = state.cells, state.tops, table.spreads
    dealt = ROWS - state.rows
    rest = state.key - cells.hash
    plain = state.plain - cells.worth + dealt * w.CELL_LATE
    for source in range(COLUMNS):
        left = state.columns[source]
        if not left.rank:
            continue
        bared = left.under
        if bared.run == WHOLE:
            _in_full(table, state, step(source, CELL, 1), known, found)
            continue
        more = table.with_card(cells, left.card)
        key = rest + more.hash - left.hash + bared.hash
        if key not in known:
            known.add(key)
            value = plain + more.worth - left.worth + bared.worth
            value += spreads[tops - left.bit + bared.bit]
            if bared.hidden != left.hidden:
                value -= dealt * w.HIDDEN_LATE
            found.append((value, key, source << 12 | CELL << 8 | 1))


def _given_back(
    table: Table, state: State, tops: list[int], known: set[int], found: list[Child]
) -> None:
    """Adds the moves of foundation tops onto columns that take them, and into a cell (A11)."""
    columns = state.columns
    gap = columns.index(table.empty) if state.gaps else -1
    for top in tops:
        for target in range(COLUMNS):
            if columns[target].rank - (top & RANK_BITS) == 1 or target == gap:
                _in_full(table, state, step(FOUNDATION, target, top), known, found)
        if state.cells.count < CELLS:
            _in_full(table, state, step(FOUNDATION, CELL, top), known, found)


def _in_full(table: Table, state: State, step: int, known: set[int], found: list[Child]) -> None:
    """Adds a step that is too rare or too far-reaching to be judged by what it changes."""
    child = after(table, state, step)
    if child.key not in known:
        known.add(child.key)
        found.append((child.value, child.key, step))

"""Steps from one state of Astrocyte to the next.

A step is a move of the player followed by lifting every whole run on top of a column to a
foundation. It is the int `source << 12 | target << 8 | amount`: columns are 0 … 7, and `amount` is
the number of cards from a column, or the card itself from a cell or foundation.
"""

from service.solvers.astrocyte.constants import CELL, COLUMNS, FOUNDATION, RANK_BITS, ROWS, WHOLE
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.state import Cells, Column, Foundations, State
from service.solvers.astrocyte.weights import CELL_LATE, HIDDEN_LATE


def step(source: int, target: int, amount: int) -> int:
    """Encodes a step."""
    return source << 12 | target << 8 | amount


def without(column: Column, count: int) -> Column:
    """`column` without its `count` top cards."""
    for _ in range(count):
        column = column.under
    return column


def lift_whole_runs(
    interner: Interner, columns: list[Column], cells: Cells, foundations: Foundations, rows: int
) -> State:
    """The state of these parts after every whole run on top has gone to a foundation (A9).

    Modifies `columns`. Without an empty foundation a run stays, which no real game reaches.
    """
    tops = foundations.tops
    for place in range(len(columns)):
        column = columns[place]
        while column.whole and len(tops) < COLUMNS:
            tops = (*tops, column.card)
            columns[place] = column = without(column, WHOLE)
    if len(tops) > len(foundations.tops):
        foundations = interner.foundations(tuple(sorted(tops)))
    return interner.state(columns, cells, foundations, rows)


def after(interner: Interner, state: State, step: int) -> State:
    """`state` after a legal step other than `ROW`; legality is not checked."""
    source, target, amount = step >> 12, step >> 8 & 15, step & 255
    columns, cells, foundations = list(state.columns), state.cells, state.foundations
    if source < COLUMNS:
        left = columns[source]
        columns[source] = without(left, amount)
        if target < COLUMNS:
            columns[target] = interner.push_run(columns[target], left.card, amount)
        else:
            cells = interner.with_card(cells, left.card)
    else:
        if source == CELL:
            cells = interner.without_card(cells, amount)
        else:
            foundations = without_top(interner, foundations, amount)
        if target < COLUMNS:
            columns[target] = interner.push(columns[target], amount)
        else:
            cells = interner.with_card(cells, amount)
    return lift_whole_runs(interner, columns, cells, foundations, state.rows)


def without_top(interner: Interner, foundations: Foundations, top: int) -> Foundations:
    """`foundations` after the card `top` was moved off one of them (A11)."""
    tops = list(foundations.tops)
    tops.remove(top)
    if top & RANK_BITS < WHOLE:
        tops.append(top + 1)
    return interner.foundations(tuple(sorted(tops)))


def dealt(interner: Interner, state: State, row: list[int]) -> State:
    """`state`, which has no empty column, after dealing `row` (A13)."""
    columns = list(state.columns)
    for place in range(COLUMNS):
        columns[place] = interner.push(columns[place], row[place])
    return lift_whole_runs(interner, columns, state.cells, state.foundations, state.rows - 1)


def fill_empty_columns(interner: Interner, state: State) -> tuple[State, list[int]] | None:
    """A state without empty columns, so that a row may be dealt (A13), and the steps to it.

    Greedily fills each empty column with what leaves the best value: a card from a cell, a whole
    top run with something under it, or the top of a column that is one run. Foundations give cards
    only if nothing else is left (A15). No unknown card is turned. None if there are too few cards.
    """
    steps: list[int] = []
    while state.gaps:
        gap = state.columns.index(interner.empty)
        best = _filler(interner, state, gap)
        if best < 0:
            tops = state.foundations.broken or state.foundations.tops[:1]
            if not tops:
                return None
            best = step(FOUNDATION, gap, tops[0])
        steps.append(best)
        state = after(interner, state, best)
    return state, steps


def _filler(interner: Interner, state: State, gap: int) -> int:
    """The best step from columns or cells into the empty column `gap`, or -1."""
    columns, cells = state.columns, state.cells
    tops = state.tops - interner.empty.bit
    best, chosen = -(1 << 40), -1
    for card in cells.faces:
        extended = interner.push(interner.empty, card)
        value = interner.without_card(cells, card).score - cells.score + extended.score
        value += interner.tops_score(tops + extended.bit) + (state.rows - ROWS) * CELL_LATE
        if value > best:
            best, chosen = value, step(CELL, gap, card)
    for source in range(len(columns)):
        left = columns[source]
        under = left.height + left.hidden - left.run
        if not left.rank or (left.run == 1 and not under):
            continue
        count = left.run if under else 1
        uncovered = without(left, count)
        if uncovered.unknown_top:
            continue
        extended = interner.push_run(interner.empty, left.card, count)
        value = uncovered.score - left.score + extended.score
        value += interner.tops_score(tops - left.bit + uncovered.bit + extended.bit)
        value += (left.hidden - uncovered.hidden) * (state.rows - ROWS) * HIDDEN_LATE
        if value > best:
            best, chosen = value, step(source, gap, count)
    return chosen

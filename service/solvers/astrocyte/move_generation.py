"""Steps from one packed state of Astrocyte to the next, their values, and the moves they stand for.

A step is a move of the player, except that every whole run on top of a column goes to a
foundation at once, within the step. It is written `source << 12 | target << 8 | amount`, where
columns are 0 … 7, and `amount` is a number of cards from a column, a card from anywhere else.
"""

from array import array
from typing import Final

from service.solvers.astrocyte.constants import (
    CELL,
    CELLS,
    COLUMNS,
    FOUNDATION,
    KING,
    NOISES,
    RANK_BITS,
    ROWS,
    WHOLE,
)
from service.solvers.astrocyte.interning import SWING, Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.state import CELL_HASHES, Cells, Column, Foundations, State
from service.solvers.astrocyte.weights import CELL_KING, CELL_LATE, HIDDEN_LATE

_FRESH: Final = 1 << 11
"""For how many keys of a level there is room at first."""


class Noise:
    """Misjudgements of states: `NOISES` numbers of points, of which the key of a state chooses."""

    __slots__ = ("most", "points")

    def __init__(self, points: list[int]) -> None:
        self.points: array[int] = array("q", points)
        self.most: int = max(points)

    def of(self, key: int) -> int:
        """By how many points the state with this key is misjudged."""
        return self.points[key & NOISES - 1]


class Candidates:
    """Steps that a search has come to, and the values of the states they lead to."""

    __slots__ = (
        "_most",
        "dark_steps",
        "dark_values",
        "fresh",
        "judged",
        "known",
        "least",
        "noise",
        "opened",
        "steps",
        "values",
    )

    def __init__(self, known: KeySet, noise: Noise) -> None:
        self.known: KeySet = known
        """The keys of the states that have been opened, and of those with an unknown card."""
        self.fresh: KeySet = KeySet(_FRESH)
        """The keys of the states that the steps lead to."""
        self.noise: Noise = noise
        self.least: int = -(1 << 40)
        """What a value must exceed to be of interest."""
        self._most: int = noise.most + SWING
        self.judged: int = 0
        """How many states have been judged, of interest or not."""
        self.opened: int = 0
        """The place of the state that steps are found from, written as `STEP_BITS` tells."""
        self.steps: list[int] = []
        """Where each step is from and the step, as `STEP_BITS` tells."""
        self.values: list[int] = []
        self.dark_steps: list[int] = []
        """The steps that turn a card which nobody knows; apart, as nothing follows them."""
        self.dark_values: list[int] = []

    def floor(self, state: State) -> int:
        """What a child's value less its spread must exceed, to be of interest.

        A step changes the spread by no more than `SWING`.
        """
        return self.least - self._most - (state.value - state.plain)

    def add(self, value: int, key: int, step: int) -> None:
        """Adds a step, if the state it leads to is of interest and not known."""
        value += self.noise.of(key)
        if value > self.least and not self.known.has(key) and self.fresh.add(key):
            self.values.append(value)
            self.steps.append(self.opened | step)

    def add_dark(self, value: int, key: int, step: int) -> None:
        """Adds a step that turns a card which nobody knows, if the state is not known."""
        if self.known.add(key):
            self.dark_values.append(value)
            self.dark_steps.append(self.opened | step)

    def keep(self, width: int) -> None:
        """Keeps the best `width` steps, the best first, and of equal ones those found first.

        Where there are as many, only what is better is of interest from then on.
        """
        values = self.values
        order = sorted(range(len(values)), key=values.__getitem__, reverse=True)[:width]
        self.values = [values[n] for n in order]
        self.steps = [self.steps[n] for n in order]
        if len(order) == width:
            self.least = self.values[width - 1]


def step(source: int, target: int, amount: int) -> int:
    """How a step is written."""
    return source << 12 | target << 8 | amount


def without(column: Column, count: int) -> Column:
    """`column` less its `count` top cards."""
    for _ in range(count):
        column = column.under
    return column


def lift_whole_runs(
    table: Interner, columns: list[Column], cells: Cells, foundations: Foundations, rows: int
) -> State:
    """The state of these parts after every whole run on top has gone to a foundation (A9).

    Changes `columns`. Without an empty foundation a run stays; no real game comes to that.
    """
    tops = foundations.tops
    for place in range(len(columns)):
        column = columns[place]
        while column.whole and len(tops) < COLUMNS:
            tops = (*tops, column.card)
            columns[place] = column = without(column, WHOLE)
    if len(tops) > len(foundations.tops):
        foundations = table.foundations(tuple(sorted(tops)))
    return table.state(columns, cells, foundations, rows)


def after(table: Interner, state: State, step: int) -> State:
    """`state` after any step but `ROW`; whether the rules allow it is not asked."""
    source, target, amount = step >> 12, step >> 8 & 15, step & 255
    columns, cells, foundations = list(state.columns), state.cells, state.foundations
    if source < COLUMNS:
        left = columns[source]
        columns[source] = without(left, amount)
        if target < COLUMNS:
            columns[target] = table.laid_run(columns[target], left.card, amount)
        else:
            cells = table.with_card(cells, left.card)
    else:
        if source == CELL:
            cells = table.without_card(cells, amount)
        else:
            foundations = given_back(table, foundations, amount)
        if target < COLUMNS:
            columns[target] = table.laid(columns[target], amount)
        else:
            cells = table.with_card(cells, amount)
    return lift_whole_runs(table, columns, cells, foundations, state.rows)


def given_back(table: Interner, foundations: Foundations, top: int) -> Foundations:
    """`foundations` less one card, `top`, from a foundation that has it on top (A11)."""
    tops = list(foundations.tops)
    tops.remove(top)
    if top & RANK_BITS < WHOLE:
        tops.append(top + 1)
    return table.foundations(tuple(sorted(tops)))


def dealt(table: Interner, state: State, row: list[int]) -> State:
    """`state`, which has no empty column, after `row` has been dealt (A13)."""
    columns = list(state.columns)
    for place in range(COLUMNS):
        columns[place] = table.laid(columns[place], row[place])
    return lift_whole_runs(table, columns, state.cells, state.foundations, state.rows - 1)


def expand(table: Interner, state: State, found: Candidates) -> None:
    """Adds to `found` the states one step on whose keys are not known, and the keys to those.

    Dealing is left out, and what `seldom` adds; so are a column that is moved as a whole, and all
    empty columns but the first.
    """
    _between_columns(table, state, found)
    if state.cells.count:
        _out_of_cells(table, state, found)
    if state.cells.count < CELLS:
        _into_cells(table, state, found)
    if state.foundations.broken:
        _given_back(table, state, state.foundations.broken, found)


def expand_rare(table: Interner, state: State, found: Candidates) -> None:
    """Like `children`, for steps that seldom help: what a search may try that has little left.

    Cards leave whole foundations (A11), and parts of runs go into the first empty column (A6).
    """
    whole = sorted({top for top in state.foundations.tops if top & RANK_BITS == 1})
    _given_back(table, state, whole, found)
    if state.gaps:
        gap = state.columns.index(table.empty)
        for source, column in enumerate(state.columns):
            for count in range(1, column.run):
                found.judged += 1
                _in_full(table, state, step(source, gap, count), found)


def fill_empty_columns(table: Interner, state: State) -> tuple[State, list[int]] | None:
    """A state without empty columns, so that a row may be dealt, and the steps that lead to it.

    Each empty column takes, of all that may go there, what leaves the best value: a card from a
    cell, a whole top run that leaves something behind, or the top of a column that is one run. A
    foundation gives a card only where these are at an end (A15). No card is turned that nobody
    knows. None if nothing is left to give.
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


def _filler(table: Interner, state: State, gap: int) -> int:
    """The step that fills the empty column `gap` best from columns and cells, or -1."""
    columns, cells = state.columns, state.cells
    tops = state.tops - table.empty.bit
    best, chosen = -(1 << 40), -1
    for face in cells.faces:
        built = table.laid(table.empty, face)
        value = table.without_card(cells, face).worth - cells.worth + built.worth
        value += table.spread(tops + built.bit) + (state.rows - ROWS) * CELL_LATE
        if value > best:
            best, chosen = value, step(CELL, gap, face)
    for source in range(len(columns)):
        left = columns[source]
        under = left.height + left.hidden - left.run
        if not left.rank or (left.run == 1 and not under):
            continue
        count = left.run if under else 1
        bared = without(left, count)
        if bared.dark:
            continue
        built = table.laid_run(table.empty, left.card, count)
        value = bared.worth - left.worth + built.worth
        value += table.spread(tops - left.bit + bared.bit + built.bit)
        value += (left.hidden - bared.hidden) * (state.rows - ROWS) * HIDDEN_LATE
        if value > best:
            best, chosen = value, step(source, gap, count)
    return chosen


def _between_columns(table: Interner, state: State, found: Candidates) -> None:
    """Adds the moves of runs onto columns, and of whole top runs into the first empty column."""
    columns = state.columns
    gap = columns.index(table.empty) if state.gaps else -1
    late = (state.rows - ROWS) * HIDDEN_LATE
    plain, floor, judged = state.plain, found.floor(state), 0
    for source in range(len(columns)):
        left = columns[source]
        if not state.tops & left.takers and (gap < 0 or left.single):
            continue
        lowest = left.rank
        highest = lowest + left.run
        for target in range(len(columns)):
            onto = columns[target]
            rank = onto.rank
            if lowest < rank <= highest:
                count = rank - lowest
            elif target == gap and not left.single:
                count = left.run
            else:
                continue
            judged += 1
            alone, card = count == 1, left.card
            bared = left.under if alone else without(left, count)
            built = table.laid(onto, card) if alone else table.laid_run(onto, card, count)
            if bared.whole or built.whole:
                _in_full(table, state, source << 12 | target << 8 | count, found)
                continue
            value = plain - left.worth - onto.worth + bared.worth + built.worth
            if bared.hidden < left.hidden:
                value += late
            if value <= floor and not bared.dark:
                continue
            key = state.key - left.hash - onto.hash + bared.hash + built.hash
            value += table.spread(state.tops - left.bit - onto.bit + bared.bit + built.bit)
            if bared.dark:
                found.add_dark(value, key, source << 12 | target << 8 | count)
            else:
                found.add(value, key, source << 12 | target << 8 | count)
    found.judged += judged


def _out_of_cells(table: Interner, state: State, found: Candidates) -> None:
    """Adds the moves of cards from cells onto columns that take them, and the first empty one."""
    columns, cells = state.columns, state.cells
    gap = columns.index(table.empty) if state.gaps else -1
    for face in cells.faces:
        rank, in_cell = face & RANK_BITS, CELL_HASHES[face]
        plain = state.plain + cells.less - (ROWS - state.rows) * CELL_LATE
        if rank == KING:
            plain -= CELL_KING
        for target in range(len(columns)):
            onto = columns[target]
            if onto.rank - rank != 1 and target != gap:
                continue
            found.judged += 1
            built = table.laid(onto, face)
            if built.whole:
                _in_full(table, state, step(CELL, target, face), found)
                continue
            key = state.key - in_cell - onto.hash + built.hash
            value = plain - onto.worth + built.worth
            value += table.spread(state.tops - onto.bit + built.bit)
            found.add(value, key, step(CELL, target, face))


def _into_cells(table: Interner, state: State, found: Candidates) -> None:
    """Adds the moves of column tops into a cell."""
    columns = state.columns
    dealt = ROWS - state.rows
    plain = state.plain + state.cells.more + dealt * CELL_LATE
    floor = found.floor(state)
    for source in range(len(columns)):
        left = columns[source]
        if not left.rank:
            continue
        found.judged += 1
        bared = left.under
        if bared.whole:
            _in_full(table, state, step(source, CELL, 1), found)
            continue
        value = plain - left.worth + bared.worth
        if left.rank == KING:
            value += CELL_KING
        if bared.hidden < left.hidden:
            value -= dealt * HIDDEN_LATE
        if value <= floor and not bared.dark:
            continue
        in_cell = CELL_HASHES[left.card]
        key = state.key + in_cell - left.hash + bared.hash
        value += table.spread(state.tops - left.bit + bared.bit)
        if bared.dark:
            found.add_dark(value, key, step(source, CELL, 1))
        else:
            found.add(value, key, step(source, CELL, 1))


def _given_back(table: Interner, state: State, tops: list[int], found: Candidates) -> None:
    """Adds the moves of foundation tops onto columns that take them, and into a cell (A11)."""
    columns = state.columns
    gap = columns.index(table.empty) if state.gaps else -1
    for top in tops:
        for target in range(len(columns)):
            if columns[target].rank - (top & RANK_BITS) == 1 or target == gap:
                found.judged += 1
                _in_full(table, state, step(FOUNDATION, target, top), found)
        if state.cells.count < CELLS:
            found.judged += 1
            _in_full(table, state, step(FOUNDATION, CELL, top), found)


def _in_full(table: Interner, state: State, step: int, found: Candidates) -> None:
    """Adds a step that is too rare or too far-reaching to be judged by what it changes."""
    child = after(table, state, step)
    dark = False
    for column in child.columns:
        dark = dark or column.dark
    if dark:
        found.add_dark(child.value, child.key, step)
    else:
        found.add(child.value, child.key, step)

"""Generates and evaluates the steps from one state of Astrocyte to the next."""

from array import array
from typing import Final

from service.solvers.astrocyte.constants import (
    CELL,
    CELLS,
    FOUNDATION,
    KING,
    NOISES,
    RANK_BITS,
    ROWS,
)
from service.solvers.astrocyte.interning import MAX_TOPS_CHANGE, Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.state import CELL_HASHES, State
from service.solvers.astrocyte.steps import after, step, without
from service.solvers.astrocyte.weights import CELL_KING, CELL_LATE, HIDDEN_LATE

_FRESH: Final = 1 << 11
"""Initial capacity for the keys of one level."""


class Noise:
    """Evaluation noise: the key of a state selects one of `NOISES` offsets in points."""

    __slots__ = ("max_points", "points")

    def __init__(self, points: list[int]) -> None:
        self.points: array[int] = array("q", points)
        self.max_points: int = max(points)

    def of(self, key: int) -> int:
        """By how many points the state with this key is noise."""
        return self.points[key & NOISES - 1]


class Candidates:
    """The steps found from the states of one beam, and the values of the states they lead to."""

    __slots__ = (
        "_max_change",
        "evaluated",
        "fresh",
        "known",
        "noise",
        "origin",
        "steps",
        "threshold",
        "unknown_steps",
        "unknown_values",
        "values",
    )

    def __init__(self, known: KeySet, noise: Noise) -> None:
        self.known: KeySet = known
        """Keys of states that were expanded, or that turn an unknown card."""
        self.fresh: KeySet = KeySet(_FRESH)
        """Keys of the states that the steps lead to."""
        self.noise: Noise = noise
        self.threshold: int = -(1 << 40)
        """Steps with a value up to this are dropped."""
        self._max_change: int = noise.max_points + MAX_TOPS_CHANGE
        self.evaluated: int = 0
        """Number of states evaluated, including dropped ones."""
        self.origin: int = 0
        """Index in the beam of the state being expanded, shifted left by `STEP_BITS`."""
        self.steps: list[int] = []
        """Each step, combined with its `origin`."""
        self.values: list[int] = []
        self.unknown_steps: list[int] = []
        """Steps that turn an unknown card; kept apart, as the search ends there."""
        self.unknown_values: list[int] = []

    def floor(self, state: State) -> int:
        """A lower bound for the base value of children of `state` that can pass the threshold."""
        return self.threshold - self._max_change - (state.value - state.base_value)

    def add(self, value: int, key: int, step: int) -> None:
        """Adds a step if its value, with noise, passes the threshold and its state is new."""
        value += self.noise.of(key)
        if value > self.threshold and not self.known.has(key) and self.fresh.add(key):
            self.values.append(value)
            self.steps.append(self.origin | step)

    def add_unknown(self, value: int, key: int, step: int) -> None:
        """Adds a step that turns an unknown card, if its state is new."""
        if self.known.add(key):
            self.unknown_values.append(value)
            self.unknown_steps.append(self.origin | step)

    def keep(self, width: int) -> None:
        """Keeps the best `width` steps in descending order; ties keep the order of discovery.

        Once `width` steps are kept, the worst of them is the new threshold.
        """
        values = self.values
        order = sorted(range(len(values)), key=values.__getitem__, reverse=True)[:width]
        self.values = [values[n] for n in order]
        self.steps = [self.steps[n] for n in order]
        if len(order) == width:
            self.threshold = self.values[width - 1]


def expand(interner: Interner, state: State, found: Candidates) -> None:
    """Adds to `found` the steps from `state` that are usually worth searching.

    Left out: dealing a row, the steps of `expand_rare`, moving a whole column to an empty one, and
    every empty column but the first.
    """
    _between_columns(interner, state, found)
    if state.cells.count:
        _out_of_cells(interner, state, found)
    if state.cells.count < CELLS:
        _into_cells(interner, state, found)
    if state.foundations.broken:
        _from_foundations(interner, state, state.foundations.broken, found)


def expand_rare(interner: Interner, state: State, found: Candidates) -> None:
    """Adds steps that seldom help, for a search that has found few others.

    Cards leave whole foundations (A11), and parts of runs go to the first empty column (A6).
    """
    whole = sorted({top for top in state.foundations.tops if top & RANK_BITS == 1})
    _from_foundations(interner, state, whole, found)
    if state.gaps:
        gap = state.columns.index(interner.empty)
        for source, column in enumerate(state.columns):
            for count in range(1, column.run):
                found.evaluated += 1
                _add_rebuilt(interner, state, step(source, gap, count), found)


def _between_columns(interner: Interner, state: State, found: Candidates) -> None:
    """Adds moves of runs onto columns, and of whole top runs to the first empty column."""
    columns = state.columns
    gap = columns.index(interner.empty) if state.gaps else -1
    late = (state.rows - ROWS) * HIDDEN_LATE
    base_value, floor, evaluated = state.base_value, found.floor(state), 0
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
            evaluated += 1
            alone, card = count == 1, left.card
            uncovered = left.under if alone else without(left, count)
            extended = interner.push(onto, card) if alone else interner.push_run(onto, card, count)
            if uncovered.whole or extended.whole:
                _add_rebuilt(interner, state, source << 12 | target << 8 | count, found)
                continue
            value = base_value - left.score - onto.score + uncovered.score + extended.score
            if uncovered.hidden < left.hidden:
                value += late
            if value <= floor and not uncovered.unknown_top:
                continue
            key = state.key - left.hash - onto.hash + uncovered.hash + extended.hash
            value += interner.tops_score(
                state.tops - left.bit - onto.bit + uncovered.bit + extended.bit
            )
            if uncovered.unknown_top:
                found.add_unknown(value, key, source << 12 | target << 8 | count)
            else:
                found.add(value, key, source << 12 | target << 8 | count)
    found.evaluated += evaluated


def _out_of_cells(interner: Interner, state: State, found: Candidates) -> None:
    """Adds moves from cells onto columns, and to the first empty one."""
    columns, cells = state.columns, state.cells
    gap = columns.index(interner.empty) if state.gaps else -1
    for card in cells.faces:
        rank, in_cell = card & RANK_BITS, CELL_HASHES[card]
        base_value = state.base_value + cells.removed_score - (ROWS - state.rows) * CELL_LATE
        if rank == KING:
            base_value -= CELL_KING
        for target in range(len(columns)):
            onto = columns[target]
            if onto.rank - rank != 1 and target != gap:
                continue
            found.evaluated += 1
            extended = interner.push(onto, card)
            if extended.whole:
                _add_rebuilt(interner, state, step(CELL, target, card), found)
                continue
            key = state.key - in_cell - onto.hash + extended.hash
            value = base_value - onto.score + extended.score
            value += interner.tops_score(state.tops - onto.bit + extended.bit)
            found.add(value, key, step(CELL, target, card))


def _into_cells(interner: Interner, state: State, found: Candidates) -> None:
    """Adds moves of column tops to a cell."""
    columns = state.columns
    dealt = ROWS - state.rows
    base_value = state.base_value + state.cells.added_score + dealt * CELL_LATE
    floor = found.floor(state)
    for source in range(len(columns)):
        left = columns[source]
        if not left.rank:
            continue
        found.evaluated += 1
        uncovered = left.under
        if uncovered.whole:
            _add_rebuilt(interner, state, step(source, CELL, 1), found)
            continue
        value = base_value - left.score + uncovered.score
        if left.rank == KING:
            value += CELL_KING
        if uncovered.hidden < left.hidden:
            value -= dealt * HIDDEN_LATE
        if value <= floor and not uncovered.unknown_top:
            continue
        in_cell = CELL_HASHES[left.card]
        key = state.key + in_cell - left.hash + uncovered.hash
        value += interner.tops_score(state.tops - left.bit + uncovered.bit)
        if uncovered.unknown_top:
            found.add_unknown(value, key, step(source, CELL, 1))
        else:
            found.add(value, key, step(source, CELL, 1))


def _from_foundations(interner: Interner, state: State, tops: list[int], found: Candidates) -> None:
    """Adds moves of foundation tops onto columns, and to a cell (A11)."""
    columns = state.columns
    gap = columns.index(interner.empty) if state.gaps else -1
    for top in tops:
        for target in range(len(columns)):
            if columns[target].rank - (top & RANK_BITS) == 1 or target == gap:
                found.evaluated += 1
                _add_rebuilt(interner, state, step(FOUNDATION, target, top), found)
        if state.cells.count < CELLS:
            found.evaluated += 1
            _add_rebuilt(interner, state, step(FOUNDATION, CELL, top), found)


def _add_rebuilt(interner: Interner, state: State, step: int, found: Candidates) -> None:
    """Adds a step by building its state, where an incremental evaluation is not worth its code."""
    child = after(interner, state, step)
    has_unknown_top = False
    for column in child.columns:
        has_unknown_top = has_unknown_top or column.unknown_top
    if has_unknown_top:
        found.add_unknown(child.value, child.key, step)
    else:
        found.add(child.value, child.key, step)

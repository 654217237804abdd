"""Creates each distinct column, cells and foundations of one search once (hash-consing)."""

from typing import Final

from service.solvers.astrocyte.constants import KING, RANK_BITS, ROWS, WHOLE
from service.solvers.astrocyte.state import Cells, Column, Foundations, State, mix_hash
from service.solvers.astrocyte.weights import (
    BASE_KING,
    BASE_LACK,
    BREAK,
    BURIED_KING,
    CELL_LATE,
    DIGGING,
    DISTINCT_TOP,
    FIRST_EMPTY,
    FITTING,
    HIDDEN,
    HIDDEN_COLUMN,
    HIDDEN_LATE,
    HIDDEN_SQUARED,
    INVERTED,
    KING_RUN,
    MORE_EMPTY,
    ROW_LEFT,
    RUN_SQUARED,
    SEQUENCE,
    SUITED,
    UNSEEN,
)

_ROOT_SALT: Final = 3 << 20
_TOP_ONES: Final = sum(1 << 4 * rank for rank in range(1, KING + 1))
MAX_TOPS_CHANGE: Final = DISTINCT_TOP + FIRST_EMPTY - MORE_EMPTY
"""The most by which one step can change `Interner.tops_score`."""


class Interner:
    """Keeps the columns, cells and foundations of one search; equal parts are one object."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, ...], Cells] = {}
        self._added: dict[int, Cells] = {}
        self._removed: dict[int, Cells] = {}
        self._foundations: dict[tuple[int, ...], Foundations] = {}
        self._columns: list[Column] = []
        self.empty: Column = self._column(0, None)
        self.empty.hash = mix_hash(_ROOT_SALT)
        self.empty.score = MORE_EMPTY
        self.empty.bit = 1

    def __del__(self) -> None:
        """Breaks the reference cycles between columns: they are freed without garbage collection.

        A column that is still referenced keeps its cards, but not its children.
        """
        for column in self._columns:
            column.child = column.sibling = None

    def _column(self, card: int, under: Column | None) -> Column:
        """A new column with only its top card and `under` set."""
        column = Column(card, under)
        self._columns.append(column)
        return column

    def push(self, column: Column, card: int) -> Column:
        """`column` with `card` on it."""
        found = column.child
        while found is not None and found.card != card:
            found = found.sibling
        if found is None:
            found = self._new_column(column, card)
            found.sibling, column.child = column.child, found
        return found

    def push_run(self, column: Column, card: int, count: int) -> Column:
        """`column` with a run of `count` cards on it that ends in `card`."""
        for each in range(card + count - 1, card - 1, -1):
            column = self.push(column, each)
        return column

    def push_on_hidden(self, card: int, under: Column, hidden: int, place: int) -> Column:
        """A new column: `card` face up on `hidden` face-down cards, at least 1.

        `under` is the column after the next card is turned, with a known or an unknown top.
        `place` gives columns with different face-down cards different hashes.
        """
        column = self._column(card, under)
        column.hidden = hidden
        column.single = False
        column.height = column.run = column.sequence = 1
        column.hash = mix_hash(_ROOT_SALT + (place << 10 | hidden << 6 | card))
        column.score = HIDDEN * hidden + HIDDEN_SQUARED * hidden * hidden + HIDDEN_COLUMN
        column.score += BREAK + DIGGING
        if column.rank == KING:
            column.score += BURIED_KING * hidden
        return column

    def column_with_unknown_top(self, hidden: int) -> Column:
        """A new column of `hidden` face-down cards, of which the top is about to be turned."""
        column = self._column(0, None)
        column.hidden = hidden
        column.single = False
        column.unknown_top = True
        column.hash = mix_hash(_ROOT_SALT + (hidden << 6))
        left = hidden - 1
        column.score = UNSEEN + HIDDEN * left + HIDDEN_SQUARED * left * left
        column.score += HIDDEN_COLUMN + BREAK if left else 6 * BASE_LACK
        return column

    def state(
        self, columns: list[Column], cells: Cells, foundations: Foundations, rows: int
    ) -> State:
        """The state of these parts; it takes over the list `columns`."""
        dealt = ROWS - rows
        tops = hidden = 0
        key = cells.hash + foundations.hash
        base_value = (
            cells.score + foundations.score + rows * ROW_LEFT + dealt * CELL_LATE * cells.count
        )
        for column in columns:
            tops += column.bit
            key += column.hash
            base_value += column.score
            hidden += column.hidden
        base_value += dealt * HIDDEN_LATE * hidden
        state = State.__new__(State)
        state.columns, state.cells, state.foundations = columns, cells, foundations
        state.rows, state.tops, state.gaps, state.key = rows, tops, tops & RANK_BITS, key
        state.base_value, state.value = base_value, base_value + self.tops_score(tops)
        return state

    def tops_score(self, tops: int) -> int:
        """The score for distinct ranks among the column tops and for the first empty column."""
        ranks = (tops | tops >> 1 | tops >> 2 | tops >> 3) & _TOP_ONES
        # `ranks` has hexadecimal digits 0 and 1: their sum is the remainder modulo 15.
        score = DISTINCT_TOP * (ranks % 15)
        return score + FIRST_EMPTY - MORE_EMPTY if tops & RANK_BITS else score

    def cells(self, cards: tuple[int, ...]) -> Cells:
        """The cells that hold `cards`, which are sorted."""
        found = self._cells.get(cards)
        if found is None:
            found = self._cells[cards] = Cells(len(self._cells), cards)
        return found

    def with_card(self, cells: Cells, card: int) -> Cells:
        """`cells` with `card` added."""
        key = cells.number << 6 | card
        found = self._added.get(key)
        if found is None:
            found = self._added[key] = self.cells(tuple(sorted((*cells.cards, card))))
        return found

    def without_card(self, cells: Cells, card: int) -> Cells:
        """`cells` with one `card` removed, which must be there."""
        key = cells.number << 6 | card
        found = self._removed.get(key)
        if found is None:
            kept = list(cells.cards)
            kept.remove(card)
            found = self._removed[key] = self.cells(tuple(kept))
        return found

    def foundations(self, tops: tuple[int, ...]) -> Foundations:
        """The foundations with these sorted top cards."""
        found = self._foundations.get(tops)
        if found is None:
            found = self._foundations[tops] = Foundations(tops)
        return found

    def _new_column(self, under: Column, card: int) -> Column:
        """A new column: `under` with `card` on it."""
        column = self._column(card, under)
        rank, score = column.rank, under.score
        column.hidden = under.hidden
        column.height = under.height + 1
        column.lowest = min(under.lowest, rank)
        column.hash = mix_hash(under.hash << 6 | card)
        column.run = column.sequence = 1
        column.single = under.height + under.hidden == 0
        if under.height == 0:
            column.lowest = rank
            column.from_king = rank == KING
            score = BASE_KING if rank == KING else BASE_LACK * (KING - rank)
        elif under.card - card == 1:
            column.run = run = under.run + 1
            column.whole = run == WHOLE
            column.sequence = under.sequence + 1
            column.takers |= under.takers
            column.from_king = under.from_king
            column.single = under.single
            score += SUITED + RUN_SQUARED * (4 if run == 2 else 2 * run - 1)
            score += KING_RUN if under.from_king else 0
        elif under.rank - rank == 1:
            column.sequence = under.sequence + 1
            score += FITTING
        else:
            score += BREAK + SEQUENCE * under.sequence
            score += INVERTED * max(0, rank - under.lowest)
            score += BURIED_KING * (column.hidden + under.height) if rank == KING else 0
        if column.hidden and column.run == 1:
            score += DIGGING
        column.score = score
        return column

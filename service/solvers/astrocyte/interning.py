"""The columns, cells and foundations of one search, each made once, and what becomes of them."""

from typing import Final

from service.solvers.astrocyte.constants import KING, RANK_BITS, ROWS, WHOLE
from service.solvers.astrocyte.state import Cells, Column, Foundations, State, mixed
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
SWING: Final = DISTINCT_TOP + FIRST_EMPTY - MORE_EMPTY
"""By how much a step can change the worth of the column tops together."""


class Interner:
    """Where the columns, cells and foundations of one search are kept, each only once.

    It grows with the search and is thrown away with it.
    """

    def __init__(self) -> None:
        self._cells: dict[tuple[int, ...], Cells] = {}
        self._more: dict[int, Cells] = {}
        self._fewer: dict[int, Cells] = {}
        self._foundations: dict[tuple[int, ...], Foundations] = {}
        self._columns: list[Column] = []
        self.empty: Column = self._column(0, None)
        self.empty.hash = mixed(_ROOT_SALT)
        self.empty.worth = MORE_EMPTY
        self.empty.bit = 1

    def __del__(self) -> None:
        """Parts the columns, which know one another in circles, so that none waits for a collector.

        Who still holds one has its cards; what becomes of it is forgotten.
        """
        for column in self._columns:
            column.laid = column.other = None

    def _column(self, card: int, under: Column | None) -> Column:
        """A new column, of which hardly more than the top card has been told yet."""
        column = Column(card, under)
        self._columns.append(column)
        return column

    def laid(self, column: Column, card: int) -> Column:
        """`column` with `card` on it."""
        found = column.laid
        while found is not None and found.card != card:
            found = found.other
        if found is None:
            found = self._on(column, card)
            found.other, column.laid = column.laid, found
        return found

    def laid_run(self, column: Column, card: int, count: int) -> Column:
        """`column` with a run of `count` cards on it, of which `card` comes to lie on top."""
        for each in range(card + count - 1, card - 1, -1):
            column = self.laid(column, each)
        return column

    def covering(self, card: int, under: Column, hidden: int, place: int) -> Column:
        """The column where `card` alone lies face up on `hidden` cards, 1 or more, face down.

        `under` is what a turn of the next one leads to: a column that is known, or a dark one.
        `place` keeps columns with other cards under them apart.
        """
        column = self._column(card, under)
        column.hidden = hidden
        column.single = False
        column.height = column.run = column.sequence = 1
        column.hash = mixed(_ROOT_SALT + (place << 10 | hidden << 6 | card))
        column.worth = HIDDEN * hidden + HIDDEN_SQUARED * hidden * hidden + HIDDEN_COLUMN
        column.worth += BREAK + DIGGING
        if column.rank == KING:
            column.worth += BURIED_KING * hidden
        return column

    def dark(self, hidden: int) -> Column:
        """The column of which no face-up card is left, of `hidden` cards, 1 or more.

        Its top is about to be turned, and may be any card that has not been seen.
        """
        column = self._column(0, None)
        column.hidden = hidden
        column.single = False
        column.dark = True
        column.hash = mixed(_ROOT_SALT + (hidden << 6))
        left = hidden - 1
        column.worth = UNSEEN + HIDDEN * left + HIDDEN_SQUARED * left * left
        column.worth += HIDDEN_COLUMN + BREAK if left else 6 * BASE_LACK
        return column

    def state(
        self, columns: list[Column], cells: Cells, foundations: Foundations, rows: int
    ) -> State:
        """The state of these parts; `columns` is its own from now on."""
        dealt = ROWS - rows
        tops = hidden = 0
        key = cells.hash + foundations.hash
        plain = cells.worth + foundations.worth + rows * ROW_LEFT + dealt * CELL_LATE * cells.count
        for column in columns:
            tops += column.bit
            key += column.hash
            plain += column.worth
            hidden += column.hidden
        plain += dealt * HIDDEN_LATE * hidden
        state = State.__new__(State)
        state.columns, state.cells, state.foundations = columns, cells, foundations
        state.rows, state.tops, state.gaps, state.key = rows, tops, tops & RANK_BITS, key
        state.plain, state.value = plain, plain + self.spread(tops)
        return state

    def spread(self, tops: int) -> int:
        """The worth of the column tops together: different ranks, and an empty column."""
        ranks = (tops | tops >> 1 | tops >> 2 | tops >> 3) & _TOP_ONES
        # Digits to the base 16, ones and zeros: their sum is the remainder after division by 15.
        found = DISTINCT_TOP * (ranks % 15)
        return found + FIRST_EMPTY - MORE_EMPTY if tops & RANK_BITS else found

    def cells(self, cards: tuple[int, ...]) -> Cells:
        """The cells with `cards` in them, in order."""
        found = self._cells.get(cards)
        if found is None:
            found = self._cells[cards] = Cells(len(self._cells), cards)
        return found

    def with_card(self, cells: Cells, card: int) -> Cells:
        """`cells` and one card more."""
        name = cells.number << 6 | card
        found = self._more.get(name)
        if found is None:
            found = self._more[name] = self.cells(tuple(sorted((*cells.cards, card))))
        return found

    def without_card(self, cells: Cells, card: int) -> Cells:
        """`cells` less one card that is in them."""
        name = cells.number << 6 | card
        found = self._fewer.get(name)
        if found is None:
            kept = list(cells.cards)
            kept.remove(card)
            found = self._fewer[name] = self.cells(tuple(kept))
        return found

    def foundations(self, tops: tuple[int, ...]) -> Foundations:
        """The foundations with these top cards, in order."""
        found = self._foundations.get(tops)
        if found is None:
            found = self._foundations[tops] = Foundations(tops)
        return found

    def _on(self, under: Column, card: int) -> Column:
        """A new column: `under` with `card` on it."""
        column = self._column(card, under)
        rank, worth = column.rank, under.worth
        column.hidden = under.hidden
        column.height = under.height + 1
        column.lowest = min(under.lowest, rank)
        column.hash = mixed(under.hash << 6 | card)
        column.run = column.sequence = 1
        column.single = under.height + under.hidden == 0
        if under.height == 0:
            column.lowest = rank
            column.from_king = rank == KING
            worth = BASE_KING if rank == KING else BASE_LACK * (KING - rank)
        elif under.card - card == 1:
            column.run = run = under.run + 1
            column.whole = run == WHOLE
            column.sequence = under.sequence + 1
            column.takers |= under.takers
            column.from_king = under.from_king
            column.single = under.single
            worth += SUITED + RUN_SQUARED * (4 if run == 2 else 2 * run - 1)
            worth += KING_RUN if under.from_king else 0
        elif under.rank - rank == 1:
            column.sequence = under.sequence + 1
            worth += FITTING
        else:
            worth += BREAK + SEQUENCE * under.sequence
            worth += INVERTED * max(0, rank - under.lowest)
            worth += BURIED_KING * (column.hidden + under.height) if rank == KING else 0
        if column.hidden and column.run == 1:
            worth += DIGGING
        column.worth = worth
        return column

"""The columns, cells and foundations of one search, each made once, and what becomes of them."""

from typing import Final

from service.games.astrocyte.packed import Cells, Column, Foundations, Shift, State, mixed
from service.games.astrocyte.sizes import KING, RANK_BITS, ROWS, WHOLE
from service.games.astrocyte.weights import (
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


class Table:
    """Where the columns, cells and foundations of one search are kept, each only once.

    It grows with the search and is thrown away with it.
    """

    def __init__(self) -> None:
        self._cells: dict[tuple[int, ...], Cells] = {}
        self._more: dict[int, Cells] = {}
        self._fewer: dict[int, Cells] = {}
        self._foundations: dict[tuple[int, ...], Foundations] = {}
        self._columns: list[Column] = []
        self.empty: Column = Column(0, None)
        self.empty.hash = mixed(_ROOT_SALT)
        self.empty.worth = MORE_EMPTY
        self.empty.bit = 1
        self._columns.append(self.empty)

    def __del__(self) -> None:
        """Parts the columns, which know one another in circles, so that none waits for a collector.

        Who still holds one has its cards; what becomes of it is forgotten.
        """
        for column in self._columns:
            column.laid.clear()
            column.shifts.clear()

    def laid(self, column: Column, card: int, count: int) -> Column:
        """`column` with a run of `count` cards on it, of which `card` comes to lie on top."""
        name = count << 6 | card
        found = column.laid.get(name)
        if found is None:
            if count == 1:
                found = _on(column, card)
                self._columns.append(found)
            else:
                found = self.laid(self.laid(column, card + 1, count - 1), card, 1)
            column.laid[name] = found
        return found

    def shift(self, left: Column, onto: Column) -> Shift:
        """What it changes to move a run from `left` onto `onto`: of the only count that fits.

        Onto the empty column, the whole top run goes.
        """
        found = left.shifts.get(onto)
        if found is None:
            count = onto.rank - left.rank if onto.rank else left.run
            bared = left
            for _ in range(count):
                bared = bared.under
            built = self.laid(onto, left.card, count)
            left.shifts[onto] = found = Shift()
            found.key = bared.hash + built.hash - left.hash - onto.hash
            found.worth = bared.worth + built.worth - left.worth - onto.worth
            found.bits = bared.bit + built.bit - left.bit - onto.bit
            found.turned = bared.hidden < left.hidden
            found.dark = bared.dark
            found.whole = bared.whole or built.whole
        return found

    def covering(self, card: int, under: Column, hidden: int, place: int) -> Column:
        """The column where `card` alone lies face up on `hidden` cards, 1 or more, face down.

        `under` is what a turn of the next one leads to: a column that is known, or a dark one.
        `place` keeps columns with other cards under them apart.
        """
        column = Column(card, under)
        column.hidden = hidden
        column.single = False
        column.height = column.run = column.sequence = 1
        column.hash = mixed(_ROOT_SALT + (place << 10 | hidden << 6 | card))
        column.worth = HIDDEN * hidden + HIDDEN_SQUARED * hidden * hidden + HIDDEN_COLUMN
        column.worth += BREAK + DIGGING
        if column.rank == KING:
            column.worth += BURIED_KING * hidden
        self._columns.append(column)
        return column

    def dark(self, hidden: int) -> Column:
        """The column of which no face-up card is left, of `hidden` cards, 1 or more.

        Its top is about to be turned, and may be any card that has not been seen.
        """
        column = Column(0, None)
        column.hidden = hidden
        column.single = False
        column.dark = True
        column.hash = mixed(_ROOT_SALT + (hidden << 6))
        left = hidden - 1
        column.worth = UNSEEN + HIDDEN * left + HIDDEN_SQUARED * left * left
        column.worth += HIDDEN_COLUMN + BREAK if left else 6 * BASE_LACK
        self._columns.append(column)
        return column

    def state(
        self, columns: list[Column], cells: Cells, foundations: Foundations, rows: int
    ) -> State:
        """The state of these parts; `columns` is its own from now on."""
        state = State(columns, cells, foundations, rows)
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
        state.tops, state.key, state.plain = tops, key, plain
        state.value = plain + self.spread(tops)
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


def _on(under: Column, card: int) -> Column:
    """A new column: `under` with `card` on it."""
    column = Column(card, under)
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

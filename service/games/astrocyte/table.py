"""The columns, cells and foundations of one search, each made once, and what becomes of them."""

from typing import Final

from service.games.astrocyte import weights as w
from service.games.astrocyte.packed import (
    KING,
    WHOLE,
    Cells,
    Column,
    Foundations,
    mixed,
    spread,
)

_ROOT_SALT: Final = 3 << 20


class Shift:
    """What a run moved between two columns changes in a state."""

    __slots__ = ("bits", "key", "turned", "whole", "worth")

    def __init__(self, left: Column, onto: Column, bared: Column, built: Column) -> None:
        self.key: int = bared.hash + built.hash - left.hash - onto.hash
        self.worth: int = bared.worth + built.worth - left.worth - onto.worth
        self.bits: int = bared.bit + built.bit - left.bit - onto.bit
        self.turned: int = left.hidden - bared.hidden
        """How many cards are turned, 0 or 1."""
        self.whole: bool = WHOLE in (bared.run, built.run)
        """Whether a whole run comes to lie on top."""


class Spreads(dict[int, int]):
    """`spread` of every counter of tops that has been asked for."""

    def __missing__(self, tops: int) -> int:
        found = self[tops] = spread(tops)
        return found


class Table:
    """Where the columns, cells and foundations of one search are kept, each only once.

    It grows with the search and is thrown away with it.
    """

    def __init__(self) -> None:
        self._columns: dict[int, Column] = {}
        self._shifts: dict[int, Shift] = {}
        self._cells: dict[tuple[int, ...], Cells] = {}
        self._more: dict[int, Cells] = {}
        self._fewer: dict[int, Cells] = {}
        self.spreads: Spreads = Spreads()
        self._foundations: dict[tuple[int, ...], Foundations] = {}
        self._number: int = 0
        self.empty: Column = Column(0, 0, None)
        self.empty.hash = mixed(_ROOT_SALT)
        self.empty.worth = w.MORE_EMPTY
        self.empty.bit = 1

    def laid(self, column: Column, card: int, count: int) -> Column:
        """`column` with a run of `count` cards on it, of which `card` comes to lie on top."""
        name = column.number << 10 | count << 6 | card
        found = self._columns.get(name)
        if found is None:
            if count == 1:
                found = self._on(column, card)
            else:
                found = self.laid(self.laid(column, card + 1, count - 1), card, 1)
            self._columns[name] = found
        return found

    def shift(self, left: Column, onto: Column) -> Shift:
        """What it changes to move a run from `left` onto `onto`: of the only count that fits.

        Onto the empty column, the whole top run goes.
        """
        name = left.number << 32 | onto.number
        found = self._shifts.get(name)
        if found is None:
            count = onto.rank - left.rank if onto.rank else left.run
            bared = left
            for _ in range(count):
                bared = bared.under
            found = Shift(left, onto, bared, self.laid(onto, left.card, count))
            self._shifts[name] = found
        return found

    def _on(self, under: Column, card: int) -> Column:
        """A new column: `under` with `card` on it."""
        self._number += 1
        column = Column(self._number, card, under)
        rank, worth = column.rank, under.worth
        column.hidden = under.hidden
        column.height = under.height + 1
        column.lowest = min(under.lowest, rank)
        column.hash = mixed(under.hash << 6 | card)
        column.run = column.sequence = 1
        if under.height == 0:
            column.lowest = rank
            column.from_king = rank == KING
            worth = w.BASE_KING if rank == KING else w.BASE_LACK * (KING - rank)
        elif under.card - card == 1:
            column.run = run = under.run + 1
            column.sequence = under.sequence + 1
            column.from_king = under.from_king
            worth += w.SUITED + w.RUN_SQUARED * (4 if run == 2 else 2 * run - 1)
            worth += w.KING_RUN if under.from_king else 0
        elif under.rank - rank == 1:
            column.sequence = under.sequence + 1
            worth += w.FITTING
        else:
            worth += w.BREAK + w.SEQUENCE * under.sequence
            worth += w.INVERTED * max(0, rank - under.lowest)
            worth += w.BURIED_KING * (column.hidden + under.height) if rank == KING else 0
        if column.hidden and column.run == 1:
            worth += w.DIGGING
        column.worth = worth
        return column

    def covering(self, card: int, under: Column, hidden: int, place: int) -> Column:
        """The column where `card` alone lies face up on `hidden` cards, 1 or more, face down.

        `under` is what a turn of the next one leads to: a column that is known, or a dark one.
        `place` keeps columns with other cards under them apart.
        """
        self._number += 1
        column = Column(self._number, card, under)
        column.hidden = hidden
        column.height = column.run = column.sequence = 1
        column.hash = mixed(_ROOT_SALT + (place << 10 | hidden << 6 | card))
        column.worth = w.HIDDEN * hidden + w.HIDDEN_SQUARED * hidden * hidden + w.HIDDEN_COLUMN
        column.worth += w.BREAK + w.DIGGING
        if column.rank == KING:
            column.worth += w.BURIED_KING * hidden
        return column

    def dark(self, hidden: int) -> Column:
        """The column of which no face-up card is left, of `hidden` cards, 1 or more.

        Its top is about to be turned, and may be any card that has not been seen.
        """
        self._number += 1
        column = Column(self._number, 0, None)
        column.hidden = hidden
        column.hash = mixed(_ROOT_SALT + (hidden << 6))
        left = hidden - 1
        column.worth = w.UNSEEN + w.HIDDEN * left + w.HIDDEN_SQUARED * left * left
        column.worth += w.HIDDEN_COLUMN + w.BREAK if left else 6 * w.BASE_LACK
        return column

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

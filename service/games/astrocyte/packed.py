"""The packed twin of an Astrocyte position, for search: small ints, and parts that are shared.

A column never changes: it is a top card and the column under it. Each different column exists
once in a `Table`, with its worth and its hash, so that a state is eight references and a copy
costs next to nothing. Plain classes, lists and ints throughout, fit to be compiled as they stand.

A card is `suit << 4 | rank`, suits 0 … 3 as in `SUITS`, ranks 1 … 13: in a run, the card under
is greater by one. No card is 0.
"""

from typing import Final

from service.games.astrocyte import weights as w

COLUMNS: Final = 8
CELLS: Final = 4
ROWS: Final = 5
WHOLE: Final = 13
KING: Final = 13
RANK_BITS: Final = 15

_WORD: Final = (1 << 64) - 1
_KEY_BITS: Final = (1 << 58) - 1
_CELL_SALT: Final = 1 << 20
_FOUNDATION_SALT: Final = 2 << 20
_ROOT_SALT: Final = 3 << 20
_TOP_ONES: Final = sum(1 << 4 * rank for rank in range(1, KING + 1))


def mixed(number: int) -> int:
    """A 58-bit number that looks random and depends on `number` alone; small enough to add up."""
    number = (number + 0x9E3779B97F4A7C15) & _WORD
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _WORD
    return (number ^ (number >> 31)) & _KEY_BITS


class Column:
    """A column of the tableau: its top card, and `under`, the column without it.

    Where a face-down card comes to light, `under` is the column after it has been turned (A12).
    Three columns have no top card, rank 0, and are their own `under`: the empty one and, where
    nobody knows the card about to be turned, the dark ones, with `hidden` above 0.
    """

    __slots__ = (
        "bit",
        "card",
        "from_king",
        "hash",
        "height",
        "hidden",
        "lowest",
        "number",
        "rank",
        "run",
        "sequence",
        "under",
        "worth",
    )

    def __init__(self, number: int, card: int, under: "Column | None") -> None:
        self.number: int = number
        """Tells the columns of one table apart."""
        self.card: int = card
        self.rank: int = card & RANK_BITS
        self.under: Column = self if under is None else under
        self.hidden: int = 0
        """How many cards lie face down; the card about to be turned included, if dark."""
        self.height: int = 0
        """How many cards lie face up."""
        self.run: int = 0
        """How many top cards form a run."""
        self.sequence: int = 0
        """How many top cards go down rank by rank in any suits."""
        self.lowest: int = self.rank
        """The lowest rank among the face-up cards."""
        self.from_king: bool = False
        """Whether the top run reaches down to a king at the very bottom."""
        self.worth: int = 0
        """What the column adds to the value of a state."""
        self.hash: int = 0
        """What the column adds to the key of a state."""
        self.bit: int = 1 << 4 * self.rank if self.rank > 1 else 0
        """One in the counter of the top's rank; none for an ace."""


class Cells:
    """What the cells hold, in order of the cards: which cell holds which does not matter."""

    __slots__ = ("cards", "count", "faces", "hash", "number", "worth")

    def __init__(self, number: int, cards: tuple[int, ...]) -> None:
        self.number: int = number
        """Tells the cells of one table apart."""
        self.cards: tuple[int, ...] = cards
        self.faces: list[int] = sorted(set(cards))
        """The different cards."""
        self.count: int = len(cards)
        self.worth: int = w.CELL * self.count + w.CELL_SQUARED * self.count * self.count
        self.hash: int = 0
        for card in cards:
            self.hash += mixed(_CELL_SALT + card) & (_KEY_BITS >> 3)
            if card & RANK_BITS == KING:
                self.worth += w.CELL_KING


class Foundations:
    """The tops of the foundations that are not empty, in order; an ace tops a whole run."""

    __slots__ = ("broken", "hash", "tops", "whole", "worth")

    def __init__(self, tops: tuple[int, ...]) -> None:
        self.tops: tuple[int, ...] = tops
        self.whole: int = 0
        """How many hold all thirteen cards."""
        self.broken: list[int] = []
        """The different tops of the others."""
        self.worth: int = 0
        self.hash: int = 0
        for top in tops:
            rank = top & RANK_BITS
            self.hash += mixed(_FOUNDATION_SALT + top) & (_KEY_BITS >> 4)
            if rank == 1:
                self.whole += 1
                self.worth += w.WHOLE_RUN_OFF
            else:
                self.worth += w.BROKEN_RUN + w.BROKEN_CARD * (KING + 1 - rank)
                if top not in self.broken:
                    self.broken.append(top)


class State:
    """Columns, cells and foundations, and how many rows are still to be dealt: never which.

    `value` is how good it looks, greater is better. States with equal `key` are one and the same
    but for the places of columns without face-down cards. `tops` counts the columns by the rank
    of their tops, four bits a rank, the empty ones at rank 0.
    """

    __slots__ = ("cells", "columns", "foundations", "key", "plain", "rows", "tops", "value")

    def __init__(
        self, columns: list[Column], cells: Cells, foundations: Foundations, rows: int
    ) -> None:
        self.columns: list[Column] = columns
        self.cells: Cells = cells
        self.foundations: Foundations = foundations
        self.rows: int = rows
        self.tops: int = 0
        self.key: int = cells.hash + foundations.hash
        dealt = ROWS - rows
        self.plain: int = cells.worth + foundations.worth + rows * w.ROW_LEFT
        """The value without what the tops add to it together."""
        self.plain += dealt * w.CELL_LATE * cells.count
        for column in columns:
            self.tops += column.bit
            self.key += column.hash
            self.plain += column.worth + dealt * w.HIDDEN_LATE * column.hidden
        self.value: int = self.plain + spread(self.tops)

    @property
    def won(self) -> bool:
        """Whether eight whole runs are off (A17)."""
        return self.foundations.whole == COLUMNS


def spread(tops: int) -> int:
    """The worth of the column tops together: different ranks, and an empty column among them."""
    ranks = (tops | tops >> 1 | tops >> 2 | tops >> 3) & _TOP_ONES
    first = w.FIRST_EMPTY - w.MORE_EMPTY if tops & RANK_BITS else 0
    return w.DISTINCT_TOP * ranks.bit_count() + first


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

    def foundations(self, tops: tuple[int, ...]) -> Foundations:
        """The foundations with these top cards, in order."""
        found = self._foundations.get(tops)
        if found is None:
            found = self._foundations[tops] = Foundations(tops)
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

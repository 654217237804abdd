"""The packed twin of an Astrocyte position, for search: small ints, and parts that are shared.

A column never changes: it is a top card and the column under it. Each different column exists
once in a `Table`, with its worth and its hash, so that a state is little more than eight
references. Plain classes, lists and ints throughout: mypyc compiles them as they stand.

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

    `value` is how good it looks, greater is better. Of states with as many rows, those with equal
    `key` are one and the same but for the places of columns without face-down cards. `tops` counts
    the columns by the rank of their tops, four bits a rank, the empty ones at rank 0.
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
    def gaps(self) -> int:
        """How many columns are empty."""
        return self.tops & RANK_BITS

    @property
    def won(self) -> bool:
        """Whether eight whole runs are off (A17)."""
        return self.foundations.whole == COLUMNS


def spread(tops: int) -> int:
    """The worth of the column tops together: different ranks, and an empty column among them."""
    ranks = (tops | tops >> 1 | tops >> 2 | tops >> 3) & _TOP_ONES
    first = w.FIRST_EMPTY - w.MORE_EMPTY if tops & RANK_BITS else 0
    return w.DISTINCT_TOP * ranks.bit_count() + first

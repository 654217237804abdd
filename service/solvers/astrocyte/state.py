"""The packed twin of an Astrocyte position, for search: small ints, and parts that are shared.

A column never changes: it is a top card and the column under it. Each different column exists
once in a `Table`, with its worth and its hash, so that a state is little more than eight
references. Plain classes, lists and ints throughout, which compile as they stand.

A card is `suit << 4 | rank`, suits 0 … 3 as in `SUITS`, ranks 1 … 13: in a run, the card under
is greater by one. No card is 0.
"""

from typing import Final

from service.solvers.astrocyte.constants import COLUMNS, KING, RANK_BITS
from service.solvers.astrocyte.weights import (
    BROKEN_CARD,
    BROKEN_RUN,
    CELL_KING,
    USED_CELL,
    USED_CELLS_SQUARED,
    WHOLE_RUN_OFF,
)

_KEY_BITS: Final = (1 << 58) - 1
_CELL_SALT: Final = 1 << 20
_FOUNDATION_SALT: Final = 2 << 20
_TOP_BITS: Final = [1 << 4 * rank if rank > 1 else 0 for rank in range(KING + 2)]
_STIR: Final = 0x1E3779B97F4A7C15
_STIR_MORE: Final = 0x2545F4914F6CDD1D


def mixed(number: int) -> int:
    """A 58-bit number that looks random and depends on `number` alone; small enough to add up."""
    number = (number + _STIR) * _STIR_MORE & _KEY_BITS
    number = (number ^ number >> 29) * _STIR & _KEY_BITS
    number = (number ^ number >> 32) * _STIR_MORE & _KEY_BITS
    return number ^ number >> 29


CELL_HASHES: Final = [mixed(_CELL_SALT + card) & (_KEY_BITS >> 3) for card in range(64)]
"""What each card adds to the key of a state while it lies in a cell."""


class Column:
    """A column of the tableau: its top card, and `under`, the column without it.

    Where a face-down card comes to light, `under` is the column after it has been turned (A12).
    Three columns have no top card, rank 0, and are their own `under`: the empty one and, where
    nobody knows the card about to be turned, the dark ones, with `hidden` above 0.
    """

    __slots__ = (
        "bit",
        "card",
        "dark",
        "from_king",
        "hash",
        "height",
        "hidden",
        "laid",
        "lowest",
        "other",
        "rank",
        "run",
        "sequence",
        "single",
        "takers",
        "under",
        "whole",
        "worth",
    )

    def __init__(self, card: int, under: "Column | None") -> None:
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
        self.single: bool = True
        """Whether nothing is left of it once its top run is gone."""
        self.dark: bool = False
        """Whether the card on top is about to be turned, and nobody knows it."""
        self.worth: int = 0
        """What the column adds to the value of a state."""
        self.whole: bool = False
        """Whether the top run is a whole one."""
        self.hash: int = 0
        """What the column adds to the key of a state."""
        self.bit: int = _TOP_BITS[self.rank]
        """One in the counter of the top's rank; none for an ace."""
        self.takers: int = RANK_BITS * _TOP_BITS[self.rank + 1]
        """The counters of the ranks that take a card of the top run."""
        self.laid: Column | None = None
        """What came of laying a card on it last; see `Table`."""
        self.other: Column | None = None
        """What came of laying another card on `under` before that."""


class Cells:
    """What the cells hold, in order of the cards: which cell holds which does not matter."""

    __slots__ = ("cards", "count", "faces", "hash", "less", "more", "number", "worth")

    def __init__(self, number: int, cards: tuple[int, ...]) -> None:
        self.number: int = number
        """Tells the cells of one table apart."""
        self.cards: tuple[int, ...] = cards
        self.faces: list[int] = sorted(set(cards))
        """The different cards."""
        self.count: int = len(cards)
        self.worth: int = _used(self.count)
        self.more: int = _used(self.count + 1) - self.worth
        """What one card more adds to the worth, if it is no king."""
        self.less: int = _used(self.count - 1) - self.worth
        """What one card less adds to it, if it is no king."""
        self.hash: int = 0
        for card in cards:
            self.hash += CELL_HASHES[card]
            if card & RANK_BITS == KING:
                self.worth += CELL_KING


def _used(count: int) -> int:
    """What it is worth to use `count` cells, kings aside."""
    return USED_CELL * count + USED_CELLS_SQUARED * count * count


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
                self.worth += WHOLE_RUN_OFF
            else:
                self.worth += BROKEN_RUN + BROKEN_CARD * (KING + 1 - rank)
                if top not in self.broken:
                    self.broken.append(top)


class State:
    """Columns, cells and foundations, and how many rows are still to be dealt: never which.

    `value` is how good it looks, greater is better. Of states with as many rows, those with equal
    `key` are one and the same but for the places of columns without face-down cards. `tops` counts
    the columns by the rank of their tops, four bits a rank, the empty ones at rank 0.

    A `Table` makes it, field by field: arguments cost time in the compiled form.
    """

    __slots__ = ("cells", "columns", "foundations", "gaps", "key", "plain", "rows", "tops", "value")

    columns: list[Column]
    cells: Cells
    foundations: Foundations
    rows: int
    tops: int
    gaps: int
    """How many columns are empty."""
    key: int
    value: int
    plain: int
    """The value without what the tops add to it together."""

    @property
    def won(self) -> bool:
        """Whether eight whole runs are off (A17)."""
        return self.foundations.whole == COLUMNS

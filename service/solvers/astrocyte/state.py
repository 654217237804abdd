"""Compact states of Astrocyte for the search, built from shared immutable parts.

A column is a linked list: a top card and the column under it. An `Interner` creates each distinct
column once, with its score and its hash, so a state is little more than eight references. Only
plain classes, lists and ints are used, so that Cython can compile the module as it is.

A card is the int `suit << 4 | rank`, suits 0 … 3 in the order of `SUITS`, ranks 1 … 13. In a run
each card is one less than the card under it. 0 means no card.
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
_MULTIPLIER_1: Final = 0x1E3779B97F4A7C15
_MULTIPLIER_2: Final = 0x2545F4914F6CDD1D


def mix_hash(number: int) -> int:
    """A 58-bit hash of `number`, the same in every process; a sum of such hashes fits 64 bits."""
    number = (number + _MULTIPLIER_1) * _MULTIPLIER_2 & _KEY_BITS
    number = (number ^ number >> 29) * _MULTIPLIER_1 & _KEY_BITS
    number = (number ^ number >> 32) * _MULTIPLIER_2 & _KEY_BITS
    return number ^ number >> 29


CELL_HASHES: Final = [mix_hash(_CELL_SALT + card) & (_KEY_BITS >> 3) for card in range(64)]
"""The part of a state's key for each card in a cell."""


class Column:
    """A column of the tableau: its top card, and `under`, the column without it.

    When the last face-up card leaves, `under` is the column with the next card turned (A12).
    A column without a known top card has rank 0 and is its own `under`: the empty column, and
    columns whose top is about to be turned and is unknown to the player (`unknown_top`).
    """

    __slots__ = (
        "bit",
        "card",
        "child",
        "from_king",
        "hash",
        "height",
        "hidden",
        "lowest",
        "rank",
        "run",
        "score",
        "sequence",
        "sibling",
        "single",
        "takers",
        "under",
        "unknown_top",
        "whole",
    )

    def __init__(self, card: int, under: "Column | None") -> None:
        self.card: int = card
        self.rank: int = card & RANK_BITS
        self.under: Column = self if under is None else under
        self.hidden: int = 0
        """Number of face-down cards, including an unknown top."""
        self.height: int = 0
        """Number of face-up cards."""
        self.run: int = 0
        """Length of the run on top: descending by one, one suit."""
        self.sequence: int = 0
        """Length of the descending sequence on top, of any suits."""
        self.lowest: int = self.rank
        """The lowest rank among the face-up cards."""
        self.from_king: bool = False
        """Whether the top run starts with a king at the bottom of the column."""
        self.single: bool = True
        """Whether the column is a single run without face-down cards, or empty."""
        self.unknown_top: bool = False
        """Whether the top card is about to be turned and the player does not know it."""
        self.score: int = 0
        """The part of a state's value for this column."""
        self.whole: bool = False
        """Whether the top run has all thirteen cards."""
        self.hash: int = 0
        """The part of a state's key for this column."""
        self.bit: int = _TOP_BITS[self.rank]
        """The part of `State.tops`: 1 in the 4-bit counter of the top rank, 0 for an ace."""
        self.takers: int = RANK_BITS * _TOP_BITS[self.rank + 1]
        """Mask of the counters in `State.tops` of the ranks that accept cards of the top run."""
        self.child: Column | None = None
        """The column most recently created by adding a card to this one; see `Interner`."""
        self.sibling: Column | None = None
        """The next older column created from the same `under`: a linked list of children."""


class Cells:
    """The cards in the cells, sorted: which cell holds which card does not matter."""

    __slots__ = (
        "added_score",
        "cards",
        "count",
        "faces",
        "hash",
        "number",
        "removed_score",
        "score",
    )

    def __init__(self, number: int, cards: tuple[int, ...]) -> None:
        self.number: int = number
        """Identifies these cells within one `Interner`."""
        self.cards: tuple[int, ...] = cards
        self.faces: list[int] = sorted(set(cards))
        """The distinct cards."""
        self.count: int = len(cards)
        self.score: int = _used(self.count)
        self.added_score: int = _used(self.count + 1) - self.score
        """Change of the score when a card other than a king is added."""
        self.removed_score: int = _used(self.count - 1) - self.score
        """Change of the score when a card other than a king is removed."""
        self.hash: int = 0
        for card in cards:
            self.hash += CELL_HASHES[card]
            if card & RANK_BITS == KING:
                self.score += CELL_KING


def _used(count: int) -> int:
    """The score of `count` used cells, without the penalty for kings."""
    return USED_CELL * count + USED_CELLS_SQUARED * count * count


class Foundations:
    """The sorted top cards of the non-empty foundations; an ace tops a whole run."""

    __slots__ = ("broken", "hash", "score", "tops", "whole")

    def __init__(self, tops: tuple[int, ...]) -> None:
        self.tops: tuple[int, ...] = tops
        self.whole: int = 0
        """Number of foundations that hold all thirteen cards."""
        self.broken: list[int] = []
        """The distinct tops of the others, from which cards were moved back (A11)."""
        self.score: int = 0
        self.hash: int = 0
        for top in tops:
            rank = top & RANK_BITS
            self.hash += mix_hash(_FOUNDATION_SALT + top) & (_KEY_BITS >> 4)
            if rank == 1:
                self.whole += 1
                self.score += WHOLE_RUN_OFF
            else:
                self.score += BROKEN_RUN + BROKEN_CARD * (KING + 1 - rank)
                if top not in self.broken:
                    self.broken.append(top)


class State:
    """Columns, cells, foundations, and the number of rows left in the stock, not their cards.

    `value` is the evaluation in points, higher is better. States with equal `key` and `rows` are
    equal up to the order of columns without face-down cards. `tops` counts columns by the rank of
    their tops in 4-bit counters, empty columns at rank 0.

    An `Interner` fills the fields one by one: constructor arguments cost time when compiled.
    """

    __slots__ = (
        "base_value",
        "cells",
        "columns",
        "foundations",
        "gaps",
        "key",
        "rows",
        "tops",
        "value",
    )

    columns: list[Column]
    cells: Cells
    foundations: Foundations
    rows: int
    tops: int
    gaps: int
    """Number of empty columns."""
    key: int
    value: int
    base_value: int
    """The value without `Interner.tops_score`."""

    @property
    def won(self) -> bool:
        """Whether eight whole runs are on the foundations (A17)."""
        return self.foundations.whole == COLUMNS

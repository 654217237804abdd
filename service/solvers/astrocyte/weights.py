"""What is good and bad in an Astrocyte position, in points; a suited pair is worth 200.

The numbers come from play: many thousands of games in which each set of weights chose the moves,
the better sets breeding the next. They order positions; they are no chances to win.
"""

from typing import Final

# Face-up cards of a column, from the bottom up.
SUITED: Final = 200
"""A card on the next higher of its suit."""
RUN_SQUARED: Final = 19
"""The square of the length of each run of two cards or more."""
FITTING: Final = 8
"""A card on the next higher of another suit."""
BREAK: Final = 46
"""A card on one that it does not fit. Not bad: at least it lies face up."""
INVERTED: Final = 11
"""Each rank by which a card at a break exceeds the lowest card under it."""
SEQUENCE: Final = 4
"""Each card of a sequence of any suits that a break ends."""
BASE_KING: Final = 137
"""A king at the bottom of a column without face-down cards."""
BASE_LACK: Final = 2
"""Each rank by which another card there falls short of a king."""
BURIED_KING: Final = -8
"""Each card under a king at a break, or under the first face-up card where that is a king."""
KING_RUN: Final = -20
"""Each card after the king in a run that starts with a king at the bottom of a column."""

# Face-down cards of a column.
HIDDEN: Final = -251
HIDDEN_SQUARED: Final = 12
HIDDEN_COLUMN: Final = -175
"""A column that still has any."""
HIDDEN_LATE: Final = -11
"""Each face-down card, for each row dealt."""
DIGGING: Final = -44
"""Each run that lies over face-down cards."""
UNSEEN: Final = -17
"""A face-down card that is about to be turned, where nobody knows it yet."""

# The table as a whole.
FIRST_EMPTY: Final = 382
MORE_EMPTY: Final = 224
"""Each empty column after the first."""
DISTINCT_TOP: Final = 63
"""Each different rank among the column tops, aces left out."""
USED_CELL: Final = -101
USED_CELLS_SQUARED: Final = -23
CELL_LATE: Final = -5
"""Each used cell, for each row dealt."""
CELL_KING: Final = -152
WHOLE_RUN_OFF: Final = 8739
"""A whole run on a foundation."""
BROKEN_RUN: Final = -175
"""A foundation that has given cards back, and takes none until it is empty."""
BROKEN_CARD: Final = -150
"""Each card still on it."""
ROW_LEFT: Final = 846
"""Each row not dealt yet: dealing early must pay."""
DEALT_CELL: Final = -18
"""Each used cell when a row is dealt that nobody knows."""

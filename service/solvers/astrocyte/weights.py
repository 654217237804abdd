"""Weights of the evaluation of an Astrocyte position, in points; a suited pair scores 200.

They were optimized by an evolutionary search over many thousands of games. They rank positions;
they are no probabilities.
"""

from typing import Final

# Face-up cards of a column, from the bottom up.
SUITED: Final = 200
"""A card on the next higher of its suit."""
RUN_SQUARED: Final = 19
"""For each run of two or more cards, times its length squared."""
FITTING: Final = 8
"""A card on the next higher of another suit."""
BREAK: Final = 46
"""A card on one that it does not fit: positive, as it at least lies face up."""
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
"""An unknown card that is about to be turned."""

# All piles together.
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
"""A foundation from which cards were moved back: it accepts none until it is empty."""
BROKEN_CARD: Final = -150
"""Each card still on it."""
ROW_LEFT: Final = 846
"""Each row not dealt yet, so that dealing must pay off."""
DEALT_CELL: Final = -18
"""Each used cell when an unknown row is dealt."""

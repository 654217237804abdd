"""Sizes of Astrocyte, and how steps name their places: numbers that the packed twin is made of."""

from typing import Final

COLUMNS: Final = 8
CELLS: Final = 4
ROWS: Final = 5
WHOLE: Final = 13
KING: Final = 13
RANK_BITS: Final = 15

# Places in a step; columns are 0 ... 7.
CELL: Final = COLUMNS
FOUNDATION: Final = COLUMNS + 1
STOCK: Final = COLUMNS + 2
STEP_BITS: Final = 16
"""How many bits a step takes; where needed, the place of what it starts from stands above."""
ROW: Final = STOCK << 12
"""The step that deals a row."""

NOISES: Final = 1024
"""How many different misjudgements a search chooses from: a power of two."""

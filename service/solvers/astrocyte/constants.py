"""Sizes of Astrocyte, and how steps name their places: numbers that the packed twin is made of."""

from typing import Final

from service.games.astrocyte import rules

COLUMNS: Final = rules.COLUMNS
CELLS: Final = rules.CELLS
ROWS: Final = rules.ROWS
WHOLE: Final = rules.WHOLE_RUN
KING: Final = rules.WHOLE_RUN
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

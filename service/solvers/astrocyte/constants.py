"""Sizes of Astrocyte and the encoding of steps, shared by the modules of the search."""

from typing import Final

COLUMNS: Final = 8
CELLS: Final = 4
ROWS: Final = 5
WHOLE: Final = 13
KING: Final = 13
RANK_BITS: Final = 15

# Sources and targets of a step; columns are 0 … 7.
CELL: Final = COLUMNS
FOUNDATION: Final = COLUMNS + 1
STOCK: Final = COLUMNS + 2
STEP_BITS: Final = 16
"""Number of bits of a step; higher bits may hold an index of the state that it starts from."""
ROW: Final = STOCK << 12
"""The step that deals a row."""

NOISES: Final = 1024
"""Number of offsets in an evaluation noise: a power of two."""

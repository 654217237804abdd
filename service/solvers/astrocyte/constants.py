"""Sizes of Astrocyte and the encoding of steps, shared by the modules of the search."""

from typing import Final

from service.games.astrocyte import table

COLUMNS: Final = table.COLUMNS
CELLS: Final = table.CELLS
ROWS: Final = table.ROWS
WHOLE: Final = table.WHOLE_RUN
KING: Final = table.WHOLE_RUN
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

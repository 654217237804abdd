"""Moves and their one notation: source, target and, above one card, the count: `t3f1`, `t3t5x4`."""

import re
from functools import lru_cache
from typing import NamedTuple

from service.errors import InputError

_PILE = "[tcf][1-9][0-9]?"
_COUNT = "x([2-9]|1[0-3])"
_PARTS = re.compile(f"({_PILE})({_PILE})(?:{_COUNT})?", re.ASCII)

MOVE_PATTERN = f"^(deal|{_PILE}{_PILE}({_COUNT})?)$"
"""Matches every move of any game; `x1` is never written."""


class Move(NamedTuple):
    """Moves `count` top cards from the pile `source` to the pile `target`, or is `DEAL`."""

    source: str
    target: str
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which no move needs

    def __str__(self) -> str:
        return format_move(self)


DEAL = Move("s", "t", 0)
"""Deals a row, one card from the stock onto each pile of the tableau. Written `deal`."""


@lru_cache(maxsize=4096)
def format_move(move: Move) -> str:
    """`move` in its notation."""
    if move == DEAL:
        return "deal"
    return f"{move.source}{move.target}" + (f"x{move.count}" if move.count > 1 else "")


@lru_cache(maxsize=4096)
def parse_move(text: str) -> Move:
    """The move written as `text`. Raises `InputError`."""
    if text == "deal":
        return DEAL
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise InputError(
            f"{text[:40]!r} is not a move: write source, target and, for more than one card, "
            "x and the count, as in t3f1 or t3t5x4; deal deals a row of the stock."
        )
    return Move(parts[1], parts[2], int(parts[3] or 1))

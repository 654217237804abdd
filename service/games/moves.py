"""A move and its one text form: source, target and, past one card, the count: `t3f1`, `t3t5x4`."""

import re
from functools import lru_cache
from typing import NamedTuple

from service.errors import MoveTextError

MOVE_PATTERN = r"^(deal|[tcf][1-9][0-9]?[tcf][1-9][0-9]?(x([2-9]|1[0-3]))?)$"
"""Every text that is a move in some game; `x1` is never written."""

_PARTS = re.compile(r"([tcf][1-9][0-9]?)([tcf][1-9][0-9]?)(?:x([2-9]|1[0-3]))?", re.ASCII)


class Move(NamedTuple):
    """`count` top cards from the pile `source` to the pile `target`; `DEAL` stands for itself."""

    source: str
    target: str
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which no move needs

    def __str__(self) -> str:
        return format_move(self)


DEAL = Move("s", "t", 0)
"""Deals a row: one card from the stock onto each pile of the tableau. Written `deal`."""


@lru_cache(maxsize=4096)
def format_move(move: Move) -> str:
    """How `move` is written."""
    if move == DEAL:
        return "deal"
    return f"{move.source}{move.target}" + (f"x{move.count}" if move.count > 1 else "")


@lru_cache(maxsize=4096)
def parse_move(written: str) -> Move:
    """The move that `written` writes; `MoveTextError` if it writes none."""
    if written == "deal":
        return DEAL
    parts = _PARTS.fullmatch(written)
    if parts is None:
        raise MoveTextError(
            f"{written[:40]!r} is no move: write source, target and, for more than one card, "
            "x and the count, as in t3f1 or t3t5x4; a row of the stock is dealt by deal."
        )
    return Move(parts[1], parts[2], int(parts[3] or 1))

"""Text boards: positions and views as text, one pile a line, printed and parsed.

A line is `t1: [2S 4H] 9H TD`, bottom to top, with face-down cards in brackets (those of the stock
in dealing order), `[7]` where a view knows only how many, and `-` for an empty pile. ` / ` divides
piles on one line. Piles left out are empty.
"""

import re
from collections.abc import Iterator

from service.errors import InputError, PositionError
from service.games.base import Position, Variant, View, position_of, reachable_position
from service.games.cards import Card, parse_card
from service.games.piles import Pile, PileCards

_LINE = re.compile(r"([tcfs][0-9]{0,2})\s*:\s*(?:\[([^\]]*)\])?([^\[\]]*)", re.ASCII)


def print_position(position: Position) -> str:
    """`position` with every card, one pile a line."""
    return "\n".join(
        _line(pile, " ".join(under))
        for pile, under in zip(position.view.piles, position.under, strict=True)
    )


def print_view(view: View) -> str:
    """`view` as its player sees it, one pile a line, with counts of face-down cards."""
    return "\n".join(_line(pile, str(pile.hidden)) for pile in view.piles)


def parse_position(variant: Variant, board: str) -> Position:
    """The position of `variant` that `board` shows, reachable or not. Raises `InputError`."""
    try:
        return position_of(variant, _piles(board))
    except PositionError as error:
        raise InputError(str(error)) from None


def parse_reachable_position(variant: Variant, board: str) -> Position:
    """The same; raises `InputError` also if no game of `variant` can reach it."""
    try:
        return reachable_position(variant, _piles(board))
    except PositionError as error:
        raise InputError(str(error)) from None


def _piles(board: str) -> Iterator[PileCards]:
    for line in filter(str.strip, re.split(r"\n|\s/\s", board)):
        parts = _LINE.fullmatch(line.strip())
        if parts is None:
            raise InputError(f"{line.strip()[:60]!r} is not a pile: write t1: [2S 4H] 9H, or t1: -")
        id, under, cards = parts.groups("")
        yield PileCards(id, _cards(id, under), _cards(id, "" if cards.strip() == "-" else cards))


def _line(pile: Pile, hidden: str) -> str:
    parts = ([f"[{hidden}]"] if pile.hidden else []) + list(pile.cards)
    return f"{pile.id}: {' '.join(parts) or '-'}"


def _cards(id: str, text: str) -> tuple[Card, ...]:
    try:
        return tuple(parse_card(face) for face in text.split())
    except InputError as error:
        raise InputError(f"Pile {id}: {error}") from None

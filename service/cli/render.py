"""Renders a table for a terminal: piles side by side, cards in the colours of their suits."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.text import Text

from service.games.base import View
from service.games.cards import Card
from service.games.piles import Pile

GLYPHS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RED = "DH"

Place = tuple[str, int]
"""Where a face-up card lies: its pile, and its index among that pile's face-up cards."""

_WIDTH = 4
"""Characters that a pile takes."""


def render_card(card: Card, *, marked: bool = False) -> Text:
    """A card as rank and suit; highlighted if `marked`."""
    colour = "red" if card[1] in RED else "default"
    return Text(card[0] + GLYPHS[card[1]], f"{colour} bold reverse" if marked else colour)


def changed_places(before: View, after: View) -> frozenset[Place]:
    """Where `after` has a face-up card that was not there `before`."""
    return frozenset(
        (new.id, place)
        for old, new in zip(before.piles, after.piles, strict=True)
        for place, card in enumerate(new.cards)
        if old.cards[place : place + 1] != (card,) or old.hidden != new.hidden
    )


def render_view(view: View, marked: frozenset[Place], width: int) -> Text:
    """`view` in lines of at most `width` characters; cards at the places `marked` are highlighted.

    First the other piles, each by its top card, then the tableau.
    """
    per_row = max(1, width // _WIDTH)
    others = [pile for pile in view.piles if pile.kind != "tableau"]
    lines = [
        line
        for piles, render in ((others, _top), (view.kind("tableau"), _column))
        for start in range(0, len(piles), per_row)
        for line in _side_by_side([render(pile, marked) for pile in piles[start : start + per_row]])
    ]
    return Text("\n").join(lines)


def _top(pile: Pile, marked: frozenset[Place]) -> list[Text]:
    """A pile as its top card, or the number of its face-down cards."""
    place = len(pile.cards) - 1
    if pile.cards:
        return [_id(pile), render_card(pile.cards[-1], marked=(pile.id, place) in marked)]
    return [_id(pile), Text(f"▒{pile.hidden}" if pile.hidden else "--", "dim")]


def _column(pile: Pile, marked: frozenset[Place]) -> list[Text]:
    """A pile from bottom to top: the number of its face-down cards, then the others."""
    hidden = [Text(f"▒{pile.hidden}", "dim")] if pile.hidden else []
    cards = [render_card(card, marked=(pile.id, n) in marked) for n, card in enumerate(pile.cards)]
    return [_id(pile), *(hidden + cards or [Text("--", "dim")])]


def _id(pile: Pile) -> Text:
    return Text(pile.id, "dim")


def _side_by_side(columns: Sequence[Iterable[Text]]) -> Iterator[Text]:
    """Lines that show the columns side by side, and an empty line below."""
    for row in zip_longest(*columns, fillvalue=Text()):
        line = Text()
        for cell in row:
            line.append_text(cell).append(" " * (_WIDTH - cell.cell_len))
        line.rstrip()
        yield line
    yield Text()

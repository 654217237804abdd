"""A table drawn for a terminal: piles side by side, cards in the colours of their suits."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.text import Text

from service.games.base import View
from service.games.cards import Card
from service.games.piles import Pile

GLYPHS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RED = "DH"

Place = tuple[str, int]
"""A face-up card of a table: its pile, and its place in that from the bottom."""

_CELL = 4


def face(card: Card, *, marked: bool = False) -> Text:
    """A card as it is drawn; one that is `marked` stands out."""
    colour = "red" if card[1] in RED else "default"
    return Text(card[0] + GLYPHS[card[1]], f"{colour} bold reverse" if marked else colour)


def changed(before: View, after: View) -> frozenset[Place]:
    """The face-up cards of `after` that did not lie there `before`."""
    return frozenset(
        (new.id, place)
        for old, new in zip(before.piles, after.piles, strict=True)
        for place, card in enumerate(new.cards)
        if old.cards[place : place + 1] != (card,) or old.hidden != new.hidden
    )


def render_view(view: View, marked: frozenset[Place], width: int) -> Text:
    """`view` in lines of `width` characters: the other piles by their tops, then the tableau."""
    across = max(1, width // _CELL)
    others = [pile for pile in view.piles if pile.kind != "tableau"]
    lines = [
        line
        for piles, show in ((others, _top), (view.kind("tableau"), _column))
        for start in range(0, len(piles), across)
        for line in _block([show(pile, marked) for pile in piles[start : start + across]])
    ]
    return Text("\n").join(lines)


def _top(pile: Pile, marked: frozenset[Place]) -> list[Text]:
    """A pile by its top card, or by how many cards lie face down."""
    place = len(pile.cards) - 1
    if pile.cards:
        return [_id(pile), face(pile.cards[-1], marked=(pile.id, place) in marked)]
    return [_id(pile), Text(f"▒{pile.hidden}" if pile.hidden else "--", "dim")]


def _column(pile: Pile, marked: frozenset[Place]) -> list[Text]:
    """A pile from the bottom downwards, what lies face down by its number."""
    hidden = [Text(f"▒{pile.hidden}", "dim")] if pile.hidden else []
    cards = [face(card, marked=(pile.id, n) in marked) for n, card in enumerate(pile.cards)]
    return [_id(pile), *(hidden + cards or [Text("--", "dim")])]


def _id(pile: Pile) -> Text:
    return Text(pile.id, "dim")


def _block(columns: Sequence[Iterable[Text]]) -> Iterator[Text]:
    """Columns side by side, and an empty line under them."""
    for row in zip_longest(*columns, fillvalue=Text()):
        line = Text()
        for cell in row:
            line.append_text(cell).append(" " * (_CELL - cell.cell_len))
        line.rstrip()
        yield line
    yield Text()

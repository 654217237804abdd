"""Takes a move back: the position before it, from the one after it and the line that led there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from service.games.moves import DEAL, Move
from service.games.piles import Pile

if TYPE_CHECKING:
    from service.games.base import Position, View


def taken_back(position: "Position", start: "View", line: Sequence[Move]) -> "Position":
    """The position before the last move of `line`, which led from a deal to `position`.

    `start` is any deal of the game. Every move of the line moves top cards, turning up the card
    that it bares, or deals a row. If the line did not lead here, the result means nothing.
    """
    move = line[-1]
    return _row_back(position) if move == DEAL else _cards_back(position, start, line)


def _cards_back(position: "Position", start: "View", line: Sequence[Move]) -> "Position":
    move, view, under = line[-1], position.view, position.under
    source, target = view.variant.layout.index[move.source], view.variant.layout.index[move.target]
    piles = list(view.piles)
    left, onto = piles[source], piles[target]
    piles[target] = onto.with_cards(onto.cards[: -move.count])
    moved = onto.cards[-move.count :]
    if _has_turned(left, start.piles[source], line):
        under = (*under[:source], under[source] + left.cards, *under[source + 1 :])
        piles[source] = Pile(left.id, left.kind, left.hidden + 1, moved)
    else:
        piles[source] = left.with_cards(left.cards + moved)
    return type(position)(type(view)(view.variant, tuple(piles)), under)


def _row_back(position: "Position") -> "Position":
    """The position before the last row was dealt from the stock, left to right."""
    view, under = position.view, list(position.under)
    piles, stock = list(view.piles), view.variant.layout.index["s"]
    columns = [place for place, pile in enumerate(piles) if pile.kind == "tableau"]
    under[stock] = (*(piles[place].cards[-1] for place in columns), *under[stock])
    for place in columns:
        piles[place] = piles[place].with_cards(piles[place].cards[:-1])
    piles[stock] = piles[stock]._replace(hidden=len(under[stock]))
    return type(position)(type(view)(view.variant, tuple(piles)), tuple(under))


def _has_turned(left: Pile, start: Pile, line: Sequence[Move]) -> bool:
    """Whether the last move of `line` turned a card up on the pile that it left.

    The single card there may also have been left as it was. Which it is, only a count of the
    cards that came and went tells.
    """
    if len(left.cards) != 1 or left.hidden == start.hidden:
        return False
    id, hidden, shown, turned = left.id, start.hidden, len(start.cards), False
    for source, target, count in line:
        if source == id:
            shown -= count
            turned = not shown and hidden > 0
            shown += turned
            hidden -= turned
        elif target == id:
            shown += count
        elif not count:  # a row is dealt
            shown += 1
    return turned

"""Takes a move back: the position before it, from the one after it and the line that led there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from service.games.moves import DEAL, Move

if TYPE_CHECKING:
    from service.games.base import Position, View


def taken_back(position: "Position", start: "View", line: Sequence[Move]) -> "Position":
    """The position before the last move of `line`, which led from `start` to `position`.

    `start` is the view of any deal of the game, or of where the line begins. Every move of the line
    moves top cards, turning up the card that it bares, or deals a row. If the line did not lead
    here, the result means nothing.
    """
    move = line[-1]
    return _row_back(position) if move == DEAL else _cards_back(position, start, line)


def _cards_back(position: "Position", start: "View", line: Sequence[Move]) -> "Position":
    (source_id, target_id, count), view = line[-1], position.view
    index = view.variant.layout.index
    source, target = index[source_id], index[target_id]
    cards, face_down, under = list(view.cards), view.face_down, position.under
    left, onto = cards[source], cards[target]
    cards[target] = onto[:-count]
    if _has_turned(source, view, start, line):
        under = (*under[:source], under[source] + left, *under[source + 1 :])
        face_down = tuple(map(len, under))
        left = ()
    cards[source] = left + onto[-count:]
    return type(position)(type(view)(view.variant, None, tuple(cards), face_down), under)


def _row_back(position: "Position") -> "Position":
    """The position before the last row was dealt from the stock, left to right."""
    view, cards, under = position.view, list(position.view.cards), list(position.under)
    layout = view.variant.layout
    columns = [place for place, kind in enumerate(layout.kinds) if kind == "tableau"]
    stock = layout.index["s"]
    under[stock] = (*(card for place in columns for card in cards[place][-1:]), *under[stock])
    for place in columns:
        cards[place] = cards[place][:-1]
    face_down = tuple(map(len, under))
    return type(position)(type(view)(view.variant, None, tuple(cards), face_down), tuple(under))


def _has_turned(source: int, view: "View", start: "View", line: Sequence[Move]) -> bool:
    """Whether the last move of `line`, which led to `view`, turned a card up on the pile it left.

    The single card there may also have been left as it was. Which it is, only a count of the
    cards that came and went tells.
    """
    hidden = start.face_down[source]
    if len(view.cards[source]) != 1 or view.face_down[source] == hidden:
        return False
    id, shown, turned = line[-1].source, len(start.cards[source]), False
    for from_id, to_id, count in line:
        if from_id == id:
            shown -= count
            turned = not shown and hidden > 0
            shown += turned
            hidden -= turned
        elif to_id == id:
            shown += count
        elif not count:  # a row is dealt
            shown += 1
    return turned

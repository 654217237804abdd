"""Text boards: any position or view as lines of piles, printed and read back.

One pile a line, `t1: [2S 4H] 9H TD`, bottom to top; face-down cards in brackets, those of the
stock in dealing order; `[7]` where a view knows only how many; `-` for an empty pile. On one line
the piles are divided by ` / `. Piles that are not named are empty.
"""

import re

from service.errors import BoardError, CardError
from service.games.base import Position, Variant, View
from service.games.cards import Card, parse_card
from service.games.piles import Pile

_LINE = re.compile(r"([tcfs][0-9]{0,2})\s*:\s*(?:\[([^\]]*)\])?([^\[\]]*)", re.ASCII)


def print_position(position: Position) -> str:
    """`position` with every card, a line a pile."""
    return "\n".join(
        _line(pile, " ".join(under))
        for pile, under in zip(position.view.piles, position.under, strict=True)
    )


def print_view(view: View) -> str:
    """`view` as its player sees it, a line a pile, counts in place of hidden cards."""
    return "\n".join(_line(pile, str(pile.hidden or "")) for pile in view.piles)


def parse_position(variant: Variant, board: str) -> Position:
    """The position that `board` shows, any cards on any piles; `BoardError` for no board.

    Whether a game could reach it is another question: `variant.why_unreachable` answers it.
    """
    piles: dict[str, Pile] = {}
    under: dict[str, tuple[Card, ...]] = {}
    for line in re.split(r"\n|\s/\s", board):
        if not line.strip():
            continue
        parts = _LINE.fullmatch(line.strip())
        if parts is None:
            raise BoardError(f"{line.strip()[:60]!r} is no pile: write t1: [2S 4H] 9H, or t1: -")
        id, hidden, cards = parts.groups()
        if id not in variant.layout.index:
            raise BoardError(f"{variant.title} has no pile {id}.")
        if id in piles:
            raise BoardError(f"Pile {id} stands on the board twice.")
        under[id] = _cards(id, hidden or "")
        kind = variant.layout.kinds[variant.layout.index[id]]
        face_up = _cards(id, "" if cards.strip() == "-" else cards)
        piles[id] = Pile(id, kind, len(under[id]), face_up)
    layout = variant.layout
    view = View(
        variant,
        tuple(
            piles.get(id) or Pile(id, kind, 0, ())
            for id, kind in zip(layout.ids, layout.kinds, strict=True)
        ),
    )
    return Position(view, tuple(under.get(id, ()) for id in layout.ids))


def parse_reachable_position(variant: Variant, board: str) -> Position:
    """The position that `board` shows; `BoardError` if no game of `variant` can reach it."""
    position = parse_position(variant, board)
    why = variant.why_unreachable(position)
    if why is not None:
        raise BoardError(why)
    return position


def _line(pile: Pile, hidden: str) -> str:
    parts = ([f"[{hidden}]"] if pile.hidden else []) + list(pile.cards)
    return f"{pile.id}: {' '.join(parts) or '-'}"


def _cards(id: str, text: str) -> tuple[Card, ...]:
    try:
        return tuple(parse_card(face) for face in text.split())
    except CardError as error:
        raise BoardError(f"Pile {id}: {error}") from None

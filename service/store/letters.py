"""A position in letters: a letter a card, pile after pile, as it is kept."""

from service.cards import FACES, Card
from service.piles import Pile
from service.variant import Position, Variant, View

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SIGN: dict[str, str] = {".": ".", "/": "/", **dict(zip(FACES, _LETTERS, strict=True))}
_FACE: dict[str, Card] = dict(zip(_LETTERS, FACES, strict=True))


def encode_position(position: Position) -> str:
    """The piles in layout order with `/` between them; cards that lie face down before a `.`."""
    signs: list[str] = []
    for (_, _, _, cards), under in zip(position.view.piles, position.under, strict=True):
        signs += "/"
        if under:
            signs += (*under, ".")
        signs += cards
    return "".join(map(_SIGN.__getitem__, signs[1:]))


def decode_position(variant: Variant, written: str) -> Position:
    """The position that `encode_position` wrote; `ValueError` or `KeyError` for anything else."""
    piles: list[Pile] = []
    under: list[tuple[Card, ...]] = []
    layout, face = variant.layout, _FACE.__getitem__
    parts = written.split("/")
    if any(parts[len(layout.ids) :]):  # beyond the last pile stands only what fills up
        raise ValueError(written)
    for id, kind, letters in zip(layout.ids, layout.kinds, parts[: len(layout.ids)], strict=True):
        hidden, dot, shown = letters.rpartition(".")
        piles.append(Pile(id, kind, len(hidden), tuple(map(face, shown))))
        under.append(tuple(map(face, hidden)) if dot else ())
    return Position(View(variant, tuple(piles)), tuple(under))

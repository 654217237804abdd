"""Cards and packs of cards."""

from collections.abc import Iterable, Sequence
from typing import NewType

from service.errors import CardError

Card = NewType("Card", str)
"""Rank and suit, as in `9H`. The two copies of a face are equal: nothing tells them apart."""

CARD_PATTERN = r"^[A23456789TJQK][CDHS]$"
"""Every text that is a card."""

RANKS = "A23456789TJQK"
SUITS = "CDHS"

FACES: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 faces in canonical order: suits C, D, H, S, and A to K in each."""

TWO_PACKS: tuple[Card, ...] = FACES * 2
"""Two packs in canonical order, before any shuffling."""

RANK: dict[Card, int] = {parse_card: RANKS.index(parse_card[0]) + 1 for parse_card in FACES}
"""The rank of each card, ace 1 to king 13."""

SUIT: dict[Card, str] = {parse_card: parse_card[1] for parse_card in FACES}
"""The suit of each card, one letter of CDHS."""


def parse_card(text: str) -> Card:
    """The card that `text` names, such as `TS`; `CardError` if it names none."""
    if text not in RANK:
        raise CardError(f"{text[:20]!r} is no card: write a rank of {RANKS} and a suit of {SUITS}.")
    return Card(text)


def without(pack: Sequence[Card], removed: Iterable[str]) -> tuple[Card, ...]:
    """`pack` less the first copy of each of `removed`, in the same order."""
    left = list(pack)
    for face in removed:
        left.remove(parse_card(face))
    return tuple(left)

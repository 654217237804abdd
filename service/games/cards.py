"""Cards and packs of cards."""

from collections.abc import Iterable, Sequence
from typing import NewType

from service.errors import InputError

Card = NewType("Card", str)
"""Rank and suit, as in `9H`. The two copies of a card in two packs are equal."""

RANKS = "A23456789TJQK"
SUITS = "CDHS"

CARD_PATTERN = rf"^[{RANKS}][{SUITS}]$"
"""Matches every card."""

FACES: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""One pack of 52 in canonical order: suits C, D, H, S, and A to K in each."""

TWO_PACKS: tuple[Card, ...] = FACES * 2
"""Two packs in canonical order, before any shuffling."""

RANK: dict[Card, int] = {card: RANKS.index(card[0]) + 1 for card in FACES}
"""The rank of each card, ace 1 to king 13."""

SUIT: dict[Card, str] = {card: card[1] for card in FACES}
"""The suit of each card, one letter of CDHS."""


def parse_card(text: str) -> Card:
    """The card written as `text`, such as `TS`. Raises `InputError`."""
    if text not in RANK:
        raise InputError(f"{text[:20]!r} is not a card: a rank of {RANKS} and a suit of {SUITS}.")
    return Card(text)


def without(pack: Sequence[Card], removed: Iterable[Card]) -> tuple[Card, ...]:
    """`pack` less the first copy of each of `removed`, in the same order."""
    left = list(pack)
    for card in removed:
        left.remove(card)
    return tuple(left)

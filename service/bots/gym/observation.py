"""What a learner sees of a table: its view as arrays, and the legal moves as a mask."""

from typing import Any, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from service.games.base import Variant, View
from service.games.cards import RANK, SUIT, SUITS, Card

Observation = dict[str, NDArray[np.int8]]
"""What `ViewEncoder.observe` gives."""

_SUIT_BITS = 4
_CODE: dict[Card, int] = {
    card: (SUITS.index(SUIT[card]) + 1 << _SUIT_BITS) + RANK[card] for card in RANK
}
"""Suit and rank of each card in one byte; 0 is no card."""


class ViewEncoder:
    """Turns the views of one game into arrays of fixed shape.

    Piles stand in the order of the layout. Of each pile the top `depth` face-up cards are told, by
    default all. An encoder keeps what it made of the cards it saw last, to make it once, and
    nothing else: equal views give equal arrays.
    """

    def __init__(self, variant: Variant, depth: int | None = None) -> None:
        start = variant.start(variant.pack).view
        self._actions = variant.action_index
        self._cards = sum(pile.hidden + len(pile.cards) for pile in start.piles)
        self._depth = self._cards if depth is None else depth
        count = len(start.piles)
        self._seen: list[tuple[Card, ...] | None] = [None] * count
        self._rows = [b""] * count
        self._face_up, self._face_down = bytearray(count), bytearray(count)

    def space(self) -> spaces.Space[Observation]:
        """The space of the observations, a `Dict`."""
        count = len(self._rows)
        cards, piles = (count, self._depth), (count,)
        boxes: dict[str, spaces.Space[Any]] = {
            "ranks": spaces.Box(0, max(RANK.values()), cards, np.int8),
            "suits": spaces.Box(0, len(SUITS), cards, np.int8),
            "face_up": spaces.Box(0, self._cards, piles, np.int8),
            "face_down": spaces.Box(0, self._cards, piles, np.int8),
        }
        # Gymnasium types the members of a Dict as spaces, not as what is in them.
        return cast("spaces.Space[Observation]", spaces.Dict(boxes))

    def observe(self, view: View) -> Observation:
        """`view` as arrays of int8, new ones at each call.

        `ranks` and `suits` have the shape (piles, depth): at [p, d] is the card of pile p with d
        cards on it, so that d = 0 is its top; ranks are 1 (ace) to 13 (king), suits 1 to 4 in the
        order CDHS, and 0 is no face-up card. `face_up` and `face_down` have the shape (piles,):
        how many cards of each pile lie face up and face down.
        """
        for place, (_, _, hidden, cards) in enumerate(view.piles):
            self._face_down[place] = hidden
            if cards is not self._seen[place]:
                codes = bytes(map(_CODE.__getitem__, cards[: -self._depth - 1 : -1]))
                self._rows[place] = codes.ljust(self._depth, b"\0")
                self._face_up[place] = len(cards)
                self._seen[place] = cards
        table = np.frombuffer(b"".join(self._rows), np.int8).reshape(-1, self._depth)
        return {
            "ranks": table & (1 << _SUIT_BITS) - 1,
            "suits": table >> _SUIT_BITS,
            "face_up": np.frombuffer(self._face_up[:], np.int8),
            "face_down": np.frombuffer(self._face_down[:], np.int8),
        }

    def mask(self, view: View) -> NDArray[np.int8]:
        """Which actions are legal moves of `view`: 1 or 0 each, shape (actions,), a new array."""
        mask = bytearray(len(self._actions))
        for move in view.legal_moves():
            mask[self._actions[move]] = 1
        return np.frombuffer(mask, np.int8)

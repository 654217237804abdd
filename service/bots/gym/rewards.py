"""How far a game has come, which shapes rewards without changing what is best to do."""

from typing import Literal

from service.games.base import Variant, View

Reward = Literal["sparse", "shaped"]
"""`sparse` is 1 for a win and 0 otherwise; `shaped` adds what each move is worth; see `shaping`."""


class Progress:
    """Tells how far a game has come, from 0 where nothing is done to 1 where it is won.

    It counts the cards that still have to go onto a foundation, and the face-down cards of the
    tableau that still have to be turned.
    """

    def __init__(self, variant: Variant) -> None:
        start = variant.start(variant.pack).view
        kinds = list(enumerate(variant.layout.kinds))
        self._tableau = [place for place, kind in kinds if kind == "tableau"]
        self._foundations = [place for place, kind in kinds if kind == "foundation"]
        self._cards = sum(pile.hidden + len(pile.cards) for pile in start.piles)
        self._most = self._left(start)

    def __call__(self, view: View) -> float:
        """The progress of `view`."""
        return 1 - self._left(view) / self._most

    def _left(self, view: View) -> int:
        piles = view.piles
        home = sum([len(piles[place].cards) for place in self._foundations])
        return self._cards - home + sum([piles[place].hidden for place in self._tableau])


def shaping(before: float, after: float, ended: bool, discount: float) -> float:
    """What a shaped reward adds to the sparse one, when progress goes from `before` to `after`.

    This is potential-based shaping: the discounted sum over an episode does not depend on the
    moves, if the learner has the same discount, so the best policy stays the best. To that end the
    progress of a game that `ended` counts as nothing.
    """
    return (0.0 if ended else discount * after) - before

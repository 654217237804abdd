"""What the example sees in a move: a few numbers, derived from the observation alone."""

import numpy as np
from numpy.typing import NDArray

from service.bots.gym.observation import Observation
from service.games.base import Variant
from service.games.cards import RANKS
from service.games.moves import DEAL

_KINDS = ("tableau", "foundation", "cell", "stock")

_IN_A_ROW = np.isin(np.arange(len(RANKS)), (1, len(RANKS) - 1))
"""By the difference of two ranks, modulo 13: whether they are one apart, ace and king included."""


class MoveFeatures:
    """The features of the moves of one game, made for its layout and its table of actions."""

    def __init__(self, variant: Variant) -> None:
        layout, moves = variant.layout, variant.actions
        self._tableau = np.array([kind == "tableau" for kind in layout.kinds])
        # The first column stands for all the columns that get a card when a row is dealt.
        targets = [layout.ids[0] if move == DEAL else move.target for move in moves]
        self._source = np.array([layout.index[move.source] for move in moves])
        self._target = np.array([layout.index[target] for target in targets])
        self._count = np.array([move.count for move in moves])
        kinds = np.array([_KINDS.index(kind) for kind in layout.kinds])
        pairs = kinds[self._source] * len(_KINDS) + kinds[self._target]
        self._pair = pairs[:, None] == np.unique(pairs)
        self.count = self._pair.shape[1] + 12
        """How many features a move has."""

    def __call__(self, seen: Observation, actions: NDArray[np.intp]) -> NDArray[np.float64]:
        """The features of `actions`, shape (actions, `count`), each about -1 to 1.

        First between which kinds of piles the cards move. Then how many they are, and how many
        cards of the pile lie face up and face down. Then what is true of the move: it turns a
        card, empties its pile, goes to an empty pile, goes onto a card of its suit, comes from a
        card of its suit, or uncovers a neighbour in rank. Last, to how many tops of the tableau the
        moved card, the covered card and the uncovered card are neighbours in rank.
        """
        ranks, suits = seen["ranks"], seen["suits"]
        source, target, count = self._source[actions], self._target[actions], self._count[actions]
        moved, covered = ranks[source, 0], ranks[target, 0]
        below = np.minimum(count, ranks.shape[1] - 1)
        uncovered = ranks[source, below]
        face_up, face_down = seen["face_up"][source], seen["face_down"][source]
        alone = face_up == count
        tops = ranks[self._tableau, 0]
        columns = [
            count / 13,
            face_up / 13,
            face_down / 13,
            alone & (face_down > 0),
            alone & (face_down == 0),
            covered == 0,
            suits[target, 0] == suits[source, 0],
            suits[source, below] == suits[source, 0],
            _neighbours(uncovered, moved),
            *(
                _neighbours(cards[:, None], tops).sum(axis=1) / 4
                for cards in (moved, covered, uncovered)
            ),
        ]
        return np.concatenate([self._pair[actions], np.stack(columns, axis=1)], axis=1)


def _neighbours(one: NDArray[np.int8], other: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Whether both are ranks of cards, one apart; 0 is no card."""
    return np.asarray(_IN_A_ROW[(one - other) % len(RANKS)] & (one > 0) & (other > 0))

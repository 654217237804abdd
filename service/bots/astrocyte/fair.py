"""The fair bot for Astrocyte: it sees what the player sees, and plans up to the next reveal.

Of the leaves found by search, it plays towards the one with the best estimated chance to win. Once
no card lies face down, the solver takes over.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import orjson

from service.bots.planning import solution
from service.games.base import View
from service.games.moves import Move
from service.solvers.astrocyte.beam import NO_NOISE, noise
from service.solvers.astrocyte.conversion import moves_until_reveal, next_lift, state_of_view
from service.solvers.astrocyte.deferral import split_deferrable
from service.solvers.astrocyte.features import ColumnFeatures, UnseenCards, leaf_features
from service.solvers.astrocyte.gc_pause import gc_paused
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.lookahead import Leaf, Lookahead
from service.solvers.astrocyte.move_generation import Noise
from service.solvers.astrocyte.net import Net
from service.solvers.astrocyte.state import Column


class SearchSettings(NamedTuple):
    """The limits of one decision; the first five are the arguments of `Lookahead.leaves`."""

    width: int
    levels: int
    max_stale_levels: int
    max_leaves: int
    budget: int
    points_weight: float
    """How much a thousand points of evaluation add to the logit of the chance to win."""
    solver_budget: int
    """Budget of the solver, in positions, once no card lies face down."""


FAIR = SearchSettings(300, 50, 9, 250, 200_000, 0.2, 60_000)
SEED_NOISE = 40
"""The largest evaluation noise of a bot with a seed other than 0, in points."""


class Choice(NamedTuple):
    """A leaf, its features, the logit of its chance to win, and its score.

    The score is the logit plus `SearchSettings.points_weight` for every thousand points.
    """

    leaf: Leaf
    features: list[float]
    logit: float
    score: float


class Model(NamedTuple):
    """The network that ranks leaves, and the calibration of its logits.

    `scales` are pairs of slope and shift: for leaves that turn a card and for those that deal a
    row, each by the number of rows left.
    """

    network: Net
    scales: Sequence[Sequence[Sequence[float]]]

    def calibrate(self, leaf: Leaf, logit: float) -> float:
        """The calibrated logit of `leaf`."""
        slope, shift = self.scales[leaf.deals][leaf.node.state.rows]
        return slope * logit + shift


@cache
def load_model() -> Model:
    """The model fitted by `asterism tune astrocyte`, read once."""
    kept = orjson.loads(files(__package__).joinpath("model.json").read_bytes())
    return Model(Net(**kept["net"]), kept["scales"])


def rank_leaves(
    leaves: list[Leaf], unseen: UnseenCards, network: Net, points_weight: float
) -> list[Choice]:
    """All `leaves` by descending score; ties keep their order."""
    cache: dict[Column, ColumnFeatures] = {}
    rows = [leaf_features(leaf, unseen, cache) for leaf in leaves]
    choices = [
        Choice(leaf, features, logit, logit + points_weight * leaf.value / 1000)
        for leaf, features, logit in zip(leaves, rows, network.logits(rows), strict=True)
    ]
    return sorted(choices, key=lambda choice: choice.score, reverse=True)


class LeafSearch:
    """The leaves that a search finds from a view, and the moves to them."""

    def __init__(self, view: View, settings: SearchSettings, noise: Noise = NO_NOISE) -> None:
        """In `view` the game is not won, no whole run lies on top, and cards lie face down."""
        self._view = view
        self._interner = Interner()
        self._start = state_of_view(self._interner, view)
        leaves = Lookahead(self._interner, self._start, noise).leaves(*settings[:5])
        self.choices = rank_leaves(
            leaves, UnseenCards(self._start), load_model().network, settings.points_weight
        )
        """By descending score; none if no reveal can be reached, only one if it wins."""
        self.key = self._start.key
        """A hash of the visible cards."""

    def moves(self, choice: Choice) -> tuple[Move, ...]:
        """The moves to and including the reveal, or to the win, without steps that can wait."""
        path, leaf = choice.leaf.node.path(), choice.leaf
        if not leaf.deals and not leaf.node.state.won:
            path, _ = split_deferrable(self._interner, self._start, path)
        return moves_until_reveal(self._view, path)


def certain_plan(view: View, budget: int) -> tuple[Move, ...] | None:
    """The plan where no estimate is needed, or None.

    A whole run on top is lifted. If no card lies face down, the solver finds a winning line within
    `budget` positions, or the plan is empty.
    """
    if not view.hidden:
        return solution(view, budget)
    return next_lift(view) or None


def plan(view: View, settings: SearchSettings, seed: int = 0) -> tuple[Move, ...]:
    """The moves to play in a game that is not won, up to the next reveal or to the win.

    Only the last move may turn or deal cards. Empty if no reveal can be reached. A `seed` other
    than 0 adds noise to the evaluation.
    """
    return next(plans(view, settings, seed), ())


def plans(view: View, settings: SearchSettings, seed: int = 0) -> Iterator[tuple[Move, ...]]:
    """Each plan as `plan` gives it, to another state before a reveal, by descending score."""
    certain = certain_plan(view, settings.solver_budget)
    if certain is None:
        with gc_paused():
            search = LeafSearch(view, settings, evaluation_noise(seed))
        yield from map(search.moves, search.choices)
    elif certain:
        yield certain


def evaluation_noise(seed: int) -> Noise:
    """The evaluation noise of a bot with this seed; none for 0."""
    return noise(SEED_NOISE, seed) if seed else NO_NOISE

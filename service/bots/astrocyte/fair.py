"""Fair play of Astrocyte: bots that see what the player sees, and plan to the next piece of news.

What lies before the news is searched; of the leaves found, the one with the best fitted chance
to win is played. Once nothing lies face down, the solver finds the way to the end.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import orjson

from service.games.base import View, position_of_open_view
from service.games.moves import Move
from service.solvers.astrocyte.beam import NO_NOISE, noise
from service.solvers.astrocyte.conversion import after_seen, lifts, moves_seen, state_of_view
from service.solvers.astrocyte.deferral import split_deferrable
from service.solvers.astrocyte.gc_pause import gc_paused
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.lookahead import Leaf, Lookahead
from service.solvers.astrocyte.move_generation import Noise
from service.solvers.astrocyte.solver import solve
from service.solvers.astrocyte.state import Column
from service.solvers.astrocyte.win_chance import ColumnFeatures, Net, UnseenCards, leaf_features
from service.solvers.verdict import Solved


class SearchSettings(NamedTuple):
    """How hard a fair bot thinks about a decision."""

    width: int
    """How many states are opened at each level of the search, and at how many levels at most."""
    levels: int
    patience: int
    """After how many levels without a better leaf the search ends."""
    kept: int
    """Of how many leaves, the best by their points, the chance to win is looked at."""
    trust: float
    """How much a thousand points add to the logit of the chance."""
    room: int
    """How many states may be judged, about."""
    solver: int
    """How many positions may be looked at once nothing lies face down."""


FAIR = SearchSettings(300, 50, 9, 250, 0.2, 200_000, 60_000)
MISJUDGED = 40
"""By how many points, more or less, bots of different seeds see states differently."""


class Choice(NamedTuple):
    """A leaf, the numbers that describe it, the logit of its chance to win, and its worth.

    The worth is the logit and, for every thousand points of the leaf, `Setting.trust`.
    """

    leaf: Leaf
    features: list[float]
    logit: float
    worth: float


class Fitted(NamedTuple):
    """The net that orders leaves, and what puts its logits to the scale of chances.

    `scales` are a slope and a shift each: for leaves where a card is turned, and for those where a
    row is dealt, by the number of rows left.
    """

    net: Net
    scales: Sequence[Sequence[Sequence[float]]]

    def scaled(self, leaf: Leaf, logit: float) -> float:
        """What a logit of `leaf` is on the scale of chances."""
        slope, shift = self.scales[leaf.deals][leaf.reached.state.rows]
        return slope * logit + shift


@cache
def fitted() -> Fitted:
    """The figures that `asterism tune astrocyte` has fitted."""
    kept = orjson.loads(files(__package__).joinpath("model.json").read_bytes())
    return Fitted(Net(**kept["net"]), kept["scales"])


def choices(leaves: list[Leaf], seen: UnseenCards, net: Net, trust: float) -> list[Choice]:
    """All `leaves`, those worth most first; of those worth the same, as they come."""
    traits: dict[Column, ColumnFeatures] = {}
    found = []
    for leaf in leaves:
        features = leaf_features(leaf, seen, traits)
        logit = net.logit(features)
        found.append(Choice(leaf, features, logit, logit + trust * leaf.value / 1000))
    return sorted(found, key=lambda choice: choice.worth, reverse=True)


class Outlook:
    """What a search finds from a view on: the leaves that may be chosen, and the ways to them."""

    def __init__(self, view: View, setting: SearchSettings, misjudged: Noise = NO_NOISE) -> None:
        """The game is not won, no whole run lies on top, and something lies face down."""
        self._view = view
        self._table = Interner()
        self._start = state_of_view(self._table, view)
        leaves = Lookahead(self._table, self._start, misjudged).leaves(*setting[:4], setting.room)
        self.choices = choices(leaves, UnseenCards(self._start), fitted().net, setting.trust)
        """Those worth most first; none if nothing is known to lead on, one if that wins."""
        self.key = self._start.key
        """A number that views have in common which look alike."""

    def moves(self, choice: Choice) -> tuple[Move, ...]:
        """The moves to the news of a leaf, or to the win; what can wait for the news is left."""
        path, leaf = choice.leaf.reached.path(), choice.leaf
        if not leaf.deals and not leaf.reached.state.won:
            path, _ = split_deferrable(self._table, self._start, path)
        return moves_seen(self._view, path)


def certain_plan(view: View, budget: int) -> tuple[Move, ...] | None:
    """What to play where nothing is left to think about: no moves if nothing is known to lead on.

    A whole run on top is lifted; where nothing lies face down, the solver finds the way to the
    end, within its budget of positions. None where news is ahead.
    """
    if not view.hidden:
        verdict = solve(position_of_open_view(view), budget)
        return verdict.moves if isinstance(verdict, Solved) else ()
    return lifts(view) or None


def plan(view: View, setting: SearchSettings, seed: int = 0) -> tuple[Move, ...]:
    """What to play in a game that is not won, up to the next piece of news or to the win.

    The last move alone may turn or deal cards; what a turn does not need is left for after it.
    No moves where nothing is known to lead on. A `seed` other than 0 changes the play a little.
    """
    certain = certain_plan(view, setting.solver)
    if certain is not None:
        return certain
    with gc_paused():
        outlook = Outlook(view, setting, evaluation_noise(seed))
        return outlook.moves(outlook.choices[0]) if outlook.choices else ()


def evaluation_noise(seed: int) -> Noise:
    """How a bot with this seed misjudges states: not at all if it is 0."""
    return noise(MISJUDGED, seed) if seed else NO_NOISE


class PlanningBot:
    """Plays a plan move by move, and plans anew when there is news or the game left the plan."""

    def __init__(self, plan: Callable[[View], tuple[Move, ...]]) -> None:
        """`plan` gives what to play from a view on, no moves where nothing is known to lead on."""
        self._plan = plan
        self._moves: deque[Move] = deque()
        self._expected: View | None = None

    def choose(self, view: View) -> Move | None:
        """The next move of the plan; None where nothing is known to lead on."""
        if not self._moves or self._expected != view:
            self._moves = deque(self._plan(view))
        if not self._moves:
            return None
        move = self._moves.popleft()
        self._expected = after_seen(view, move) if self._moves else None
        return move

"""The fair bot of Astrocyte: it sees what the player sees, and plans to the next piece of news.

What lies before the news is searched; of the leaves found, the one with the best fitted chance
to win is played. Once nothing lies face down, the solver finds the way to the end.
"""

from collections import deque
from functools import cache
from importlib.resources import files
from math import inf
from typing import NamedTuple

import orjson

from service.games.astrocyte.beam import NO_NOISE, noise
from service.games.astrocyte.chances import Net, Seen, Traits, described
from service.games.astrocyte.leaves import Ahead, Leaf
from service.games.astrocyte.packed import Column
from service.games.astrocyte.packing import after_seen, lifts, moves_seen, pack_view
from service.games.astrocyte.table import Table
from service.games.astrocyte.uncollected import uncollected
from service.games.astrocyte.waiting import parted
from service.moves import Move
from service.solvers.astrocyte import solve
from service.solvers.verdict import Solved
from service.variant import View, opened


class Setting(NamedTuple):
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


EVERYDAY = Setting(300, 50, 9, 250, 0.2, 200_000, 60_000)
MISJUDGED = 40
"""By how many points, more or less, bots of different seeds see states differently."""


class Choice(NamedTuple):
    """A leaf, and the numbers that describe it."""

    leaf: Leaf
    features: list[float]


@cache
def fitted() -> Net:
    """The chance to win, as `asterism tune astrocyte` has fitted it."""
    kept = orjson.loads(files(__package__).joinpath("astrocyte-chance.json").read_bytes())
    return Net(**kept["net"])


def plan(view: View, setting: Setting, seed: int = 0) -> tuple[Move, ...]:
    """What to play in a game that is not won, up to the next piece of news or to the win.

    The last move alone may turn or deal cards; what a turn does not need is left for after it.
    No moves where nothing is known to lead on. A `seed` other than 0 changes the play a little.
    """
    if not view.hidden:
        verdict = solve(opened(view), setting.solver)
        return verdict.moves if isinstance(verdict, Solved) else ()
    lift = lifts(view)
    if lift:
        return lift
    with uncollected():
        return moves_seen(view, _steps(view, setting, seed))


def _steps(view: View, setting: Setting, seed: int) -> list[int]:
    """The steps to the news, or none."""
    table = Table()
    start = pack_view(table, view)
    misjudged = noise(MISJUDGED, seed) if seed else NO_NOISE
    leaves = Ahead(table, start, misjudged).leaves(*setting[:4], setting.room)
    if not leaves:
        return []
    leaf = choice(leaves, Seen(start), fitted(), setting.trust).leaf
    path = leaf.reached.path()
    return path if leaf.deals or leaf.reached.state.won else parted(table, start, path)[0]


def choice(leaves: list[Leaf], seen: Seen, net: Net, trust: float) -> Choice:
    """The leaf with the best chance to win, `trust` telling how much its points add to that."""
    traits: dict[Column, Traits] = {}
    best, found = -inf, None
    for leaf in leaves:
        features = described(leaf, seen, traits)
        worth = net.logit(features) + trust * leaf.value / 1000
        if worth > best:
            best, found = worth, Choice(leaf, features)
    assert found is not None
    return found


class Fair:
    """Plays its plan move by move, and plans anew when there is news or the game left the plan."""

    def __init__(self, setting: Setting = EVERYDAY, seed: int = 0) -> None:
        self._setting = setting
        self._seed = seed
        self._moves: deque[Move] = deque()
        self._expected: View | None = None

    def choose(self, view: View) -> Move | None:
        """The next move of the plan; None where nothing is known to lead on."""
        if not self._moves or self._expected != view:
            self._moves = deque(plan(view, self._setting, self._seed))
        if not self._moves:
            return None
        move = self._moves.popleft()
        self._expected = after_seen(view, move) if self._moves else None
        return move

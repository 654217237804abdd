"""The games from which the chance to win in Astrocyte is fitted: rounds of them, and one game.

Each round is played with the chance fitted to the rounds before it, so that the fit has seen
what the choice by that chance leads to: a chance fitted to games that never consulted it is
fooled by the leaves that it overrates. A few moves in a hundred are played at random. By the games
of the last round, with as much search as the bots have, its logits are put to scale.
"""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from service.bots.astrocyte.fair import choices
from service.deals.deal import PublicDeal, start_position
from service.games.astrocyte import ASTROCYTE
from service.games.base import Position
from service.solvers.astrocyte.beam import NO_NOISE
from service.solvers.astrocyte.conversion import lifts, moves_seen, state_of_view
from service.solvers.astrocyte.deferral import split_deferrable
from service.solvers.astrocyte.gc_pause import gc_paused
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.lookahead import Lookahead
from service.solvers.astrocyte.solver import solve
from service.solvers.astrocyte.win_chance import Net, UnseenCards, leaf_features
from service.solvers.verdict import Solved

_ROOM = 1 << 40
_SOLVER = 200_000


class Round(NamedTuple):
    """How the games of one round are played."""

    deals: tuple[range, ...]
    width: tuple[int, int]
    """The least and the greatest width of the search; each game draws one."""
    levels: int
    patience: int
    kept: int
    stray: float
    """The share of decisions that fall on any of the best `among` leaves."""
    among: int
    trust: tuple[float, float]
    """The least and the greatest trust in points; each game draws one."""

    def numbers(self) -> Iterator[int]:
        """The deals of the round, in order."""
        return chain.from_iterable(self.deals)


ROUNDS = (
    Round((range(1_400_001, 1_404_501),), (30, 60), 25, 6, 6, 0.03, 6, (0.0, 0.0)),
    Round(
        (range(1_410_001, 1_411_051), range(1_413_001, 1_414_051)),
        (40, 80),
        30,
        7,
        64,
        0.05,
        12,
        (0.02, 0.7),
    ),
    Round(
        (range(1_430_001, 1_431_001), range(1_434_001, 1_435_001)),
        (60, 160),
        35,
        7,
        128,
        0.04,
        15,
        (0.0, 0.4),
    ),
    Round(
        (range(1_450_001, 1_450_851), range(1_454_001, 1_454_901)),
        (60, 200),
        35,
        7,
        160,
        0.03,
        20,
        (0.0, 0.3),
    ),
    Round(
        (range(1_460_001, 1_460_851), range(1_465_001, 1_465_851)),
        (60, 200),
        35,
        7,
        200,
        0.03,
        20,
        (0.0, 0.4),
    ),
    Round(
        (range(1_700_001, 1_701_668), range(1_720_001, 1_721_668)),
        (150, 450),
        50,
        9,
        250,
        0.03,
        20,
        (0.0, 0.35),
    ),
)
"""The rounds; in the first, the leaf with the most points is played."""

LEARNED = len(ROUNDS) - 1
"""Of how many rounds the fit learns; to the others its logits are put to scale."""


class Played(NamedTuple):
    """A game of a round: whether it was won, and the numbers that describe each leaf played."""

    won: bool
    leaves: list[list[float]]


def play(number: int, how: Round, net: Net | None) -> Played:
    """One game of a round; without a net the leaf with the most points is played."""
    random = Random(number)  # noqa: S311  # a game, not a secret
    width, trust = random.randint(*how.width), random.uniform(*how.trust)
    position = start_position(PublicDeal(ASTROCYTE, number))
    rows: list[list[float]] = []
    while position.view.hidden:
        table = Interner()
        start = state_of_view(table, position.view)
        found = Lookahead(table, start, NO_NOISE).leaves(
            width, how.levels, how.patience, how.kept, _ROOM
        )
        if not found:
            return Played(False, rows)
        if found[0].reached.state.won:
            return Played(True, rows)
        seen = UnseenCards(start)
        if random.random() < how.stray:
            found = [found[random.randrange(min(len(found), how.among))]]
        if net is None or len(found) == 1:
            leaf, row = found[0], leaf_features(found[0], seen, {})
        else:
            leaf, row, *_ = choices(found, seen, net, trust)[0]
        rows.append(row)
        path = (
            leaf.reached.path()
            if leaf.deals
            else split_deferrable(table, start, leaf.reached.path())[0]
        )
        for move in moves_seen(position.view, path):
            position = position.after(move)
        position = _lifted(position)
    return Played(position.view.won or isinstance(solve(position, _SOLVER), Solved), rows)


def played(round: int, fitted: dict[str, Any] | None, number: int) -> dict[str, Any]:
    """One game as a row of the training: `won`, and the `leaves` played."""
    with gc_paused():
        game = play(number, ROUNDS[round], None if fitted is None else Net(**fitted["net"]))
    return {"won": game.won, "leaves": [[round_off(x) for x in leaf] for leaf in game.leaves]}


def round_off(number: float) -> float:
    """To six digits, so that lines are short."""
    return float(f"{number:.6g}")


def _lifted(position: Position) -> Position:
    while lift := lifts(position.view):
        position = position.after(lift[0])
    return position

"""The training games of the Astrocyte model: the settings of each round, and how a game is played.

Each round is played with the model fitted to the rounds before it, so that the model also learns
from leaves that it overrates. A few decisions in a hundred are random. The last round searches as
much as the bots do and serves to calibrate the logits.
"""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from service.bots.astrocyte.fair import rank_leaves
from service.deals.deal import PublicDeal, start_position
from service.games.astrocyte import ASTROCYTE
from service.solvers.astrocyte.beam import NO_NOISE
from service.solvers.astrocyte.conversion import lift_all, moves_until_reveal, state_of_view
from service.solvers.astrocyte.deferral import split_deferrable
from service.solvers.astrocyte.features import UnseenCards, leaf_features
from service.solvers.astrocyte.gc_pause import gc_paused
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.lookahead import Lookahead
from service.solvers.astrocyte.net import Net
from service.solvers.astrocyte.solver import solve
from service.solvers.verdict import Solved

_BUDGET = 1 << 40
_SOLVER_BUDGET = 200_000


class Round(NamedTuple):
    """The deals and search settings of one round; a game draws between the bounds in pairs."""

    deals: tuple[range, ...]
    width: tuple[int, int]
    levels: int
    max_stale_levels: int
    max_leaves: int
    random_share: float
    """The share of decisions that pick a random one of the best `random_leaves` leaves."""
    random_leaves: int
    points_weight: tuple[float, float]

    def numbers(self) -> Iterator[int]:
        """The deal numbers of the round, in order."""
        return chain.from_iterable(self.deals)


def _deals(count: int, *firsts: int) -> tuple[range, ...]:
    """`count` deals from each of `firsts` on."""
    return tuple(range(first, first + count) for first in firsts)


# fmt: off
ROUNDS = (
    Round(_deals(4500, 1_400_001), (30, 60), 25, 6, 6, 0.03, 6, (0.0, 0.0)),
    Round(_deals(1050, 1_410_001, 1_413_001), (40, 80), 30, 7, 64, 0.05, 12, (0.02, 0.7)),
    Round(_deals(1000, 1_430_001, 1_434_001), (60, 160), 35, 7, 128, 0.04, 15, (0.0, 0.4)),
    Round((range(1_450_001, 1_450_851), range(1_454_001, 1_454_901)),
          (60, 200), 35, 7, 160, 0.03, 20, (0.0, 0.3)),
    Round(_deals(850, 1_460_001, 1_465_001), (60, 200), 35, 7, 200, 0.03, 20, (0.0, 0.4)),
    Round(_deals(1667, 1_700_001, 1_720_001), (150, 450), 50, 9, 250, 0.03, 20, (0.0, 0.35)),
)
# fmt: on
"""All rounds; the first has no model yet and plays the leaf with the best evaluation."""

LEARNED = len(ROUNDS) - 1
"""The model is fitted to this many rounds and calibrated with the rest."""


class Played(NamedTuple):
    """A game of a round: whether it was won, and the features of each leaf played."""

    won: bool
    leaves: list[list[float]]


def play(number: int, how: Round, network: Net | None) -> Played:
    """Plays one game of a round; without a network, always the leaf with the best evaluation."""
    random = Random(number)  # noqa: S311  # a game, not a secret
    width, points_weight = random.randint(*how.width), random.uniform(*how.points_weight)
    position = start_position(PublicDeal(ASTROCYTE, number))
    rows: list[list[float]] = []
    while position.view.hidden:
        interner = Interner()
        start = state_of_view(interner, position.view)
        found = Lookahead(interner, start, NO_NOISE).leaves(
            width, how.levels, how.max_stale_levels, how.max_leaves, _BUDGET
        )
        if not found:
            return Played(False, rows)
        if found[0].node.state.won:
            return Played(True, rows)
        unseen = UnseenCards(start)
        if random.random() < how.random_share:
            found = [found[random.randrange(min(len(found), how.random_leaves))]]
        if network is None or len(found) == 1:
            leaf, row = found[0], leaf_features(found[0], unseen, {})
        else:
            leaf, row, *_ = rank_leaves(found, unseen, network, points_weight)[0]
        rows.append(row)
        path = leaf.node.path()
        if not leaf.deals:
            path, _ = split_deferrable(interner, start, path)
        for move in moves_until_reveal(position.view, path):
            position = position.after(move)
        position, _ = lift_all(position)
    return Played(position.view.won or isinstance(solve(position, _SOLVER_BUDGET), Solved), rows)


def play_row(round: int, model: dict[str, Any] | None, number: int) -> dict[str, Any]:
    """One game as a JSON row: `won`, and the `leaves` played."""
    with gc_paused():
        game = play(number, ROUNDS[round], None if model is None else Net(**model["net"]))
    return {"won": game.won, "leaves": [[round_off(x) for x in leaf] for leaf in game.leaves]}


def round_off(number: float) -> float:
    """`number` with six significant digits, to keep lines short."""
    return float(f"{number:.6g}")

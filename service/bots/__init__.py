"""The catalogue of bots and of their training."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from service.bots.astrocyte import fair, strong, training
from service.bots.astrocyte.fair import FAIR
from service.bots.base import Bot, Planner
from service.bots.binary_star.greedy import GreedyBot
from service.bots.planning import PlanningBot, solution
from service.bots.random_bot import RandomBot
from service.errors import InputError
from service.games import VARIANTS
from service.games.astrocyte import ASTROCYTE
from service.games.binary_star import BINARY_STAR
from service.games.moves import Move


@dataclass(frozen=True, slots=True)
class BotSpec:
    """The names of the games that a bot plays, and `make`, which takes a seed and a deal number.

    `searches` says whether it looks ahead, which takes its time.
    """

    variants: tuple[str, ...]
    make: Callable[[int, int], Bot]
    searches: bool = True


@dataclass(frozen=True, slots=True)
class Tuner:
    """How the model of a bot is trained, in rounds of games.

    `rounds` holds the deal numbers of each round. `play` takes a round, the model so far and a deal
    number, and gives a JSON row. `fit` takes the rows of all rounds so far and gives the model and
    its log loss on held-out games; it raises `InputError` if a package is missing.
    """

    rounds: tuple[Sequence[int], ...]
    play: Callable[[int, dict[str, Any] | None, int], dict[str, Any]]
    fit: Callable[[Sequence[Sequence[dict[str, Any]]]], tuple[dict[str, Any], float]]


def _planning_bot(plan: Callable[..., tuple[Move, ...]]) -> Callable[[int, int], Bot]:
    """Makes bots that follow `plan`, called with their seed."""
    return lambda seed, deal: PlanningBot(partial(plan, seed=seed))


def _fit_astrocyte(rounds: Sequence[Sequence[dict[str, Any]]]) -> tuple[dict[str, Any], float]:
    """Fits the model of Astrocyte; raises `InputError` if NumPy is missing."""
    try:
        from service.bots.astrocyte.fit import fit  # noqa: PLC0415  # NumPy is optional
    except ImportError:
        raise InputError("Fitting needs NumPy: install asterism[tune].") from None
    return fit(rounds)


BOTS: dict[str, BotSpec] = {
    "random": BotSpec(
        tuple(VARIANTS), lambda seed, deal: RandomBot(seed * 1_000_003 + deal), searches=False
    ),
    "greedy": BotSpec((BINARY_STAR.name,), lambda seed, deal: GreedyBot(), searches=False),
    "fair": BotSpec((ASTROCYTE.name,), _planning_bot(partial(fair.plan, settings=FAIR))),
    "strong": BotSpec((ASTROCYTE.name,), _planning_bot(strong.plan)),
    "solver": BotSpec(
        (BINARY_STAR.name,), lambda seed, deal: PlanningBot(partial(solution, budget=1_000_000))
    ),
}
"""All bots by name. The solver plays only games without face-down cards."""

TUNERS: dict[str, Tuner] = {
    ASTROCYTE.name: Tuner(
        tuple(tuple(how.numbers()) for how in training.ROUNDS),
        training.play_row,
        _fit_astrocyte,
    )
}
"""The training of trained bots, by the name of the game."""

__all__ = ["BOTS", "TUNERS", "Bot", "BotSpec", "Planner", "Tuner"]

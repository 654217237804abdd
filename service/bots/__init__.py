"""The bots: by name, which games each plays and how one is made."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from service.bots.astrocyte import fair, strong, training
from service.bots.astrocyte.fair import FAIR, PlanningBot
from service.bots.base import Bot, play_out
from service.bots.binary_star.greedy import GreedyBot
from service.bots.perfect import SolverBot
from service.bots.random_bot import RandomBot
from service.errors import InputError
from service.games import VARIANTS
from service.games.astrocyte import ASTROCYTE
from service.games.binary_star import BINARY_STAR
from service.games.moves import Move


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot of the catalogue: the names of the games it plays.

    `make` takes a seed, 0 or more, and the number of the deal to be played.
    """

    variants: tuple[str, ...]
    make: Callable[[int, int], Bot]


@dataclass(frozen=True, slots=True)
class Tuner:
    """How the figures of a bot are made again, in rounds of games.

    `rounds` are the deals of each; `play` plays one of them, given the round and what has been
    fitted so far, and gives a row; `fit` fits to the rows of all rounds so far, and gives the
    figures and the log loss on games held out. `InputError` where a package is missing.
    """

    rounds: tuple[Sequence[int], ...]
    play: Callable[[int, dict[str, Any] | None, int], dict[str, Any]]
    fit: Callable[[Sequence[Sequence[dict[str, Any]]]], tuple[dict[str, Any], float]]


def _planned(plan: Callable[..., tuple[Move, ...]]) -> Callable[[int, int], Bot]:
    """How a bot is made that plays a plan, which takes its seed."""
    return lambda seed, deal: PlanningBot(partial(plan, seed=seed))


def _fit_astrocyte(rounds: Sequence[Sequence[dict[str, Any]]]) -> tuple[dict[str, Any], float]:
    """Fits the chance to win; `InputError` where NumPy is missing."""
    try:
        from service.bots.astrocyte.fit import fit  # noqa: PLC0415  # NumPy, which no game needs
    except ImportError:
        raise InputError("Fitting needs NumPy: install asterism[tune].") from None
    return fit(rounds)


BOTS: dict[str, BotSpec] = {
    "random": BotSpec(tuple(VARIANTS), lambda seed, deal: RandomBot(seed * 1_000_003 + deal)),
    "greedy": BotSpec((BINARY_STAR.name,), lambda seed, deal: GreedyBot()),
    "fair": BotSpec((ASTROCYTE.name,), _planned(partial(fair.plan, setting=FAIR))),
    "strong": BotSpec((ASTROCYTE.name,), _planned(strong.plan)),
    "solver": BotSpec((BINARY_STAR.name,), lambda seed, deal: SolverBot()),
}
"""Every bot, by name. Only a game that hides nothing can be played by the solver."""

TUNERS: dict[str, Tuner] = {
    ASTROCYTE.name: Tuner(
        tuple(tuple(how.numbers()) for how in training.ROUNDS),
        training.played,
        _fit_astrocyte,
    )
}
"""The training of the bots that have been trained, by the name of the game."""

__all__ = ["BOTS", "TUNERS", "Bot", "Entry", "Tuner", "play_out"]

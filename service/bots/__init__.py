"""The catalogue of bots and of their training; what a bot is made of is loaded with the first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from service.bots.base import Bot, Planner
from service.errors import InputError
from service.games import VARIANTS
from service.games.astrocyte import ASTROCYTE
from service.games.binary_star import BINARY_STAR


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

    `rounds` gives the deal numbers of each round. `play` takes a round, the model so far and a deal
    number, and gives a JSON row. `fit` takes the rows of all rounds so far and gives the model and
    its log loss on held-out games; it raises `InputError` if a package is missing.
    """

    rounds: Callable[[], tuple[Sequence[int], ...]]
    play: Callable[[int, dict[str, Any] | None, int], dict[str, Any]]
    fit: Callable[[Sequence[Sequence[dict[str, Any]]]], tuple[dict[str, Any], float]]


# ruff: noqa: PLC0415 - whoever asks for names, or for one bot, needs no search of another


def _random(seed: int, deal: int) -> Bot:
    from service.bots.random_bot import RandomBot

    return RandomBot(seed * 1_000_003 + deal)


def _greedy(seed: int, deal: int) -> Bot:
    from service.bots.binary_star.greedy import GreedyBot

    return GreedyBot()


def _fair(seed: int, deal: int) -> Bot:
    from service.bots.astrocyte.fair import FAIR, plan
    from service.bots.planning import PlanningBot

    return PlanningBot(partial(plan, settings=FAIR, seed=seed))


def _strong(seed: int, deal: int) -> Bot:
    from service.bots.astrocyte.strong import plan
    from service.bots.planning import PlanningBot

    return PlanningBot(partial(plan, seed=seed))


def _solver(seed: int, deal: int) -> Bot:
    from service.bots.planning import PlanningBot, solution

    return PlanningBot(partial(solution, budget=1_000_000))


def _astrocyte_rounds() -> tuple[Sequence[int], ...]:
    from service.bots.astrocyte.training import ROUNDS

    return tuple(tuple(how.numbers()) for how in ROUNDS)


def _play_astrocyte(round: int, model: dict[str, Any] | None, number: int) -> dict[str, Any]:
    from service.bots.astrocyte.training import play_row

    return play_row(round, model, number)


def _fit_astrocyte(rounds: Sequence[Sequence[dict[str, Any]]]) -> tuple[dict[str, Any], float]:
    """Fits the model of Astrocyte; raises `InputError` if NumPy is missing."""
    try:
        from service.bots.astrocyte.fit import fit  # NumPy is optional
    except ImportError:
        raise InputError("Fitting needs NumPy: install asterism[tune].") from None
    return fit(rounds)


BOTS: dict[str, BotSpec] = {
    "random": BotSpec(tuple(VARIANTS), _random, searches=False),
    "greedy": BotSpec((BINARY_STAR.name,), _greedy, searches=False),
    "fair": BotSpec((ASTROCYTE.name,), _fair),
    "strong": BotSpec((ASTROCYTE.name,), _strong),
    "solver": BotSpec((BINARY_STAR.name,), _solver),
}
"""All bots by name. The solver plays only games without face-down cards."""

TUNERS: dict[str, Tuner] = {
    ASTROCYTE.name: Tuner(_astrocyte_rounds, _play_astrocyte, _fit_astrocyte)
}
"""The training of trained bots, by the name of the game."""

__all__ = ["BOTS", "TUNERS", "Bot", "BotSpec", "Planner", "Tuner"]

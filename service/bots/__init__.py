"""The bots: by name, which games each plays and how one is made."""

from collections.abc import Callable
from dataclasses import dataclass

from service.bots.base import Bot, play_out
from service.bots.binary_star import Greedy
from service.bots.chance import Chance
from service.bots.solver import Perfect
from service.games import VARIANTS
from service.games.binary_star import BINARY_STAR


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot of the catalogue: the names of the games it plays; `make` takes a seed."""

    variants: tuple[str, ...]
    make: Callable[[int], Bot]


BOTS: dict[str, Entry] = {
    "random": Entry(tuple(VARIANTS), Chance),
    "greedy": Entry((BINARY_STAR.name,), lambda _: Greedy()),
    "solver": Entry((BINARY_STAR.name,), lambda _: Perfect()),
}
"""Every bot, by name. Only a game that hides nothing can be played by the solver."""

__all__ = ["BOTS", "Bot", "Entry", "play_out"]

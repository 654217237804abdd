"""The random bot, which picks legal moves uniformly."""

from random import Random

from service.games.base import View
from service.games.moves import Move


class RandomBot:
    """Plays at random; bots with equal seeds play the same game."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)  # noqa: S311  # no secret depends on it

    def choose(self, view: View) -> Move | None:
        """Any legal move; None if the game is won or stuck."""
        if view.won or view.stuck:
            return None
        return self._random.choice(view.legal_moves())

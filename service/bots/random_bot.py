"""The bot called random: any legal move, every one as likely."""

from random import Random

from service.games.base import View
from service.games.moves import Move


class RandomBot:
    """Plays at random; two bots of one seed play a game alike."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)  # noqa: S311  # a game, not a secret

    def choose(self, view: View) -> Move | None:
        """Any legal move; None once only undo leads on."""
        if view.won or view.stuck:
            return None
        return self._random.choice(view.legal_moves())

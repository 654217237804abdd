"""What to play next: an adviser a game, each judging by what the player sees and nothing else."""

from collections.abc import Callable, Sequence
from typing import Protocol

from service.games.astrocyte import ASTROCYTE
from service.games.base import View
from service.games.binary_star import BINARY_STAR
from service.games.moves import Move
from service.play.hints.astrocyte import hint as advise_on_astrocyte
from service.play.hints.binary_star import hint as advise_on_binary_star
from service.records.hint import PlannedHint


class HintProvider(Protocol):
    """Gives a hint for a running game, from views alone: what lies face down it cannot know."""

    def __call__(
        self, view: View, plan: Sequence[Move], earlier: Callable[[], Sequence[View]], /
    ) -> PlannedHint:
        """A hint for `view`, and the plan behind it.

        `plan` is what is left of an earlier plan, if the game has followed it; `earlier` gives
        the views of the line before this one, oldest first.
        """


HINT_PROVIDERS: dict[str, HintProvider] = {
    BINARY_STAR.name: advise_on_binary_star,
    ASTROCYTE.name: advise_on_astrocyte,
}
"""The adviser of each game."""

"""The hint providers of the games, which use only what the player sees."""

from collections.abc import Callable, Sequence
from typing import Protocol

from service.games.astrocyte import ASTROCYTE
from service.games.base import View
from service.games.binary_star import BINARY_STAR
from service.games.moves import Move
from service.play.hints.astrocyte import hint as astrocyte_hint
from service.play.hints.binary_star import hint as binary_star_hint
from service.records.hint import PlannedHint


class HintProvider(Protocol):
    """Gives a hint for a running game from views alone, so that no hidden card can leak."""

    def __call__(
        self, view: View, plan: Sequence[Move], earlier: Callable[[], Sequence[View]], /
    ) -> PlannedHint:
        """A hint for `view`, and the plan behind it.

        `plan` is the rest of an earlier plan that the game has followed, or empty; `earlier` gives
        the views of the line before this one, oldest first.
        """


HINT_PROVIDERS: dict[str, HintProvider] = {
    BINARY_STAR.name: binary_star_hint,
    ASTROCYTE.name: astrocyte_hint,
}
"""The hint providers by the name of the game."""

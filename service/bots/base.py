"""The interface of a bot, which sees what a player sees."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from service.games.base import View
from service.games.moves import Move


@runtime_checkable
class Bot(Protocol):
    """Plays one game at a time; it may keep state between moves."""

    def choose(self, view: View) -> Move | str | None:
        """A legal move in `view`, also as text, or None to give up."""


@runtime_checkable
class Planner(Protocol):
    """A bot that names several moves at once, which spares requests."""

    def plan(self, view: View) -> Sequence[Move | str]:
        """Moves to play one after the other, up to the first that turns a card; none give up."""

"""What the screens play at: a table, and the host that lays it out, here or on a service."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal, Protocol

from service.errors import AsterismError
from service.games.base import Variant, View
from service.games.moves import Move
from service.records.game import Status
from service.records.hint import Hint

DealChoice = int | Literal["random", "daily"]
"""A deal number, a random deal, or the deal of the day."""


class TableError(AsterismError):
    """The table refuses a request, in a sentence; the rules refuse moves by `IllegalMoveError`."""


class UnansweredError(TableError):
    """The table did not answer; the same request may succeed later."""


@dataclass(frozen=True, slots=True)
class State:
    """A table as its player sees it.

    `deal` names the deal in words; `ply` moves are played.
    """

    view: View
    legal_moves: tuple[Move, ...]
    status: Status
    stuck: bool
    deal: str
    ply: int
    can_redo: bool

    @property
    def variant(self) -> Variant:
        """The game that is played."""
        return self.view.variant


class Table(Protocol):
    """A game. Each request gives the state after it, and raises `TableError` if it fails."""

    @property
    def state(self) -> State:
        """The table as it is now."""

    @property
    def again(self) -> str:
        """How to come back, in a line for the shell."""

    @property
    def is_watched(self) -> bool:
        """Whether the player only watches."""

    async def play(self, move: Move) -> State:
        """Plays `move`. Raises `IllegalMoveError` if the rules refuse it."""

    async def undo(self, steps: int = 1) -> State:
        """Takes back `steps` moves."""

    async def redo(self) -> State:
        """Plays again the move that was taken back last."""

    async def hint(self) -> Hint:
        """A good move and why, or what is known instead; may take seconds."""

    def changes(self) -> AsyncIterator[State]:
        """What others make of the table, as it happens; for watching."""


class Host(Protocol):
    """Lays out tables."""

    @property
    def place(self) -> str:
        """Where the games are kept, in a few words; empty for here."""

    @property
    def has_daily(self) -> bool:
        """Whether there is a deal of the day."""

    async def new_table(self, variant: Variant, deal: DealChoice) -> Table:
        """A new game. Raises `TableError` if it fails."""

    async def check(self) -> None:
        """Returns if tables can be laid out; raises `TableError` otherwise."""

    async def close(self) -> None:
        """Gives up the connections, if there are any."""

"""The bot that follows a plan, and the plan where no card is hidden: a winning line."""

from collections import deque
from collections.abc import Callable

from service.games.base import View, position_of_open_view, with_stand_ins
from service.games.moves import Move
from service.solvers import SOLVERS, Solved


class PlanningBot:
    """Plays a plan move by move, and plans again after a reveal or when the game left the plan."""

    def __init__(self, plan: Callable[[View], tuple[Move, ...]]) -> None:
        """`plan` gives the moves to play from a view; no moves mean giving up."""
        self._plan = plan
        self._moves: deque[Move] = deque()
        self._expected: View | None = None

    def plan(self, view: View) -> tuple[Move, ...]:
        """All moves to play from `view`; no moves mean giving up."""
        return self._plan(view)

    def choose(self, view: View) -> Move | None:
        """The next move of the plan; None if the plan is empty."""
        if not self._moves or self._expected != view:
            self._moves = deque(self._plan(view))
        if not self._moves:
            return None
        move = self._moves.popleft()
        self._expected = with_stand_ins(view).after(move).view if self._moves else None
        return move


def solution(view: View, budget: int) -> tuple[Move, ...]:
    """A line that wins; empty if none is found within `budget` positions.

    Raises `ValueError` if a card lies face down.
    """
    verdict = SOLVERS[view.variant.name](position_of_open_view(view), budget)
    return verdict.moves if isinstance(verdict, Solved) else ()

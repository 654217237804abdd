"""The solver bot, for games without face-down cards: it follows a winning line or gives up."""

from collections import deque

from service.games.base import View, position_of_open_view
from service.games.moves import Move
from service.solvers import SOLVERS, Solved


class SolverBot:
    """Solves the game at its first move, and again whenever the game left its line."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self._budget = budget
        self._line: deque[Move] = deque()
        self._expected: View | None = None

    def choose(self, view: View) -> Move | None:
        """The next move of a winning line; None if none is found within the budget."""
        position = position_of_open_view(view)
        if view != self._expected:
            verdict = SOLVERS[view.variant.name](position, self._budget)
            self._line = deque(verdict.moves if isinstance(verdict, Solved) else ())
        if not self._line:
            return None
        move = self._line.popleft()
        self._expected = position.after(move).view
        return move

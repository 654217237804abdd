"""The solver of Astrocyte with all cards known: a beam search in stages, one for each row left.

Each attempt expands the best states of a stage level by level. The row is also dealt onto each of
them, and the best results start the next stage. If an attempt fails, the next one is wider and
adds noise to the evaluation. The search space is too large to prove a loss: the answer is a
winning line or "unknown".
"""

from typing import Final

from service.games.base import Position
from service.solvers.astrocyte.beam import NO_NOISE, Expansion, Node, append_steps, noise
from service.solvers.astrocyte.constants import ROW
from service.solvers.astrocyte.conversion import moves_of, rows_of, to_state
from service.solvers.astrocyte.gc_pause import gc_paused
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.steps import dealt, fill_empty_columns, lift_whole_runs
from service.solvers.verdict import GaveUp, Solved, Verdict, check_budget

FORM: Final = "plain" if __file__.endswith(".py") else "compiled"
"""Whether this module runs as plain Python or compiled; both give the same answers."""

BUDGET = 4_000_000
WIDTH = 20
"""Beam width of the first attempts."""
ATTEMPTS_PER_WIDTH = 2
NOISE = 200
"""The largest evaluation noise in points, of every attempt but the first: one suited pair."""
LEVELS, LAST_LEVELS = 80, 250
"""Maximum number of levels of a stage: while rows are left, and after the last row."""
MAX_STALE_LEVELS, LAST_MAX_STALE_LEVELS = 12, 60
"""A stage ends after this many levels without improvement."""


def solve(position: Position, budget: int = BUDGET) -> Verdict:
    """`Solved` with a winning line from `position`, or `GaveUp` once `budget` positions were seen.

    The line lifts every whole run as soon as it lies on top (A10). The state that exceeds the
    budget is still expanded completely; a search that runs out of states gives up early. Raises
    `InputError` for a budget below 1.
    """
    check_budget(budget)
    if position.view.won:
        return Solved((), 1)
    with gc_paused():
        steps, positions = _run_search(position, budget)
    if steps is None:
        return GaveUp(positions)
    return Solved(moves_of(position, steps), positions)


def _run_search(position: Position, budget: int) -> tuple[list[int] | None, int]:
    """The steps to a win or None, and the number of positions; all other objects are freed."""
    search = _Search(position, budget)
    return search.run(), search.positions


class _Search:
    """Consecutive attempts within one budget."""

    def __init__(self, position: Position, budget: int) -> None:
        self.interner = Interner()
        start = to_state(self.interner, position)
        self.start = lift_whole_runs(
            self.interner, start.columns, start.cells, start.foundations, start.rows
        )
        self.rows = rows_of(position)
        self.budget = budget
        self.positions = 1
        self.pruned = True
        """Whether the last attempt dropped any state."""
        self.noise = NO_NOISE
        """The evaluation noise of the attempt; none in the first."""

    def run(self) -> list[int] | None:
        """The steps of a winning line, or None once the budget or the states are exhausted."""
        if self.start.won:
            return []
        attempts = 0
        while self.pruned and self.positions < self.budget:
            self.pruned, self.noise = False, noise(NOISE, attempts) if attempts else NO_NOISE
            won = self._attempt(WIDTH << attempts // ATTEMPTS_PER_WIDTH)
            if won is not None:
                return won.path()
            attempts += 1
        return None

    def _attempt(self, width: int) -> Node | None:
        """One pass through all stages: a won node, or None."""
        beam = [Node(self.start, None, 0)]
        for rows in range(self.start.rows, -1, -1):
            stage = _Stage(self, width, rows)
            won = stage.run(beam)
            if won is not None:
                return won
            beam = stage.next_beam()
        return None


class _Stage:
    """The search between two rows, and the states reached by dealing the next row."""

    def __init__(self, search: _Search, width: int, rows: int) -> None:
        self.search = search
        self.interner = search.interner
        self.width = width
        self.rows = rows
        self.row = search.rows[len(search.rows) - rows] if rows else []
        self.known: KeySet = KeySet(0)
        self.best = -(1 << 40)
        """The best value found: after dealing the next row, if rows are left."""
        self.threshold = self.best
        """States below this value are not among the best `width` after dealing."""
        self.dealt: dict[int, Node] = {}
        """The best nodes after dealing, by key; at most `width` after each level."""
        self.values: dict[int, int] = {}
        """Their values, by key."""

    def run(self, beam: list[Node]) -> Node | None:
        """Searches level by level from `beam`: a won node, or None."""
        levels, max_stale = LEVELS, MAX_STALE_LEVELS
        if not self.rows:
            levels, max_stale = LAST_LEVELS, LAST_MAX_STALE_LEVELS
        stale = 0
        self.known = KeySet(self.width * levels)
        for node in beam:
            self.known.add(node.state.key)
        for _ in range(levels):
            before = self.best
            if self.rows:
                self._deal_row(beam)
            beam = self._next_level(beam)
            if beam and beam[0].state.won:
                return beam[0]
            if not beam or self.search.positions == self.search.budget:
                return None
            stale = 0 if self.best > before else stale + 1
            if stale == max_stale:
                break
        self.search.pruned = True
        return None

    def next_beam(self) -> list[Node]:
        """The nodes that start the next stage, the best first."""
        return [self.dealt[key] for key in self._order()]

    def _next_level(self, beam: list[Node]) -> list[Node]:
        """The best `width` nodes one step from those of `beam`, the best first."""
        search = self.search
        expansion = Expansion(self.interner, beam, self.known, search.noise)
        if not expansion.run(self.width, search.budget - search.positions):
            search.pruned = True
        search.positions += expansion.found.evaluated
        level = expansion.best(self.width)
        if level and not self.rows:
            self.best = max(self.best, level[0].state.value)
        return level

    def _deal_row(self, beam: list[Node]) -> None:
        """Deals the row onto each state of `beam` without empty columns, and keeps the best.

        Empty columns are filled only as long as no row could be dealt: later, enough states
        without empty columns come up by themselves.
        """
        search = self.search
        for node in beam:
            if search.positions >= search.budget:
                break
            steps: list[int] = []
            state = node.state
            if state.gaps:
                full = None if self.dealt else fill_empty_columns(self.interner, state)
                if full is None:
                    continue
                state, steps = full
            state = dealt(self.interner, state, self.row)
            search.positions += 1
            value = state.value + search.noise.of(state.key)
            if value < self.threshold:
                search.pruned = True
            elif state.key not in self.dealt:
                self.best = max(self.best, value)
                self.values[state.key] = value
                self.dealt[state.key] = append_steps([*steps, ROW], node, state)
        if len(self.dealt) > self.width:
            search.pruned = True
            self._keep_best()

    def _keep_best(self) -> None:
        """Keeps the best `width` nodes after dealing."""
        kept = self._order()[: self.width]
        self.threshold = self.values[kept[self.width - 1]]
        self.dealt = {key: self.dealt[key] for key in kept}
        self.values = {key: self.values[key] for key in kept}

    def _order(self) -> list[int]:
        """The keys of the nodes after dealing, by descending value, then by descending key."""
        keys = sorted(self.dealt, reverse=True)
        keys.sort(key=self.values.__getitem__, reverse=True)
        return keys

"""The solver of Astrocyte, all cards known: a beam search in stages, one for each row dealt.

A try keeps, level by level, the best so many states of a stage and opens them all; each of them
is also dealt on at once, and the best of what that gives begins the next stage. Where a try ends
without a win, the next is wider, and judges states a little at random. There are far too many
positions to prove that none is won: the answer is a winning line or none.
"""

from typing import Final

from service.games.base import Position
from service.solvers.astrocyte.beam import NO_NOISE, Expansion, Node, append_steps, noise
from service.solvers.astrocyte.constants import ROW
from service.solvers.astrocyte.conversion import moves_of, rows_of, to_state
from service.solvers.astrocyte.gc_pause import gc_paused
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.move_generation import dealt, fill_empty_columns, lift_whole_runs
from service.solvers.verdict import GaveUp, Solved, Verdict, check_budget

FORM: Final = "plain" if __file__.endswith(".py") else "compiled"
"""The form that runs: both come of one source and give the same answers."""

BUDGET = 4_000_000
WIDTH = 20
"""How many states the first two tries open at each level."""
TRIES_AT_A_WIDTH = 2
NOISE = 200
"""By how many points, more or less, every try but the first misjudges a state: a suited pair."""
LEVELS, LAST_LEVELS = 80, 250
"""How many levels a stage has at most, before the last row is dealt and after."""
PATIENCE, LAST_PATIENCE = 12, 60
"""After how many levels without a better state a stage ends."""


def solve(position: Position, budget: int = BUDGET) -> Verdict:
    """A winning line from `position`, or no answer once `budget` positions have been looked at.

    Any position that a game can reach will do, face-down cards and stock included. The line lifts
    every whole run as soon as it lies on top (A10). `InputError` for a budget below 1. The state
    that uses the budget up is still opened to the end; a search that comes to an end of what it
    can meet gives up early.
    """
    check_budget(budget)
    if position.view.won:
        return Solved((), 1)
    with gc_paused():
        steps, positions = _searched(position, budget)
    if steps is None:
        return GaveUp(positions)
    return Solved(moves_of(position, steps), positions)


def _searched(position: Position, budget: int) -> tuple[list[int] | None, int]:
    """The steps to a win, if found, and how many positions were looked at; nothing else is left."""
    search = _Search(position, budget)
    return search.run(), search.positions


class _Search:
    """Tries, one after another, within one budget."""

    def __init__(self, position: Position, budget: int) -> None:
        self.table = Interner()
        start = to_state(self.table, position)
        self.start = lift_whole_runs(
            self.table, start.columns, start.cells, start.foundations, start.rows
        )
        self.rows = rows_of(position)
        self.budget = budget
        self.positions = 1
        self.cut = True
        """Whether the last try left anything out that it came to."""
        self.noise = NO_NOISE
        """By how much the try misjudges states, the first not at all."""

    def run(self) -> list[int] | None:
        """The steps of a winning line, or None where the budget or the positions are at an end."""
        if self.start.won:
            return []
        tries = 0
        while self.cut and self.positions < self.budget:
            self.cut, self.noise = False, noise(NOISE, tries) if tries else NO_NOISE
            won = self._try(WIDTH << tries // TRIES_AT_A_WIDTH)
            if won is not None:
                return won.path()
            tries += 1
        return None

    def _try(self, width: int) -> Node | None:
        """The way to a win, or None: one pass through all stages."""
        beam = [Node(self.start, None, 0)]
        for rows in range(self.start.rows, -1, -1):
            stage = _Stage(self, width, rows)
            won = stage.run(beam)
            if won is not None:
                return won
            beam = stage.beyond()
        return None


class _Stage:
    """The search between two rows: the states opened, and what comes of dealing on from them."""

    def __init__(self, search: _Search, width: int, rows: int) -> None:
        self.search = search
        self.table = search.table
        self.width = width
        self.rows = rows
        self.row = search.rows[len(search.rows) - rows] if rows else []
        self.known: KeySet = KeySet(0)
        self.best = -(1 << 40)
        """The best value that the stage has come to: of a state dealt on to, if rows are left."""
        self.least = self.best
        """What is worth less is not among the best `width` of what was dealt on to."""
        self.dealt: dict[int, Node] = {}
        """What was dealt on to, by key; the best `width` after a level."""
        self.values: dict[int, int] = {}
        """The values of those, by key."""

    def run(self, beam: list[Node]) -> Node | None:
        """Opens `beam`, and the best of what comes of it, level by level; the way to a win."""
        levels, patience = (LEVELS, PATIENCE) if self.rows else (LAST_LEVELS, LAST_PATIENCE)
        stale = 0
        self.known = KeySet(self.width * levels)
        for reached in beam:
            self.known.add(reached.state.key)
        for _ in range(levels):
            before = self.best
            if self.rows:
                self._deal_on(beam)
            beam = self._next_level(beam)
            if beam and beam[0].state.won:
                return beam[0]
            if not beam or self.search.positions == self.search.budget:
                return None
            stale = 0 if self.best > before else stale + 1
            if stale == patience:
                break
        self.search.cut = True
        return None

    def beyond(self) -> list[Node]:
        """The states that the next stage begins with, the best first."""
        return [self.dealt[key] for key in self._order()]

    def _next_level(self, beam: list[Node]) -> list[Node]:
        """The best `width` states a step from those of `beam`, the best first."""
        search = self.search
        opened = Expansion(self.table, beam, self.known, search.noise)
        if not opened.run(self.width, search.budget - search.positions):
            search.cut = True
        search.positions += opened.found.judged
        level = opened.best(self.width)
        if level and not self.rows:
            self.best = max(self.best, level[0].state.value)
        return level

    def _deal_on(self, beam: list[Node]) -> None:
        """Deals a row onto each state of `beam` that has no empty column, and keeps the best.

        Columns are filled for the purpose only until something could be dealt on: states without
        empty columns are worth less, but enough of them come up by themselves.
        """
        search = self.search
        for reached in beam:
            if search.positions >= search.budget:
                break
            steps: list[int] = []
            state = reached.state
            if state.gaps:
                full = None if self.dealt else fill_empty_columns(self.table, state)
                if full is None:
                    continue
                state, steps = full
            state = dealt(self.table, state, self.row)
            search.positions += 1
            value = state.value + search.noise.of(state.key)
            if value < self.least:
                search.cut = True
            elif state.key not in self.dealt:
                self.best = max(self.best, value)
                self.values[state.key] = value
                self.dealt[state.key] = append_steps([*steps, ROW], reached, state)
        if len(self.dealt) > self.width:
            search.cut = True
            self._keep_best()

    def _keep_best(self) -> None:
        """Keeps the best `width` of what was dealt on to."""
        kept = self._order()[: self.width]
        self.least = self.values[kept[self.width - 1]]
        self.dealt = {key: self.dealt[key] for key in kept}
        self.values = {key: self.values[key] for key in kept}

    def _order(self) -> list[int]:
        """The keys of what was dealt on to, the best first; of equal ones, the greatest key."""
        keys = sorted(self.dealt, reverse=True)
        keys.sort(key=self.values.__getitem__, reverse=True)
        return keys

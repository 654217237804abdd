"""The solver of Astrocyte, all cards known: a beam search in stages, one for each row dealt.

A try keeps, level by level, the best so many states of a stage and opens them all; each of them
is also dealt on at once, and the best of what that gives begins the next stage. Where a try ends
without a win, the next is wider, and judges states a little at random. There are far too many
positions to prove that none is won: the answer is a winning line or none.
"""

from bisect import bisect_right

from service.games.astrocyte.packed import State
from service.games.astrocyte.packing import moves_of, pack, rows_of
from service.games.astrocyte.steps import (
    ROW,
    Child,
    after,
    children,
    dealt,
    filled,
    seldom,
    settled,
)
from service.games.astrocyte.table import Table
from service.solvers.verdict import GaveUp, Solved, Verdict, check_budget
from service.variant import Position

BUDGET = 1_000_000
WIDTH = 20
"""How many states the first two tries open at each level."""
TRIES_AT_A_WIDTH = 2
NOISE = 200
"""By how many points, more or less, every try but the first misjudges a state: a suited pair."""
LEVELS, LAST_LEVELS = 80, 250
"""How many levels a stage has at most, before the last row is dealt and after."""
PATIENCE, LAST_PATIENCE = 12, 60
"""After how many levels without a better state a stage ends."""

_MIX = 0x2545F4914F6CDD1D


def solve(position: Position, budget: int = BUDGET) -> Verdict:
    """A winning line from `position`, or no answer once `budget` positions have been looked at.

    Any position that a game can reach will do, face-down cards and stock included. The line lifts
    every whole run as soon as it lies on top (A10). `InputError` for a budget below 1. A search
    that comes to an end of what it can meet gives up early.
    """
    check_budget(budget)
    if position.view.won:
        return Solved((), 1)
    search = _Search(position, budget)
    steps = search.run()
    if steps is None:
        return GaveUp(search.positions)
    return Solved(moves_of(position, steps), search.positions)


class _Path:
    """The steps to a state: those to an earlier one, and a few more."""

    __slots__ = ("before", "steps")

    def __init__(self, before: "_Path | None", steps: list[int]) -> None:
        self.before = before
        self.steps = steps

    def whole(self) -> list[int]:
        """All the steps from the first state."""
        parts: list[list[int]] = []
        path: _Path | None = self
        while path is not None:
            parts.append(path.steps)
            path = path.before
        return [step for part in reversed(parts) for step in part]


class _Reached:
    """A state that the search opens, and the way to it."""

    __slots__ = ("path", "state")

    def __init__(self, state: State, path: _Path) -> None:
        self.state = state
        self.path = path


class _Search:
    """Tries, one after another, within one budget."""

    def __init__(self, position: Position, budget: int) -> None:
        self.table = Table()
        start = pack(self.table, position)
        self.start = settled(self.table, start.columns, start.cells, start.foundations, start.rows)
        self.rows = rows_of(position)
        self.budget = budget
        self.positions = 1
        self.cut = True
        """Whether the last try left anything out that it came to."""
        self.salt = 0
        """What the misjudgements of a try depend on; there are none at 0."""

    def run(self) -> list[int] | None:
        """The steps of a winning line, or None where the budget or the positions are at an end."""
        if self.start.won:
            return []
        tries = 0
        while self.cut and self.positions < self.budget:
            self.cut, self.salt = False, tries
            path = self._try(WIDTH << tries // TRIES_AT_A_WIDTH)
            if path is not None:
                return path.whole()
            tries += 1
        return None

    def _try(self, width: int) -> _Path | None:
        """The way to a win, or None: one pass through all stages."""
        beam = [_Reached(self.start, _Path(None, []))]
        for rows in range(self.start.rows, -1, -1):
            stage = _Stage(self, width, rows)
            won = stage.run(beam)
            if won is not None:
                return won
            beam = stage.beyond()
        return None

    def misjudged(self, value: int, key: int) -> int:
        """`value`, give or take what the key and the try decide."""
        if not self.salt:
            return value
        random = (key ^ self.salt) * _MIX >> 40 & 0xFFFF
        return value + random % (2 * NOISE + 1) - NOISE


class _Stage:
    """The search between two rows: the states opened, and what comes of dealing on from them."""

    def __init__(self, search: _Search, width: int, rows: int) -> None:
        self.search = search
        self.table = search.table
        self.width = width
        self.rows = rows
        self.row = search.rows[-rows] if rows else []
        self.known: set[int] = set()
        self.best = -(1 << 40)
        """The best value that the stage has come to: of a state dealt on to, if rows are left."""
        self.dealt: dict[int, tuple[int, int, _Reached]] = {}
        """What was dealt on to, by key: value, key and state; the best `width` after a level."""

    def run(self, beam: list[_Reached]) -> _Path | None:
        """Opens `beam`, and the best of what comes of it, level by level; the way to a win."""
        levels, patience = (LEVELS, PATIENCE) if self.rows else (LAST_LEVELS, LAST_PATIENCE)
        stale = 0
        self.known = {reached.state.key for reached in beam}
        for _ in range(levels):
            before = self.best
            if self.rows:
                self._deal_on(beam)
            beam = self._next_level(beam)
            if beam and beam[0].state.won:
                return beam[0].path
            if not beam or self.search.positions == self.search.budget:
                return None
            stale = 0 if self.best > before else stale + 1
            if stale == patience:
                break
        self.search.cut = True
        return None

    def beyond(self) -> list[_Reached]:
        """The states that the next stage begins with, the best first."""
        return [reached for _, _, reached in sorted(self.dealt.values(), reverse=True, key=_rank)]

    def _next_level(self, beam: list[_Reached]) -> list[_Reached]:
        """The best `width` states a step from those of `beam`, the best first."""
        search = self.search
        found: list[Child] = []
        ends: list[int] = []
        """How many states are found when each of `beam` has been opened."""
        room = search.budget - search.positions
        for steps_from in (children, seldom):
            for reached in beam:
                if len(found) < room:
                    steps_from(self.table, reached.state, self.known, found)
                ends.append(len(found))
            if len(found) >= self.width:
                search.cut = True
                break
        del found[room:]
        search.positions += len(found)
        if search.salt:
            found = [(search.misjudged(value, key), key, step) for value, key, step in found]
        order = sorted(range(len(found)), key=found.__getitem__, reverse=True)
        level = []
        for place in order[: self.width]:
            parent = beam[bisect_right(ends, place) % len(beam)]
            step = found[place][2]
            state = after(self.table, parent.state, step)
            level.append(_Reached(state, _Path(parent.path, [step])))
        if found and not self.rows:
            self.best = max(self.best, found[order[0]][0])
        return level

    def _deal_on(self, beam: list[_Reached]) -> None:
        """Deals a row onto each state of `beam` that has no empty column, and keeps the best.

        Columns are filled for the purpose only until something could be dealt on: states without
        empty columns are worth less, but enough of them come up by themselves.
        """
        search = self.search
        for reached in beam:
            if search.positions == search.budget:
                break
            if self.dealt and reached.state.gaps:
                continue
            full = filled(self.table, reached.state)
            if full is None:
                continue
            state = dealt(self.table, full[0], self.row)
            search.positions += 1
            if state.key not in self.dealt:
                value = search.misjudged(state.value, state.key)
                self.best = max(self.best, value)
                path = _Path(reached.path, [*full[1], ROW])
                self.dealt[state.key] = (value, state.key, _Reached(state, path))
        if len(self.dealt) > self.width:
            search.cut = True
            best = sorted(self.dealt.values(), reverse=True, key=_rank)[: self.width]
            self.dealt = {entry[1]: entry for entry in best}


def _rank(entry: tuple[int, int, _Reached]) -> tuple[int, int]:
    """What states dealt on to are ordered by: the value, and the key where it is alike."""
    return entry[:2]

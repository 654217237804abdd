"""Hints for Binary Star: a winning move, or a proof that the position is lost."""

from collections.abc import Callable, Sequence

from service.games.base import View, position_of_open_view
from service.games.moves import Move
from service.records.hint import Hint, PlannedHint, count_moves
from service.solvers.binary_star.solver import solve
from service.solvers.verdict import GaveUp, Solved, Unwinnable

POSITIONS_PER_HINT = 100_000
"""The budget of a hint, and again as many to find where a lost game was still winnable."""

_SHARE = 2
"""One earlier position may use half of the budget that is left for all of them."""


def hint(view: View, plan: Sequence[Move], earlier: Callable[[], Sequence[View]], /) -> PlannedHint:
    """The next move of a winning line, or the proof that there is none.

    The line is the plan from then on: following the hints wins without further searches.
    """
    if plan:
        return _continue(plan)
    verdict = solve(position_of_open_view(view), POSITIONS_PER_HINT)
    if isinstance(verdict, Solved):
        return _continue(verdict.moves)
    if isinstance(verdict, GaveUp):
        why = f"Unknown: {verdict.positions} positions searched, neither a win nor a proof found."
        return PlannedHint(Hint(None, why, verdict.name))
    return _lost(verdict, earlier())


def _continue(line: Sequence[Move]) -> PlannedHint:
    why = "This move wins." if len(line) == 1 else f"The first of {len(line)} moves that win."
    return PlannedHint(Hint(line[0], why, Solved.name), tuple(line))


def _lost(verdict: Unwinnable, earlier: Sequence[View]) -> PlannedHint:
    why = f"Lost: all {verdict.positions} reachable positions were searched. "
    last, line, lost = _where_lost(earlier)
    steps = None
    if lost == 0:
        why += "It was lost from the start."
    elif not line:
        why += "No earlier position is known to be winnable."
    else:
        steps, undecided = len(earlier) - last, lost - last - 1
        why += f"The game was still winnable {count_moves(steps)} ago"
        why += f"; the {undecided} positions since then are undecided." if undecided else "."
    return PlannedHint(Hint(None, why, verdict.name, steps), line)


def _where_lost(views: Sequence[View]) -> tuple[int, tuple[Move, ...], int]:
    """Where a game was lost: the last view known to be winnable, the first known to be lost.

    Between their indices stands a line that wins from the former, or an empty one if none is known.

    A bisection, as lost games stay lost. A view that its share of the budget does not decide is
    skipped, and later views are tried first, as their searches are smaller.
    """
    found, line, lost, budget = -1, tuple[Move, ...](), len(views), POSITIONS_PER_HINT
    gaps = [range(lost)]
    while gaps and budget >= _SHARE:
        gap = gaps.pop()
        if not gap:
            continue
        half = len(gap) // 2
        verdict = solve(position_of_open_view(views[gap[half]]), budget // _SHARE)
        budget -= verdict.positions
        if isinstance(verdict, Solved):
            found, line, gaps = gap[half], verdict.moves, [gap[half + 1 :]]
        elif isinstance(verdict, Unwinnable):
            lost = gap[half]
            gaps.append(gap[:half])
        else:
            gaps += gap[:half], gap[half + 1 :]
    return found, line, lost

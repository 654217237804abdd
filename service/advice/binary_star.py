"""Advice on Binary Star: all cards are seen, so the truth about the position can be told."""

from collections.abc import Callable, Sequence

from service.advice.hint import Advice, Hint
from service.moves import Move
from service.solvers.binary_star import solve
from service.solvers.verdict import GaveUp, Solved, Unwinnable, Verdict
from service.variant import View, opened

BUDGET = 100_000
"""Positions that a hint may look at, and as many again to find where a lost game was winnable."""


def advise(view: View, plan: Sequence[Move], earlier: Callable[[], Sequence[View]], /) -> Advice:
    """The next move of a winning line, or the proof that there is none.

    The line is the plan from then on: who follows the hints from one that says winnable wins,
    and no hint on the way has to search again.
    """
    if plan:
        return _onwards(plan)
    verdict = solve(opened(view), BUDGET)
    if isinstance(verdict, Solved):
        return _onwards(verdict.moves)
    if isinstance(verdict, GaveUp):
        why = f"Not known: {verdict.positions} positions looked at, no win among them, no proof."
        return Advice(Hint(None, why, verdict.word))
    return Advice(_lost(verdict, earlier()))


def _onwards(line: Sequence[Move]) -> Advice:
    left = "This move wins." if len(line) == 1 else f"The first of {len(line)} moves that win."
    return Advice(Hint(line[0], left, Solved.word), tuple(line))


def _lost(verdict: Unwinnable, earlier: Sequence[View]) -> Hint:
    proof = f"Lost: all {verdict.proof.positions} positions that can follow have been looked at."
    last = _last_winnable(earlier)
    if last is None:
        return Hint(None, f"{proof} No earlier one is known to be winnable.", verdict.word)
    steps = len(earlier) - last
    back = "the last move" if steps == 1 else f"{steps} moves"
    return Hint(None, f"{proof} Before {back} the game could be won.", verdict.word, steps)


def _last_winnable(views: Sequence[View]) -> int | None:
    """The place of the last view known to be winnable; what is lost stays lost, so halve."""
    low, high, budget, found = 0, len(views), BUDGET, None
    while low < high and budget > 0:
        middle = (low + high) // 2
        verdict = solve(opened(views[middle]), budget)
        budget -= _spent(verdict)
        if isinstance(verdict, Solved):
            low, found = middle + 1, middle
        else:
            high = middle
    return found


def _spent(verdict: Verdict) -> int:
    return verdict.proof.positions if isinstance(verdict, Unwinnable) else verdict.positions

"""Hints for Astrocyte: the plan of the fair bot, and what it leads to."""

from collections.abc import Callable, Sequence

from service.bots.astrocyte.fair import FAIR, plan, plans
from service.games.base import View, with_stand_ins
from service.games.moves import DEAL, Move
from service.records.hint import Hint, PlannedHint, count_moves
from service.solvers.astrocyte.conversion import next_lift

POSITIONS = 300_000
"""The budget of the second search, where the fair bot would give up."""

_WIDER = FAIR._replace(
    width=600, levels=100, max_stale_levels=100, budget=POSITIONS, solver_budget=POSITIONS
)
_BACK, _MOST_BACK = FAIR._replace(width=100, levels=30), 12
"""The search from an earlier position, and how many of these are searched at most."""

_NO_PLAN = (
    f"A search of up to {POSITIONS:,} positions found no way to turn a card, deal a row or win"
)


def hint(view: View, kept: Sequence[Move], earlier: Callable[[], Sequence[View]], /) -> PlannedHint:
    """The next move of a plan up to the next reveal or to the win.

    Equal views get equal hints; a plan that the game has followed is continued. If no plan is
    found, the hint says from which earlier position there is one.
    """
    moves = tuple(kept) or plan(view, FAIR) or plan(view, _WIDER)
    if not moves:
        return _without_plan(view, earlier())
    count, effects = _effects(view, moves)
    if count > 1:
        why = f"The first of {count} moves that {' and '.join(effects)}."
    else:
        verbs = [effect.partition(" ") for effect in effects]
        why = f"This move {' and '.join(f'{verb}s{gap}{rest}' for verb, gap, rest in verbs)}."
    return PlannedHint(Hint(moves[0], why, "unknown" if view.hidden else "winnable"), moves)


def _without_plan(view: View, earlier: Sequence[View]) -> PlannedHint:
    """The hint where no plan is found: how many moves to undo for a plan to unseen cards."""
    starts = _starts(earlier)[:_MOST_BACK]
    for start in starts:
        for moves in plans(earlier[start], _BACK):
            source = moves[-1].source
            if earlier[start][source].hidden > view[source].hidden:
                continue  # that card or row has been seen since
            count, effects = _effects(earlier[start], moves)
            could = f"{count_moves(count)} could {' and '.join(effects)}"
            steps = len(earlier) - start
            why = f"{_NO_PLAN}. {count_moves(steps)} ago, {could}."
            return PlannedHint(Hint(None, why, "unknown", steps), moves)
    why = f"{_NO_PLAN}, nor any to unseen cards from {len(starts)} earlier ones."
    return PlannedHint(Hint(None, why, "unknown"))


def _starts(views: Sequence[View]) -> list[int]:
    """The indices of the first view and of those after a reveal, the last first.

    All that can be seen from a view until the next reveal can be seen from these. Left out are
    those with a whole run on top, which is lifted first.
    """
    reveals = [n for n in range(1, len(views)) if views[n].hidden < views[n - 1].hidden]
    return [n for n in (*reversed(reveals), 0) if views and not next_lift(views[n])]


def _effects(view: View, moves: Sequence[Move]) -> tuple[int, list[str]]:
    """The number of `moves` up to the first reveal or the win, and their effects in words."""
    if not view.hidden:
        return len(moves), ["win"]
    runs = 0
    effects: list[str] = []
    for count, move in enumerate(moves, start=1):
        if move == DEAL:
            return count, [*effects, "deal a row"]
        source = view[move.source]
        runs += view[move.target].kind == "foundation"
        if runs:
            effects = ["complete a run" if runs == 1 else f"complete {runs} runs"]
        if source.hidden and len(source.cards) == move.count:
            return count, [*effects, f"turn a card of {source.id}"]
        view = with_stand_ins(view).after(move).view
    return len(moves), effects

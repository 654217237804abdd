"""Hints for Astrocyte: the plan of the fair bot, and what it leads to."""

from collections.abc import Callable, Sequence

from service.bots.astrocyte.fair import FAIR, plan
from service.games.base import View
from service.games.moves import DEAL, Move
from service.records.hint import Hint, PlannedHint
from service.solvers.astrocyte.conversion import view_after

_NO_PLAN = "No moves found that turn a card, deal a row or win. Only undo is left."


def hint(view: View, kept: Sequence[Move], earlier: Callable[[], Sequence[View]], /) -> PlannedHint:
    """The next move of a plan up to the next reveal or to the win.

    Equal views get equal hints; a plan that the game has followed is continued.
    """
    moves = tuple(kept) or plan(view, FAIR)
    if not moves:
        return PlannedHint(Hint(None, _NO_PLAN, "unknown"))
    if not view.hidden:
        return PlannedHint(Hint(moves[0], _sentence(len(moves), ["win"]), "winnable"), moves)
    return PlannedHint(Hint(moves[0], _sentence(*_effects(view, moves)), "unknown"), moves)


def _effects(view: View, moves: Sequence[Move]) -> tuple[int, list[str]]:
    """The number of `moves` up to the first reveal, and their effects in words."""
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
        view = view_after(view, move)
    return len(moves), effects


def _sentence(count: int, effects: list[str]) -> str:
    """A sentence about `count` moves and their effects."""
    if count > 1:
        return f"The first of {count} moves that {' and '.join(effects)}."
    verbs = [effect.partition(" ") for effect in effects]
    return f"This move {' and '.join(f'{verb}s{gap}{rest}' for verb, gap, rest in verbs)}."

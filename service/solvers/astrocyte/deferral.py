"""Splits a path to a reveal into the steps that it needs and the steps that can wait.

A search for a good position before a reveal also finds steps that the reveal does not need.
Deferred, they stay possible; played at once, they may turn out wrong when the card is known.
"""

from service.solvers.astrocyte.constants import CELL, CELLS, COLUMNS, RANK_BITS
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.state import State
from service.solvers.astrocyte.steps import after

_Effect = tuple[int, tuple[int, int] | None]
"""A step and its `effect`."""


def split_deferrable(
    interner: Interner, start: State, steps: list[int]
) -> tuple[list[int], list[int]]:
    """The steps that the reveal at the end of `steps` needs, and those that can wait, in order.

    The last of `steps` uncovers the one unknown top. From the last to the first, each other step is
    deferred if all steps remain possible with the same effects; repeated until nothing changes.
    """
    state, effects = start, []
    for step in steps:
        effects.append((step, effect(state, step)))
        state = after(interner, state, step)
    needed, deferred = effects, list[_Effect]()
    before = 0
    while len(needed) != before:
        before = len(needed)
        for n in range(before - 2, -1, -1):
            sooner, postponed = needed[:n] + needed[n + 1 :], [needed[n], *deferred]
            if _is_possible(interner, start, sooner, postponed):
                needed, deferred = sooner, postponed
    return [step for step, _ in needed], [step for step, _ in deferred]


def effect(state: State, step: int) -> tuple[int, int] | None:
    """The card that a step other than `ROW` lays last, and the top that it covers, 0 for none.

    None if the rules refuse the step in `state` (A4 … A8, A11).
    """
    source, target, amount = step >> 12, step >> 8 & 15, step & 255
    if source < COLUMNS:
        column = state.columns[source]
        if column.run < amount:
            return None
        card, highest = column.card, column.rank + amount - 1
    else:
        if amount not in (state.cells.cards if source == CELL else state.foundations.tops):
            return None
        card, highest = amount, amount & RANK_BITS
    if target == CELL:
        return (card, 0) if state.cells.count < CELLS else None
    onto = state.columns[target]
    if onto.unknown_top or (onto.rank and onto.rank != highest + 1):
        return None
    return card, onto.card


def _is_possible(
    interner: Interner, state: State, needed: list[_Effect], deferred: list[_Effect]
) -> bool:
    """Whether all steps keep their effects in this order and the last of `needed` turns a card."""
    for number, (step, expected) in enumerate(needed + deferred, start=1):
        if effect(state, step) != expected:
            return False
        state = after(interner, state, step)
        if any(column.unknown_top for column in state.columns) != (number >= len(needed)):
            return False
    return True

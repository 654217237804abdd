"""What of a way to news can wait: better play it once the card that is turned is known.

A search for a good position before the news finds much that the news does not need. Left for
later it stays possible, for it has nothing to do with what is played; played now it could turn
out wrong.
"""

from service.solvers.astrocyte.constants import CELL, CELLS, COLUMNS, RANK_BITS
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.move_generation import after
from service.solvers.astrocyte.state import State

_Deed = tuple[int, tuple[int, int] | None]
"""A step and what it does, as `deed` tells."""


def split_deferrable(
    table: Interner, start: State, steps: list[int]
) -> tuple[list[int], list[int]]:
    """What the news at the end of `steps` needs, and what can wait for it, both in their order.

    `steps` lead from `start` to a state with one dark column, which the last of them brings to
    light. One by one, from the last to the first, the others are put off where everything can
    still be done, the same cards laid on the same; and again, as long as that brings anything.
    """
    state, deeds = start, []
    for step in steps:
        deeds.append((step, effect(state, step)))
        state = after(table, state, step)
    first, later = deeds, list[_Deed]()
    before = 0
    while len(first) != before:
        before = len(first)
        for n in range(before - 2, -1, -1):
            sooner, put_off = first[:n] + first[n + 1 :], [first[n], *later]
            if _turns(table, start, sooner, put_off):
                first, later = sooner, put_off
    return [step for step, _ in first], [step for step, _ in later]


def effect(state: State, step: int) -> tuple[int, int] | None:
    """The card of `state` that a step other than `ROW` lays last, and the top that it covers.

    0 is no top. None where the rules refuse the step (A4 … A8, A11).
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
    if onto.dark or (onto.rank and onto.rank != highest + 1):
        return None
    return card, onto.card


def _turns(table: Interner, state: State, first: list[_Deed], later: list[_Deed]) -> bool:
    """Whether all this can be done in this order, and the last of `first` turns the card."""
    for number, (step, wanted) in enumerate(first + later, start=1):
        if effect(state, step) != wanted:
            return False
        state = after(table, state, step)
        if any(column.dark for column in state.columns) != (number >= len(first)):
            return False
    return True

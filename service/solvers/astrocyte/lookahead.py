"""Beam search on the visible cards of an Astrocyte position, up to the next reveal.

A reveal turns a face-down card or deals a row. Everything before it is certain and can be
searched; what follows depends on unknown cards. A leaf is a state just before a reveal.
"""

from operator import itemgetter
from typing import Final

from service.solvers.astrocyte.beam import Expansion, Node, append_steps
from service.solvers.astrocyte.constants import ROW, STEP_BITS
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.move_generation import Noise
from service.solvers.astrocyte.state import State
from service.solvers.astrocyte.steps import after, fill_empty_columns
from service.solvers.astrocyte.weights import DEALT_CELL, ROW_LEFT

_KNOWN: Final = 1 << 12
"""Initial capacity for the keys of one search."""


class Leaf:
    """A won state, or one just before a reveal: it has an unknown top, or a row is dealt next."""

    __slots__ = ("deals", "node", "value")

    def __init__(self, value: int, node: Node, deals: bool) -> None:
        self.value: int = value
        """The evaluation in points, including what is known of the reveal."""
        self.node: Node = node
        self.deals: bool = deals
        """Whether the reveal is a dealt row, which is then the last step."""


class Lookahead:
    """A search from one state to the leaves within reach."""

    __slots__ = (
        "_deals",
        "_found",
        "_interner",
        "_known",
        "_noise",
        "evaluated",
        "start",
    )

    def __init__(self, interner: Interner, start: State, noise: Noise) -> None:
        """`noise` affects the choice of states on the way, not the values of leaves."""
        self._interner: Interner = interner
        self._noise: Noise = noise
        self.start: State = start
        self.evaluated: int = 0
        """Number of states evaluated so far."""
        self._found: list[tuple[int, Node, int]] = []
        """Of each leaf the value, the last node before it, and the step from there or `ROW`."""
        self._known: KeySet = KeySet(_KNOWN)
        self._known.add(start.key)
        self._deals: KeySet = KeySet(_KNOWN)

    def leaves(
        self, width: int, levels: int, max_stale_levels: int, max_leaves: int, budget: int
    ) -> list[Leaf]:
        """The best leaves in descending order of value; only the won one if there is one.

        Expands a beam of `width` states for up to `levels` levels, until `max_stale_levels` in a
        row have found no better leaf, or until about `budget` states have been evaluated.
        """
        beam = [Node(self.start, None, 0)]
        best, stale = -(1 << 40), 0
        for _ in range(levels):
            if not beam or self.evaluated >= budget or stale == max_stale_levels:
                break
            if beam[0].state.won:
                return [Leaf(beam[0].state.value, beam[0], False)]
            first = len(self._found)
            if self.start.rows:
                for node in beam:
                    self._deal(node)
            beam = self._next_level(beam, width, budget)
            stale += 1
            for value, _, _ in self._found[first:]:
                if value > best:
                    best, stale = value, 0
        self._found.sort(key=itemgetter(0), reverse=True)
        return [self._leaf(value, node, step) for value, node, step in self._found[:max_leaves]]

    def _next_level(self, beam: list[Node], width: int, budget: int) -> list[Node]:
        """The best `width` nodes of the next level; adds the leaves that turn a card."""
        expansion = Expansion(self._interner, beam, self._known, self._noise)
        expansion.run(width, budget - self.evaluated)
        self.evaluated += expansion.found.evaluated
        unknown = expansion.found
        for value, number in zip(unknown.unknown_values, unknown.unknown_steps, strict=True):
            parent, step = beam[number >> STEP_BITS], number & (1 << STEP_BITS) - 1
            self._found.append((value, parent, step))
        return expansion.best(width)

    def _deal(self, node: Node) -> None:
        """Adds the leaf that deals a row, after empty columns have been filled (A13)."""
        state = node.state
        if state.gaps:
            full = fill_empty_columns(self._interner, state)
            if full is None:
                return
            state = full[0]
        if self._deals.add(state.key):
            value = state.value - ROW_LEFT + DEALT_CELL * state.cells.count
            self._found.append((value, node, ROW))

    def _leaf(self, value: int, parent: Node, step: int) -> Leaf:
        if step == ROW:
            state, steps = fill_empty_columns(self._interner, parent.state) or (parent.state, [])
            dealt = append_steps([*steps, ROW], parent, state)
            return Leaf(value, dealt, True)
        turned = Node(after(self._interner, parent.state, step), parent, step)
        return Leaf(value, turned, False)

"""Beam search in Astrocyte: nodes with the path to them, and the expansion of one level."""

from typing import Final

from service.solvers.astrocyte.constants import NOISES, STEP_BITS
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.move_generation import Candidates, Noise, expand, expand_rare
from service.solvers.astrocyte.state import State, mix_hash
from service.solvers.astrocyte.steps import after


class Node:
    """A state, its parent node, and the step from there."""

    __slots__ = ("parent", "state", "step")

    def __init__(self, state: State, parent: "Node | None", step: int) -> None:
        """`step` has no meaning for a node without a parent."""
        self.state: State = state
        self.parent: Node | None = parent
        self.step: int = step

    def path(self) -> list[int]:
        """The steps from the root to this node."""
        steps = []
        node = self
        while node.parent is not None:
            steps.append(node.step)
            node = node.parent
        steps.reverse()
        return steps


def append_steps(steps: list[int], start: Node, state: State) -> Node:
    """The node of `state`, to which `steps` lead; the nodes between hold `state` too, unused."""
    for step in steps:
        start = Node(state, start, step)
    return start


class Expansion:
    """The expansion of every state of a beam."""

    __slots__ = ("beam", "found", "interner")

    def __init__(self, interner: Interner, beam: list[Node], known: KeySet, noise: Noise) -> None:
        self.interner: Interner = interner
        self.beam: list[Node] = beam
        self.found: Candidates = Candidates(known, noise)

    def run(self, width: int, budget: int) -> bool:
        """Expands the states in order until `budget` states have been evaluated.

        Rare steps are added only if the others are fewer than `width`. False if anything was
        pruned.
        """
        found = self.found
        for rare in (False, True):
            for index in range(len(self.beam)):
                if found.evaluated >= budget:
                    break
                node = self.beam[index]
                found.origin = index << STEP_BITS
                if rare:
                    expand_rare(self.interner, node.state, found)
                else:
                    expand(self.interner, node.state, found)
                if len(found.steps) >= 2 * width:
                    found.keep(width)
            if len(found.steps) >= width:
                return False
        return found.evaluated < budget

    def best(self, width: int) -> list[Node]:
        """The nodes of the best `width` steps, the best first, whose states are known from now on.

        The others stay unknown, so a later level may come back to them.
        """
        self.found.keep(width)
        level = []
        for number in self.found.steps:
            parent, step = self.beam[number >> STEP_BITS], number & (1 << STEP_BITS) - 1
            node = Node(after(self.interner, parent.state, step), parent, step)
            self.found.known.add(node.state.key)
            level.append(node)
        return level


NO_NOISE: Final = Noise([0] * NOISES)


def noise(max_points: int, salt: int) -> Noise:
    """Noise between -`max_points` and `max_points`, different for each `salt`."""
    return Noise(
        [mix_hash(salt * NOISES + n) % (2 * max_points + 1) - max_points for n in range(NOISES)]
    )

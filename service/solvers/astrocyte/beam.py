"""The beam of a search in Astrocyte: its states, how each was reached, and the next level."""

from typing import Final

from service.solvers.astrocyte.constants import NOISES, STEP_BITS
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.move_generation import Candidates, Noise, after, expand, expand_rare
from service.solvers.astrocyte.state import State, mixed


class Node:
    """A state, and the way to it: the one it came from, and the step from there."""

    __slots__ = ("before", "state", "step")

    def __init__(self, state: State, before: "Node | None", step: int) -> None:
        """`step` is not asked for where nothing came before."""
        self.state: State = state
        self.before: Node | None = before
        self.step: int = step

    def path(self) -> list[int]:
        """All the steps from the first state."""
        steps = []
        reached = self
        while reached.before is not None:
            steps.append(reached.step)
            reached = reached.before
        steps.reverse()
        return steps


def append_steps(steps: list[int], start: Node, state: State) -> Node:
    """`state`, to which `steps` lead from `start`; on the way it stands for what lies there."""
    for step in steps:
        start = Node(state, start, step)
    return start


class Expansion:
    """What comes of opening each state of a beam."""

    __slots__ = ("beam", "found", "table")

    def __init__(self, table: Interner, beam: list[Node], known: KeySet, noise: Noise) -> None:
        self.table: Interner = table
        self.beam: list[Node] = beam
        self.found: Candidates = Candidates(known, noise)

    def run(self, width: int, room: int) -> bool:
        """Opens the states, the last one when `room` states have been judged.

        What cannot be among the best `width` is left out where that is soon seen. Steps that
        seldom help are looked for where others come to fewer. False if anything was left out.
        """
        found = self.found
        for rarely in (False, True):
            for place in range(len(self.beam)):
                if found.judged >= room:
                    break
                reached = self.beam[place]
                found.opened = place << STEP_BITS
                if rarely:
                    expand_rare(self.table, reached.state, found)
                else:
                    expand(self.table, reached.state, found)
                if len(found.steps) >= 2 * width:
                    found.keep(width)
            if len(found.steps) >= width:
                return False
        return found.judged < room

    def best(self, width: int) -> list[Node]:
        """The states of the best `width` steps, the best first; they are known from now on.

        The others are not: what is among the best of a later level is opened then.
        """
        self.found.keep(width)
        level = [self.reached(number) for number in self.found.steps]
        for reached in level:
            self.found.known.add(reached.state.key)
        return level

    def reached(self, number: int) -> Node:
        """The state of a step found, written as `Found` writes them."""
        before = self.beam[number >> STEP_BITS]
        step = number & (1 << STEP_BITS) - 1
        return Node(after(self.table, before.state, step), before, step)


NO_NOISE: Final = Noise([0] * NOISES)


def noise(most: int, salt: int) -> Noise:
    """Misjudgements of up to `most` points, more or less: others for each `salt`."""
    return Noise([mixed(salt * NOISES + n) % (2 * most + 1) - most for n in range(NOISES)])

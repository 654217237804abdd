"""Search on what is seen of an Astrocyte position: the ways to the next piece of news.

News is a face-down card turned, or a row dealt. What lies before it is certain and is searched
by a beam; what comes after it nobody knows. A leaf is a state with news about to come.
"""

from typing import Final

from service.solvers.astrocyte.beam import Expansion, Node, append_steps
from service.solvers.astrocyte.constants import ROW, STEP_BITS
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.move_generation import Noise, after, fill_empty_columns
from service.solvers.astrocyte.state import State
from service.solvers.astrocyte.weights import DEALT_CELL, ROW_LEFT

_KNOWN: Final = 1 << 12
"""For how many keys of a search there is room at first."""


class Leaf:
    """A state with news about to come: a dark column in it, or a row to be dealt onto it.

    Or with no news left to come, where the game is won.
    """

    __slots__ = ("deals", "reached", "value")

    def __init__(self, value: int, reached: Node, deals: bool) -> None:
        self.value: int = value
        """How good the state looks, news included as far as it is known."""
        self.reached: Node = reached
        self.deals: bool = deals
        """Whether the news is a row; it is the last step then."""


class Lookahead:
    """A search from one state to the leaves that can be reached from it."""

    __slots__ = (
        "_before",
        "_deals",
        "_known",
        "_noise",
        "_steps",
        "_table",
        "_values",
        "judged",
        "start",
    )

    def __init__(self, table: Interner, start: State, noise: Noise) -> None:
        """`noise` misjudges states on the way, as in `Found`; leaves it does not."""
        self._table: Interner = table
        self._noise: Noise = noise
        self.start: State = start
        self.judged: int = 0
        """How many states have been judged."""
        self._values: list[int] = []
        self._before: list[Node] = []
        """The last state before each leaf: a row is dealt onto it, or a step turns a card."""
        self._steps: list[int] = []
        """The step to each leaf, or `ROW`."""
        self._known: KeySet = KeySet(_KNOWN)
        self._known.add(start.key)
        self._deals: KeySet = KeySet(_KNOWN)

    def leaves(self, width: int, levels: int, patience: int, most: int, room: int) -> list[Leaf]:
        """The best `most` leaves, the best first; just one that wins if there is one.

        A beam of `width` states is opened `levels` times at most, or until its best leaf has not
        become better for `patience` of them, or about `room` states have been judged.
        """
        beam = [Node(self.start, None, 0)]
        best, stale = -(1 << 40), 0
        for _ in range(levels):
            if not beam or self.judged >= room or stale == patience:
                break
            if beam[0].state.won:
                return [Leaf(beam[0].state.value, beam[0], False)]
            first = len(self._values)
            if self.start.rows:
                for reached in beam:
                    self._deal(reached)
            beam = self._open(beam, width, room)
            stale += 1
            for n in range(first, len(self._values)):
                if self._values[n] > best:
                    best, stale = self._values[n], 0
        order = sorted(range(len(self._values)), key=self._values.__getitem__, reverse=True)
        return [self._leaf(n) for n in order[:most]]

    def _open(self, beam: list[Node], width: int, room: int) -> list[Node]:
        """The best `width` states a step on; adds the leaves where a card is turned."""
        opened = Expansion(self._table, beam, self._known, self._noise)
        opened.run(width, room - self.judged)
        self.judged += opened.found.judged
        self._values += opened.found.dark_values
        for number in opened.found.dark_steps:
            self._before.append(beam[number >> STEP_BITS])
            self._steps.append(number & (1 << STEP_BITS) - 1)
        return opened.best(width)

    def _deal(self, reached: Node) -> None:
        """Adds the leaf where a row is dealt on, once empty columns have been filled."""
        state = reached.state
        if state.gaps:
            full = fill_empty_columns(self._table, state)
            if full is None:
                return
            state = full[0]
        if self._deals.add(state.key):
            self._values.append(state.value - ROW_LEFT + DEALT_CELL * state.cells.count)
            self._before.append(reached)
            self._steps.append(ROW)

    def _leaf(self, number: int) -> Leaf:
        before, step = self._before[number], self._steps[number]
        if step == ROW:
            state, steps = fill_empty_columns(self._table, before.state) or (before.state, [])
            dealt = append_steps([*steps, ROW], before, state)
            return Leaf(self._values[number], dealt, True)
        turned = Node(after(self._table, before.state, step), before, step)
        return Leaf(self._values[number], turned, False)

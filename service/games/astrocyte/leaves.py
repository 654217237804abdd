"""Search on what is seen of an Astrocyte position: the ways to the next piece of news.

News is a face-down card turned, or a row dealt. What lies before it is certain and is searched
by a beam; what comes after it nobody knows. A leaf is a state with news about to come.
"""

from service.games.astrocyte.beam import NO_NOISE, Opened, Reached
from service.games.astrocyte.packed import State
from service.games.astrocyte.sizes import ROW
from service.games.astrocyte.steps import filled
from service.games.astrocyte.table import Table
from service.games.astrocyte.weights import DEALT_CELL, ROW_LEFT


class Leaf:
    """A state with news about to come: a dark column in it, or a row to be dealt onto it.

    Or with no news left to come, where the game is won.
    """

    __slots__ = ("deals", "reached", "state", "steps", "value")

    def __init__(self, value: int, reached: Reached, state: State, steps: list[int]) -> None:
        self.value: int = value
        """How good the state looks, news included as far as it is known."""
        self.reached: Reached = reached
        self.state: State = state
        self.steps: list[int] = steps
        """The steps from what was reached to the news; none where the last has brought it."""
        self.deals: bool = len(steps) > 0
        """Whether the news is a row."""

    def path(self) -> list[int]:
        """All the steps from the start, the one that brings the news included."""
        return self.reached.path() + self.steps


class Ahead:
    """A search from one state to the leaves that can be reached from it."""

    __slots__ = ("_deals", "_known", "_places", "_table", "_values", "judged", "start")

    def __init__(self, table: Table, start: State) -> None:
        self._table: Table = table
        self.start: State = start
        self.judged: int = 0
        """How many states have been judged."""
        self._values: list[int] = []
        self._places: list[Reached | tuple[Opened, int]] = []
        """Where each leaf is found: what a row is dealt onto, or a step that turns a card."""
        self._known: set[int] = {start.key}
        self._deals: set[int] = set()

    def leaves(self, width: int, levels: int, patience: int, most: int, room: int) -> list[Leaf]:
        """The best `most` leaves, the best first; just one that wins if there is one.

        A beam of `width` states is opened `levels` times at most, or until its best leaf has not
        become better for `patience` of them, or about `room` states have been judged.
        """
        beam = [Reached(self.start, None, [])]
        best, stale = -(1 << 40), 0
        for _ in range(levels):
            if not beam or self.judged >= room or stale == patience:
                break
            if beam[0].state.won:
                return [Leaf(beam[0].state.value, beam[0], beam[0].state, [])]
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

    def _open(self, beam: list[Reached], width: int, room: int) -> list[Reached]:
        """The best `width` states a step on; adds the leaves where a card is turned."""
        opened = Opened(self._table, beam, self._known, NO_NOISE)
        opened.run(width, room - self.judged)
        self.judged += opened.found.judged
        dark = opened.found.dark_values
        self._values += dark
        self._places += [(opened, n) for n in range(len(dark))]
        return opened.best(width)

    def _deal(self, reached: Reached) -> None:
        """Adds the leaf where a row is dealt on, once empty columns have been filled."""
        state = reached.state
        if state.gaps:
            full = filled(self._table, state)
            if full is None:
                return
            state = full[0]
        if state.key not in self._deals:
            self._deals.add(state.key)
            self._values.append(state.value - ROW_LEFT + DEALT_CELL * state.cells.count)
            self._places.append(reached)

    def _leaf(self, number: int) -> Leaf:
        place = self._places[number]
        if isinstance(place, Reached):
            state, steps = filled(self._table, place.state) or (place.state, [])
            return Leaf(self._values[number], place, state, [*steps, ROW])
        opened, step = place
        reached = opened.dark(step)
        return Leaf(self._values[number], reached, reached.state, [])

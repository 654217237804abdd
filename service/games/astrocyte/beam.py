"""The beam of a search in Astrocyte: its states, how each was reached, and the next level."""

from bisect import bisect_right
from typing import Final

from service.games.astrocyte.packed import State, mixed
from service.games.astrocyte.sizes import NOISES
from service.games.astrocyte.steps import Found, after, children, seldom
from service.games.astrocyte.table import Table


class Reached:
    """A state, and the way to it: the one it came from, and the steps from there."""

    __slots__ = ("before", "state", "steps")

    def __init__(self, state: State, before: "Reached | None", steps: list[int]) -> None:
        self.state: State = state
        self.before: Reached | None = before
        self.steps: list[int] = steps

    def path(self) -> list[int]:
        """All the steps from the first state."""
        parts = []
        reached: Reached | None = self
        while reached is not None:
            parts.append(reached.steps)
            reached = reached.before
        return [step for part in reversed(parts) for step in part]


class Opened:
    """What comes of opening each state of a beam: all the steps found, and whose they are."""

    __slots__ = ("beam", "dark_ends", "ends", "found", "table")

    def __init__(
        self, table: Table, beam: list[Reached], known: set[int], noise: list[int]
    ) -> None:
        self.table: Table = table
        self.beam: list[Reached] = beam
        self.found: Found = Found(known, noise)
        self.ends: list[int] = []
        """How many steps are found when each of `beam` has been opened."""
        self.dark_ends: list[int] = []
        """How many steps are found then that turn a card nobody knows."""

    def run(self, width: int, room: int) -> bool:
        """Opens the states, the last one when `room` states have been judged.

        What cannot be among the best `width` is left out where that is soon seen. Steps that
        seldom help are looked for where others come to fewer. False if anything was left out.
        """
        found = self.found
        enough = 2 * width
        for rarely in (False, True):
            for reached in self.beam:
                if found.judged < room:
                    if rarely:
                        seldom(self.table, reached.state, found)
                    else:
                        children(self.table, reached.state, found)
                self.ends.append(len(found.steps))
                self.dark_ends.append(len(found.dark_steps))
                if len(found.steps) >= enough:
                    found.least = sorted(found.values, reverse=True)[width - 1]
                    enough = len(found.steps) + width
            if len(found.steps) >= width:
                return False
        return found.judged < room

    def best(self, width: int) -> list[Reached]:
        """The states of the best `width` steps, the best first; they are known from now on.

        The others are not: what is among the best of a later level is opened then.
        """
        values = self.found.values
        order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
        level = [self._reached(n, self.found.steps, self.ends) for n in order[:width]]
        self.found.known.update([reached.state.key for reached in level])
        return level

    def dark(self, number: int) -> Reached:
        """The state of one of the steps that turn a card nobody knows."""
        return self._reached(number, self.found.dark_steps, self.dark_ends)

    def _reached(self, number: int, steps: list[int], ends: list[int]) -> Reached:
        parent = self.beam[bisect_right(ends, number) % len(self.beam)]
        step = steps[number]
        return Reached(after(self.table, parent.state, step), parent, [step])


NO_NOISE: Final = [0] * NOISES


def noise(most: int, salt: int) -> list[int]:
    """Misjudgements of up to `most` points, more or less: others for each `salt`."""
    return [mixed(salt * NOISES + n) % (2 * most + 1) - most for n in range(NOISES)]

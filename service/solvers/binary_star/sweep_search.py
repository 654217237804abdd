"""The search of Binary Star: a complete beam search in repeated sweeps over the depths of play.

Every play takes one card from the fans, so the depth of a position is the number of cards played,
and transpositions meet at the same depth. Each depth has a pool of open choices. A sweep goes down
once and expands the best few choices of each pool, which fills the next one. When a sweep runs dry,
the next starts higher up: mostly by 8 cards, every second time 16, every fourth 32, up to the
start. No position is expanded twice and none is dropped: once all pools are empty, every reachable
position has been seen.
"""

from typing import NamedTuple

from service.solvers.binary_star.state import (
    CARD,
    CHOICE_BITS,
    COUNTER,
    LANDING,
    LANDING_AT,
    PAIR,
    PAIR_BITS,
    SLIDE,
    SLIDE_AT,
    ZERO,
    PackedState,
    Step,
)
from service.solvers.verdict import Proof

_BACKTRACK = 8
_WIDTH_GROWTH = 1.05

_PARENT_AT = CHOICE_BITS
_PARENT = (1 << 26) - 1
_SCORE_AT = _PARENT_AT + 26
# Bits of an entry in a pool: the choice, the index of its parent one depth above, and the score of
# the child, so that comparing ints orders a pool and a child is built only when it is expanded. A
# low score is better: the sum of the squared fan heights plus twice the squared counters, relative
# to the start.
_WALKING = tuple((2 - 4 * (counter - ZERO)) << _SCORE_AT for counter in range(COUNTER + 1))


class Line(NamedTuple):
    """A winning line: its steps, and the state before each of them."""

    steps: tuple[Step, ...]
    states: tuple[int, ...]


class Search:
    """A search from `packed.start` that can be paused and resumed.

    `positions` counts the different positions seen, including the start. `penalty` is added to the
    score of a choice that needs transfers, however many.
    """

    def __init__(self, packed: PackedState, penalty: int = 0) -> None:
        self.positions = 1
        self._packed = packed
        self._penalty = penalty
        self._lifting = _Lifting(packed.heights)
        self._depths = [_Depth() for _ in range(packed.left + 1)]
        self._highest, self._width, self._sweeps = 1, 1.0, 0
        top = self._depths[0]
        top.seen.add(packed.start)
        top.opened.append(packed.start)
        top.entries.append(0)
        if packed.left:
            self._fill(0, 0)

    def run(self, limit: int) -> bool | None:
        """Whether the start can be won; None if `limit` positions in total do not decide it."""
        depths, last = self._depths, len(self._depths) - 1
        while last and not depths[last].pool:
            deepest = 0
            for depth in range(self._highest, last):
                if depths[depth].pool and self._expand(depth, int(self._width), limit):
                    deepest = depth
            if not deepest and self._highest == 1:
                if not any(depth.pool for depth in depths):
                    return False
                if self.positions >= limit:
                    return None
            self._sweeps += 1
            self._highest = max(1, deepest - _BACKTRACK * (self._sweeps & -self._sweeps))
            # Wider sweeps sort the growing pools less often.
            self._width *= _WIDTH_GROWTH
        return True

    def proof(self) -> Proof:
        """The proof of a search that found no win."""
        return Proof(self.positions, max(n for n, depth in enumerate(self._depths) if depth.seen))

    def line(self) -> Line:
        """The line of a search that found a win."""
        steps: list[Step] = []
        states: list[int] = []
        entry = self._depths[-1].pool[0] if len(self._depths) > 1 else 0
        for depth in reversed(self._depths[:-1]):
            parent = entry >> _PARENT_AT & _PARENT
            states.append(depth.opened[parent])
            steps.append(self._packed.step(depth.opened[parent], entry))
            entry = depth.entries[parent]
        return Line(tuple(reversed(steps)), tuple(reversed(states)))

    def _expand(self, depth: int, width: int, limit: int) -> bool:
        """Expands the best `width` new positions of a pool; False if none has a continuation."""
        here = self._depths[depth]
        above = self._depths[depth - 1].opened
        packed = self._packed
        lifts, walks, reach = packed.lifts, packed.walks, packed.reach
        slides, same = packed.slides, packed.same
        pool, seen, opened, entries = here.pool, here.seen, here.opened, here.entries
        pool.sort()
        first, taken, left = len(opened), 0, limit - self.positions
        full = first + width
        for entry in pool:
            taken += 1
            # `PackedState.after` inlined: this is the hot loop.
            state = above[entry >> _PARENT_AT & _PARENT]
            slide = entry >> SLIDE_AT & SLIDE
            if slide:
                state += slides[state & PAIR][slide - 1].change
            state += walks[state & PAIR][entry >> LANDING_AT & LANDING] + lifts[entry & CARD]
            pair = state & PAIR
            key = state + same[pair]
            if key not in seen:
                if not left:
                    taken -= 1
                    break
                left -= 1
                seen.add(key)
                if state & reach[pair]:
                    opened.append(state)
                    entries.append(entry)
                    if len(opened) == full:
                        break
        del pool[:taken]
        self.positions = limit - left
        if len(opened) == first:
            return False
        self._fill(depth, first)
        return True

    def _fill(self, depth: int, first: int) -> None:
        """Adds to the pool below the choices in the positions expanded from index `first` on."""
        here, pool = self._depths[depth], self._depths[depth + 1].pool
        opened, entries = here.opened, here.entries
        landings, slides, lifting = self._packed.landings, self._packed.slides, self._lifting
        add = pool.append
        for number in range(first, len(opened)):
            state = opened[number]
            base = (entries[number] >> _SCORE_AT << _SCORE_AT) + (number << _PARENT_AT)
            for cards, shift, landing in landings[state & PAIR]:
                tops = state & cards
                if tops:
                    entry = base + landing + _WALKING[state >> shift & COUNTER]
                    for lift in lifting[tops]:
                        add(entry + lift)
            if slides[state & PAIR]:
                self._slide(state, base, pool)

    def _slide(self, state: int, base: int, pool: list[int]) -> None:
        """Adds the choices in `state` after transfers, with the penalty.

        The edge that leaves the tops counts as used, the one that comes there as unused. Only half
        of that goes into the score, as later transfers can undo it; the full change would keep the
        search from the few transfers that hard positions need.
        """
        landings, lifting = self._packed.landings, self._lifting
        for number, slide in enumerate(self._packed.slides[state & PAIR], start=1):
            opens, closes = state >> slide.shift & COUNTER, state >> slide.closed & COUNTER
            if opens >= slide.limit:
                continue
            slid = state + slide.change
            score = 2 * (1 + opens - closes) + self._penalty
            after = base + (number << SLIDE_AT) + (score << _SCORE_AT)
            for cards, shift, landing in landings[slid & PAIR]:
                tops = slid & cards
                if tops:
                    entry = after + landing + _WALKING[slid >> shift & COUNTER]
                    pool += [entry + lift for lift in lifting[tops]]


class _Depth:
    """One depth: keys `seen`, states `opened` with their `entries`, and open entries in `pool`."""

    __slots__ = ("entries", "opened", "pool", "seen")

    def __init__(self) -> None:
        self.pool: list[int] = []
        self.seen: set[int] = set()
        self.opened: list[int] = []
        self.entries: list[int] = []


class _Lifting(dict[int, tuple[int, ...]]):
    """For a mask of top cards, what each adds to an entry: its index, and the score of its fan."""

    def __init__(self, heights: tuple[int, ...]) -> None:
        super().__init__()
        self._lifts = [(1 - 2 * up << _SCORE_AT) + card for card, up in enumerate(heights)]

    def __missing__(self, tops: int) -> tuple[int, ...]:
        lifts, rest = [], tops >> PAIR_BITS
        while rest:
            lifts.append(self._lifts[(rest & -rest).bit_length() - 1])
            rest &= rest - 1
        self[tops] = found = tuple(lifts)
        return found

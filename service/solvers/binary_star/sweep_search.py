"""The search of Binary Star: sweeps down the depths of play that open the best few positions.

Every play takes one card from the fans, so the positions lie in depths by cards played, and two
ways to one position meet in the same depth. Each depth has a pool of choices not yet followed. A
sweep goes down once and follows the best few choices of each pool, which fills the next pool.
Where a sweep runs dry, the next ones begin a little higher up: mostly by 8 cards, every second
time 16, every fourth 32, and so on to the start. Nothing is opened twice and nothing thrown away:
once all pools are empty, every position that can come has been looked at.
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

_NEAR = 8
_GROWTH = 1.05

_PARENT_AT = CHOICE_BITS
_PARENT = (1 << 26) - 1
_SCORE_AT = _PARENT_AT + 26
# A choice in a pool: the choice itself, the parent's place in the depth above, and the score of
# what it leads to. One comparison of integers then orders a pool, and no child is built unless it
# is wanted. The score is low for even fans and for edges evenly used: the sum of the squared
# heights and twice the squared counters, as a difference from the start.
_WALKING = tuple((2 - 4 * (counter - ZERO)) << _SCORE_AT for counter in range(COUNTER + 1))


class Line(NamedTuple):
    """A winning line: its steps, and the packed position before each of them."""

    steps: tuple[Step, ...]
    states: tuple[int, ...]


class Search:
    """A search from `packed.start`, which can be interrupted and goes on where it was.

    `positions` counts the different positions it has looked at, the start included. `toll` is
    what a choice loses in worth by the transfers before it, many or few.
    """

    def __init__(self, packed: PackedState, toll: int = 0) -> None:
        self.positions = 1
        self._packed = packed
        self._toll = toll
        self._lifting = _Lifting(packed.heights)
        self._depths = [_Depth() for _ in range(packed.left + 1)]
        self._highest, self._width, self._sweeps = 1, 1.0, 0
        top = self._depths[0]
        top.seen.add(packed.start)
        top.opened.append(packed.start)
        top.ways.append(0)
        if packed.left:
            self._fill(0, 0)

    def run(self, limit: int) -> bool | None:
        """Whether the start can be won, or None if `limit` positions in all do not tell."""
        depths, last = self._depths, len(self._depths) - 1
        while last and not depths[last].pool:
            deepest = 0
            for depth in range(self._highest, last):
                if depths[depth].pool and self._follow(depth, int(self._width), limit):
                    deepest = depth
            if not deepest and self._highest == 1:
                if not any(depth.pool for depth in depths):
                    return False
                if self.positions >= limit:
                    return None
            self._sweeps += 1
            self._highest = max(1, deepest - _NEAR * (self._sweeps & -self._sweeps))
            # Wider sweeps sort the growing pools less often.
            self._width *= _GROWTH
        return True

    def proof(self) -> Proof:
        """What a search that found no win has exhausted."""
        return Proof(self.positions, max(n for n, depth in enumerate(self._depths) if depth.seen))

    def line(self) -> Line:
        """The line that a search that found a win has found."""
        steps: list[Step] = []
        states: list[int] = []
        way = self._depths[-1].pool[0] if len(self._depths) > 1 else 0
        for depth in reversed(self._depths[:-1]):
            parent = way >> _PARENT_AT & _PARENT
            states.append(depth.opened[parent])
            steps.append(self._packed.step(depth.opened[parent], way))
            way = depth.ways[parent]
        return Line(tuple(reversed(steps)), tuple(reversed(states)))

    def _follow(self, depth: int, width: int, limit: int) -> bool:
        """Opens the best `width` new positions of a pool; whether there was any that can go on."""
        here = self._depths[depth]
        above = self._depths[depth - 1].opened
        packed = self._packed
        lifts, walks, reach = packed.lifts, packed.walks, packed.reach
        slides, same = packed.slides, packed.same
        pool, seen, opened, ways = here.pool, here.seen, here.opened, here.ways
        pool.sort()
        first, followed, room = len(opened), 0, limit - self.positions
        full = first + width
        for way in pool:
            followed += 1
            # Packed.after, written out: this is where the time goes.
            state = above[way >> _PARENT_AT & _PARENT]
            slide = way >> SLIDE_AT & SLIDE
            if slide:
                state += slides[state & PAIR][slide - 1].change
            state += walks[state & PAIR][way >> LANDING_AT & LANDING] + lifts[way & CARD]
            pair = state & PAIR
            key = state + same[pair]
            if key not in seen:
                if not room:
                    followed -= 1
                    break
                room -= 1
                seen.add(key)
                if state & reach[pair]:
                    opened.append(state)
                    ways.append(way)
                    if len(opened) == full:
                        break
        del pool[:followed]
        self.positions = limit - room
        if len(opened) == first:
            return False
        self._fill(depth, first)
        return True

    def _fill(self, depth: int, first: int) -> None:
        """Adds to the pool below what can be chosen in the positions opened from `first` on."""
        here, pool = self._depths[depth], self._depths[depth + 1].pool
        opened, ways = here.opened, here.ways
        landings, slides, lifting = self._packed.landings, self._packed.slides, self._lifting
        add = pool.append
        for number in range(first, len(opened)):
            state = opened[number]
            base = (ways[number] >> _SCORE_AT << _SCORE_AT) + (number << _PARENT_AT)
            for cards, shift, landing in landings[state & PAIR]:
                tops = state & cards
                if tops:
                    way = base + landing + _WALKING[state >> shift & COUNTER]
                    for lift in lifting[tops]:
                        add(way + lift)
            if slides[state & PAIR]:
                self._slide(state, base, pool)

    def _slide(self, state: int, base: int, pool: list[int]) -> None:
        """Adds what can be chosen in `state` after transfers. Each costs: a plainer line is better.

        The edge that was between the tops counts as walked, the one that comes there as not. That
        is scored at half its worth: other transfers can put it right again, and a search that
        takes it at its whole worth shuns the few transfers that a hard position turns on.
        """
        landings, lifting = self._packed.landings, self._lifting
        for number, slide in enumerate(self._packed.slides[state & PAIR], start=1):
            opens, closes = state >> slide.shift & COUNTER, state >> slide.closed & COUNTER
            if opens >= slide.limit:
                continue
            slid = state + slide.change
            score = 2 * (1 + opens - closes) + self._toll
            after = base + (number << SLIDE_AT) + (score << _SCORE_AT)
            for cards, shift, landing in landings[slid & PAIR]:
                tops = slid & cards
                if tops:
                    way = after + landing + _WALKING[slid >> shift & COUNTER]
                    pool += [way + lift for lift in lifting[tops]]


class _Depth:
    """The positions so many cards ahead: `pool` to follow, `seen`, and `opened` by `ways`."""

    __slots__ = ("opened", "pool", "seen", "ways")

    def __init__(self) -> None:
        self.pool: list[int] = []
        self.seen: set[int] = set()
        self.opened: list[int] = []
        self.ways: list[int] = []


class _Lifting(dict[int, tuple[int, ...]]):
    """For bits of top cards, what each adds to a choice: itself, and the score of its fan."""

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

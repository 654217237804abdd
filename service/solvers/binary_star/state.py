"""Compact states of Binary Star: a position is one int, and playing a card adds a number to it.

From low bits to high, a state holds the two hole tops as an unordered pair of ranks, one bit per
fan card, set while the card is on top, and a counter per edge of the circle of ranks: how often it
is still to be used. Edge e joins the ranks e and e + 1 modulo 13, with the king as 0.

Every play uses one edge. As 13 is odd, the remaining cards and the two tops determine how often
each edge will be used, whatever the order of play: the counters are a function of the position.

A choice is an int too: the card played, where it lands, and the transfers before it.
"""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from service.errors import InputError
from service.games.base import View
from service.games.cards import RANK, Card

CIRCLE = 13
MOST_CARDS = 104

PAIR_BITS = 7
PAIR = (1 << PAIR_BITS) - 1
COUNTER_BITS = 9
COUNTER = (1 << COUNTER_BITS) - 1
ZERO = 256
"""The offset of a counter: on unusual boards some are negative."""

CARD = (1 << 7) - 1
LANDING_AT = 7
LANDING = (1 << 2) - 1
SLIDE_AT = 9
SLIDE = (1 << 4) - 1
CHOICE_BITS = 13
"""Bits of a choice: the card, the landing, and the slide, counted from 1, or 0 for none."""

PAIRS = tuple((low, high) for low in range(CIRCLE) for high in range(low, CIRCLE))
"""The unordered pairs of ranks, by their number in a state."""

_NUMBER = {pair: number for number, pair in enumerate(PAIRS)}
_JOINED = len(PAIRS)


class Landing(NamedTuple):
    """A play onto a pair of tops: the ranks covered and played, the edge used, the new pair."""

    onto: int
    rank: int
    edge: int
    pair: int


class Step(NamedTuple):
    """A play of the top card of fan 0 … 16, of rank `rank`, onto a top of rank `onto`.

    If `edge` is not None, transfers bring that edge between the two tops first.
    """

    fan: int
    rank: int
    onto: int
    edge: int | None


class TransferSlide(NamedTuple):
    """Transfers that bring `edge` between the two tops in place of the edge that is there.

    Possible while the counter of `edge`, at `shift`, is below `limit`. `closed` is the shift of
    the other edge's counter, `change` the number to add to the state.
    """

    edge: int
    shift: int
    limit: int
    closed: int
    change: int


@dataclass(frozen=True, slots=True)
class PackedState:
    """The state of a position in `start`, and lookup tables to continue from it.

    Indexed by fan card, in order of rank: `fans` (0 … 16) and `heights` (from 1), where it lies;
    `lifts`, the number to add when it is played. Indexed by pair of tops: `landings`, for each
    landing the bits of its cards, the shift of its counter and its bits in a choice; `walks`, the
    number to add for each landing; `reach`, a mask that is 0 in the state only if no card can be
    played; `slides`, the possible transfers; `same`, the number to add to a state to get a key that
    is equal for positions joined by transfers.
    """

    start: int
    fans: tuple[int, ...]
    heights: tuple[int, ...]
    lifts: tuple[int, ...]
    landings: tuple[tuple[tuple[int, int, int], ...], ...]
    walks: tuple[tuple[int, ...], ...]
    reach: tuple[int, ...]
    slides: tuple[tuple[TransferSlide, ...], ...]
    same: tuple[int, ...]

    @property
    def left(self) -> int:
        """Number of cards in the fans at `start`."""
        return sum(
            height for bit, height in enumerate(self.heights, PAIR_BITS) if self.start >> bit & 1
        )

    def after(self, state: int, choice: int) -> int:
        """The state after `choice` in `state`."""
        slide = choice >> SLIDE_AT & SLIDE
        if slide:
            state += self.slides[state & PAIR][slide - 1].change
        landing = choice >> LANDING_AT & LANDING
        return state + self.walks[state & PAIR][landing] + self.lifts[choice & CARD]

    def step(self, state: int, choice: int) -> Step:
        """`choice` in `state` as a `Step`."""
        edge, slide = None, choice >> SLIDE_AT & SLIDE
        if slide:
            edge = self.slides[state & PAIR][slide - 1].edge
            state += self.slides[state & PAIR][slide - 1].change
        landing = LANDINGS[state & PAIR][choice >> LANDING_AT & LANDING]
        return Step(self.fans[choice & CARD], landing.rank, landing.onto, edge)


def pack(view: View) -> PackedState:
    """The state of `view` for play without transfers.

    Raises `InputError` for a board that cannot be played: a hole that is empty or has cards that
    do not follow each other, face-down cards, or more cards than two packs.
    """
    tops = [hole[-1] for hole in hole_ranks(view)]
    stacks = [[rank(card) for card in fan.cards] for fan in view.kind("tableau")]
    places = sorted(
        (rank, fan, height) for fan, stack in enumerate(stacks) for height, rank in enumerate(stack)
    )
    if len(places) > MOST_CARDS:
        raise InputError("More cards lie in the fans than two packs have.")
    bit = {(fan, height): 1 << n for n, (_, fan, height) in enumerate(places, PAIR_BITS)}
    ranked = [0] * CIRCLE
    for rank_, fan, height in places:
        ranked[rank_] |= bit[fan, height]
    shifts = _shifts(len(places))
    start = pair_number(*tops)
    start += sum([bit[fan, len(stack) - 1] for fan, stack in enumerate(stacks) if stack])
    walks = _walks(Counter([rank for rank, _, _ in places]), tops)
    start += sum([ZERO + walk << shift for walk, shift in zip(walks, shifts, strict=True)])
    lower, higher = (
        [
            tuple([(ranked[rank], shifts[edge], way << LANDING_AT) for rank, edge, way in ways])
            for ways in halves
        ]
        for halves in (_ONTO_LOWER, _ONTO_HIGHER)
    )
    walked = [1 << shift for shift in shifts]
    return PackedState(
        start=start,
        fans=tuple([fan for _, fan, _ in places]),
        heights=tuple([height + 1 for _, _, height in places]),
        lifts=tuple([bit.get((fan, up - 1), 0) - bit[fan, up] for _, fan, up in places]),
        landings=tuple([lower[a] + higher[b] if a != b else lower[a] for a, b in PAIRS]),
        walks=tuple([tuple([add - walked[edge] for add, edge in ways]) for ways in _CHANGES]),
        reach=tuple(
            [ranked[a - 12] | ranked[a - 1] | ranked[b - 12] | ranked[b - 1] for a, b in PAIRS]
        ),
        slides=_NO_SLIDES,
        same=_NOT_JOINED,
    )


def with_transfers(packed: PackedState, view: View) -> PackedState:
    """`packed`, the state of `view`, for play with transfers too (B7).

    The holes, one read upwards and then the other downwards, are one path of edges. While the tops
    are adjacent, transfers can bring any edge of the path between them (B12). The counters tell
    which edges the path has: those used before the search began, and since.
    """
    shifts = _shifts(len(packed.fans))
    walked = Counter(
        edge_between(one, other) for hole in hole_ranks(view) for one, other in pairwise(hole)
    )
    limits = [(packed.start >> shift & COUNTER) + walked[e] for e, shift in enumerate(shifts)]
    beside = [pair_number(edge, (edge + 1) % CIRCLE) for edge in range(CIRCLE)]
    slides, same, reach = list(_NO_SLIDES), list(_NOT_JOINED), list(packed.reach)
    for here, pair in enumerate(beside):
        closed = 1 << shifts[here]
        slides[pair] = tuple(
            TransferSlide(
                edge=there,
                shift=shift,
                limit=limits[there],
                closed=shifts[here],
                change=beside[there] - pair + (1 << shift) - closed,
            )
            for there, shift in enumerate(shifts)
            if there != here
        )
        same[pair] = _JOINED - pair - closed
        reach[pair] = -1  # a transfer may make a card playable
    return replace(packed, slides=tuple(slides), same=tuple(same), reach=tuple(reach))


def rank(card: Card) -> int:
    """The rank of a card modulo 13: ace 1 to queen 12, king 0."""
    return RANK[card] % CIRCLE


def pair_number(one: int, other: int) -> int:
    """The index in `PAIRS` of two ranks 0 … 12, in either order."""
    return _NUMBER[min(one, other), max(one, other)]


def edge_between(one: int, other: int) -> int | None:
    """The edge that joins two ranks 0 … 12, or None."""
    return one if (one + 1) % CIRCLE == other else other if (other + 1) % CIRCLE == one else None


def hole_ranks(view: View) -> list[tuple[int, ...]]:
    """The ranks in the two holes, bottom to top; raises `InputError` if no play leads to them."""
    if view.hidden:
        raise InputError("In Binary Star every card lies face up.")
    holes = []
    for hole in view.kind("foundation"):
        ranks = tuple([rank(card) for card in hole.cards])
        if not ranks:
            raise InputError(f"Black hole {hole.id} is empty: it has no base to play onto.")
        if any(edge_between(one, other) is None for one, other in pairwise(ranks)):
            raise InputError(f"Black hole {hole.id} holds neighbours that do not join.")
        holes.append(ranks)
    return holes


def _onto(top: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two ranks that can be played onto a top, each with the edge used."""
    above, below = (top + 1) % CIRCLE, (top - 1) % CIRCLE
    return (above, top), (below, below)


def _landings(lower: int, higher: int) -> tuple[Landing, ...]:
    tops = ((lower, higher),) if lower == higher else ((lower, higher), (higher, lower))
    return tuple(
        Landing(top, rank, edge, pair_number(rank, kept))
        for top, kept in tops
        for rank, edge in _onto(top)
    )


LANDINGS = tuple(_landings(*pair) for pair in PAIRS)
"""The landings on each pair of tops: two on the lower top, then two on the higher if different."""

_ONTO_LOWER, _ONTO_HIGHER = (
    [
        [(rank, edge, first + n) for n, (rank, edge) in enumerate(_onto(top))]
        for top in range(CIRCLE)
    ]
    for first in (0, 2)
)
_CHANGES = [[(way.pair - pair, way.edge) for way in ways] for pair, ways in enumerate(LANDINGS)]
_NO_SLIDES: tuple[tuple[TransferSlide, ...], ...] = ((),) * len(PAIRS)
_NOT_JOINED = (0,) * len(PAIRS)


def _shifts(cards: int) -> list[int]:
    """The shift of each edge's counter, above the pair and the bits of `cards` cards."""
    return [PAIR_BITS + cards + COUNTER_BITS * edge for edge in range(CIRCLE)]


def _walks(counts: Counter[int], tops: list[int]) -> list[int]:
    """How often each edge is used until all cards in `counts` are played.

    A card within a path has an edge on either side, one at its end has only one. So the edges at a
    rank number twice its cards plus its tops. The alternating sum around the odd circle is twice
    the last edge; from there each edge gives the next.
    """
    degrees = [2 * counts[rank] + tops.count(rank) for rank in range(CIRCLE)]
    walks, before = [], (sum(degrees[::2]) - sum(degrees[1::2])) // 2
    for degree in degrees:
        before = degree - before
        walks.append(before)
    return walks

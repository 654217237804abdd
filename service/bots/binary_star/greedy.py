"""The greedy bot of Binary Star: a rule of thumb for the next card, and a look one card ahead."""

from collections.abc import Iterator

from service.games.base import View
from service.games.moves import Move
from service.solvers.binary_star.line import plain_moves
from service.solvers.binary_star.state import (
    CARD,
    COUNTER,
    PAIR,
    PAIR_BITS,
    PackedState,
    edge_between,
    hole_ranks,
    pack,
    rank,
)

ENOUGH = 2
"""Fans that should be playable after a move."""

_ONTO_TWO, _ONTO_ONE = Move("f1", "f2"), Move("f2", "f1")


class GreedyBot:
    """Plays along the edge that is still to be walked most often, from the highest fan.

    It avoids, if it can, a card after which fewer than two fans can be played. Only when no card
    can be played does it transfer, to the nearest place where one can.
    """

    def choose(self, view: View) -> Move | None:
        """The move that the rule prefers; None once only undo leads on."""
        if view.won or view.stuck:
            return None
        packed = pack(view)
        plays = list(_plays(packed))
        if not plays:
            return _transfer(view)
        return plain_moves(view, [packed.step(packed.start, max(plays)[-1])])[0]


def _plays(packed: PackedState) -> Iterator[tuple[int, int, int]]:
    """Each choice at the start, preceded by how good it is."""
    state = packed.start
    for cards, shift, landing in packed.landings[state & PAIR]:
        rest = state & cards
        while rest:
            choice = landing + (rest & -rest).bit_length() - 1 - PAIR_BITS
            rest &= rest - 1
            after = packed.after(state, choice)
            playable = (after & packed.reach[after & PAIR]).bit_count()
            worth = packed.heights[choice & CARD] + (state >> shift & COUNTER)
            yield min(playable, ENOUGH), worth, choice


def _transfer(view: View) -> Move:
    """The transfer that leads the shortest way to a top that some fan card can be played onto."""
    one, two = hole_ranks(view)
    fans = [rank(fan.cards[-1]) for fan in view.kind("tableau") if fan.cards]

    def way(hole: tuple[int, ...]) -> int:
        fits = (n for n, top in enumerate(reversed(hole)) if _fits(top, fans))
        return next(fits, len(one) + len(two))

    return _ONTO_TWO if way(one) <= way(two) else _ONTO_ONE


def _fits(top: int, fans: list[int]) -> bool:
    return any(edge_between(top, card) is not None for card in fans)

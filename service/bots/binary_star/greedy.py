"""The greedy bot for Binary Star: a heuristic for the next card that looks one card ahead."""

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
"""The number of fans that should be playable after a move."""

_ONTO_TWO, _ONTO_ONE = Move("f1", "f2"), Move("f2", "f1")


class GreedyBot:
    """Prefers high fans and edges of the rank circle that are still to be used most often.

    It avoids cards after which fewer than two fans are playable. It transfers only if no card can
    be played, towards the nearest place where one can.
    """

    def choose(self, view: View) -> Move | None:
        """The preferred move; None if the game is won or stuck."""
        if view.won or view.stuck:
            return None
        packed = pack(view)
        plays = list(_plays(packed))
        if not plays:
            return _transfer(view)
        return plain_moves(view, [packed.step(packed.start, max(plays)[-1])])[0]


def _plays(packed: PackedState) -> Iterator[tuple[int, int, int]]:
    """Each choice at the start, after its two scores."""
    state = packed.start
    for cards, shift, landing in packed.landings[state & PAIR]:
        rest = state & cards
        while rest:
            choice = landing + (rest & -rest).bit_length() - 1 - PAIR_BITS
            rest &= rest - 1
            after = packed.after(state, choice)
            playable = (after & packed.reach[after & PAIR]).bit_count()
            score = packed.heights[choice & CARD] + (state >> shift & COUNTER)
            yield min(playable, ENOUGH), score, choice


def _transfer(view: View) -> Move:
    """The first of the fewest transfers to a top that some fan card can be played onto."""
    one, two = hole_ranks(view)
    fans = [rank(fan.cards[-1]) for fan in view.kind("tableau") if fan.cards]

    def distance(hole: tuple[int, ...]) -> int:
        fits = (n for n, top in enumerate(reversed(hole)) if _fits(top, fans))
        return next(fits, len(one) + len(two))

    return _ONTO_TWO if distance(one) <= distance(two) else _ONTO_ONE


def _fits(top: int, fans: list[int]) -> bool:
    return any(edge_between(top, card) is not None for card in fans)

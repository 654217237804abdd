"""What the engine is timed at, in a process of its own: any checkout can be on its path.

A line `variant work` on the standard input is answered by the CPU seconds of one unit of that work,
`variant parts` by those of one call to list, to judge and to move.
"""

import gc
import random
import sys
import time
from collections.abc import Callable
from itertools import chain

try:
    from service.deals.deal import PublicDeal, start_position
    from service.games import VARIANTS
    from service.games.base import Position, View
    from service.games.moves import DEAL
except ImportError:  # 0.1.0
    from service.moves import DEAL
    from service.variant import Position, View

    from service.deals import PublicDeal
    from service.deals import start_of as start_position
    from service.games import VARIANTS

LONG = 500
"""Moves of a replay: of as many games as it takes."""
SHORTEST = 0.02
"""CPU seconds that are measured at once, at least."""


def playout(start: Position, seed: int) -> list[tuple[Position, tuple]]:
    """A game of at most `LONG` random moves that deals only when it must."""
    chance, position, line = random.Random(seed).random, start, []
    while len(line) < LONG and (moves := position.legal_moves()):
        if moves[-1] == DEAL and len(moves) > 1:
            moves = moves[:-1]
        move = moves[int(chance() * len(moves))]
        line.append((position, move))
        position = position.after(move)
    return line


class Games:
    """Random games of a variant, the same ones in every checkout, `LONG` moves altogether."""

    def __init__(self, name: str) -> None:
        self.variant = VARIANTS[name]
        self._lines = []
        while sum(map(len, self._lines)) < LONG:
            deal = PublicDeal(self.variant, len(self._lines) + 1)
            self._lines.append(playout(start_position(deal), deal.number))
        self._places = list(chain(*self._lines))[:LONG]

    def digest(self) -> int:
        """What tells these games from others."""
        return hash(tuple(str(move) for _, move in self._places))

    def form(self) -> float:
        """1 if the rules run compiled."""
        return float(not sys.modules[View.__module__].__file__.endswith(".py"))

    def step(self) -> float:
        """Lists the legal moves and plays one of them."""
        return _seconds(lambda: self._walk(listing=True)) / LONG

    def replay(self) -> float:
        """Plays `LONG` moves that are known."""
        return _seconds(lambda: self._walk(listing=False))

    def playout(self) -> float:
        """Plays a random game."""
        starts = [(line[0][0], seed) for seed, line in enumerate(self._lines, start=1)]
        return _seconds(lambda: [playout(start, seed) for start, seed in starts]) / len(starts)

    def list(self) -> float:
        """Lists the legal moves of a view that was made of its piles."""
        piles = [position.view.piles for position, _ in self._places]
        variant = self.variant
        return _seconds(lambda: [View(variant, each).legal_moves() for each in piles]) / LONG

    def parts(self) -> tuple[float, float, float]:
        """Seconds that a call of the rules to list, to judge and to move takes."""
        variant, places = self.variant, self._places
        move_on = getattr(variant, "apply", None) or variant.carry_out
        works = (
            lambda: [variant.legal_moves(position.view) for position, _ in places],
            lambda: [variant.why_not(position.view, move) for position, move in places],
            lambda: [move_on(position, move) for position, move in places],
        )
        return tuple(_seconds(work) / LONG for work in works)

    def _walk(self, listing: bool) -> None:
        left = LONG
        for line in self._lines:
            first = line[0][0]
            position = Position(View(first.view.variant, first.view.piles), first.under)
            for _, move in line[:left]:
                if listing:
                    position.legal_moves()
                position = position.play(move).position
            left -= min(left, len(line))


def _seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one run of `work`."""
    gc.collect()
    began, times = time.process_time(), 0
    while (taken := time.process_time() - began) < SHORTEST:
        work()
        times += 1
    return taken / times


def _main() -> None:
    games: dict[str, Games] = {}
    for line in sys.stdin:
        name, work = line.split()
        if name not in games:
            games[name] = Games(name)
        found = getattr(games[name], work)()
        print(*(found if isinstance(found, tuple) else (found,)), flush=True)


if __name__ == "__main__":
    _main()

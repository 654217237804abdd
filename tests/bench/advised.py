"""Plays deals of Astrocyte by hints alone, and looks again where a hint names no move.

`python -m tests.bench.advised 5000 5039`; deals from the first to the last.
"""

import sys
from collections import Counter

from service.bots.astrocyte.fair import plan
from service.bots.astrocyte.strong import BEFORE_REVEAL
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.base import View
from service.play.hints import HINT_PROVIDERS
from service.records.hint import Hint


def report(first: int, last: int) -> None:
    """Prints how the games end, and what the hints say where they end without a win."""
    ends: Counter[str] = Counter()
    for number in range(first, last + 1):
        view, hint = _end(number)
        if view.won:
            end = "won"
        elif plan(view, BEFORE_REVEAL):
            end = "left with a way on that the search of the bot `strong` finds"
        else:
            end = f"left, with{'' if hint.undo_steps else 'out'} a way on from before"
            print(f"Deal {number}, {hint.undo_steps}: {hint.why}")
        ends[end] += 1
    print(", ".join(f"{count} {end}" for end, count in ends.most_common()))


def _end(number: int) -> tuple[View, Hint | None]:
    """Where the hints for a deal end, and the last of them."""
    position = start_position(PublicDeal(VARIANTS["astrocyte"], number))
    earlier: list[View] = []
    hint = None
    while not position.view.won:
        hint, moves = HINT_PROVIDERS["astrocyte"](position.view, (), lambda: earlier)
        if hint.move is None:
            break
        for move in moves:
            earlier.append(position.view)
            position = position.after(move)
    return position.view, hint


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    report(*map(int, sys.argv[1:]))

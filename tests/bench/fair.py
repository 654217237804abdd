"""Measures the CPU time of Astrocyte hints that need a search."""

import statistics
import time

from service.bots.astrocyte.fair import FAIR, SearchSettings, plan
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.solvers import FORMS

DEALS = range(1, 11)


def report(settings: SearchSettings = FAIR) -> None:
    """Prints the CPU time of all decisions of ten games."""
    game = VARIANTS["astrocyte"]
    seconds = []
    for number in DEALS:
        position = start_position(PublicDeal(game, number))
        while not position.view.won:
            before = time.process_time()
            found = plan(position.view, settings)
            seconds.append(time.process_time() - before)
            if not found:
                break
            for move in found:
                position = position.after(move)
    median, p95 = statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]
    print(f"{game.title}, {FORMS[game.name]} form: {len(seconds)} searched hints, each", end=" ")
    print(f"{median * 1e3:.0f} ms at the median, {p95 * 1e3:.0f} ms at the 95th of 100,", end=" ")
    print(f"{max(seconds) * 1e3:.0f} ms at most")

"""Measures the solvers on numbered deals: positions per second, and time per deal."""

import statistics
import time

from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.solvers import SOLVERS
from service.solvers.verdict import Unwinnable

DEALS = range(1, 1001)


def report(variant: str) -> None:
    """Prints the CPU time of the solver for deals 1 … 1000 of a variant, on one core."""
    solver, game = SOLVERS[variant], VARIANTS[variant]
    seconds, positions, names = [], 0, []
    for number in DEALS:
        start = start_position(PublicDeal(game, number))
        before = time.process_time()
        verdict = solver(start)
        seconds.append(time.process_time() - before)
        spent = verdict.proof if isinstance(verdict, Unwinnable) else verdict
        positions += spent.positions
        names.append(verdict.name)
    counts = ", ".join(f"{names.count(name)} {name}" for name in sorted(set(names)))
    median, p95 = statistics.median(seconds), statistics.quantiles(seconds, n=20)[-1]
    print(f"{game.title}, deals 1 to {DEALS[-1]}: {counts}")
    print(f"{positions / sum(seconds):,.0f} positions a second; a deal takes {median * 1e3:.1f} ms")
    print(f"at the median, {p95 * 1e3:.0f} ms at the 95th of 100, {max(seconds):.2f} s at most")

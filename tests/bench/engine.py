"""The CPU time of the rules: `python -m tests.bench.engine`, in both forms, where there are both.

`--against DIR` holds them against another checkout. Each round takes every kind of work and every
form in turn, so that whatever else the machine does falls on all of them alike.
"""

import argparse
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from operator import truediv
from pathlib import Path
from statistics import median

from service.games import VARIANTS
from tests.bench.serving import ROOT, checkout
from tests.support.servers import python_of

PLAIN, COMPILED, OTHER = "plain", "compiled", "other"
WORKS = {
    "step": "list and play, a move",
    "list": "list, of a new view",
    "playout": "a random game",
    "replay": "a replay of 500 moves",
}
ROUNDS = 9

Costs = Mapping[tuple[str, str, str], Sequence[tuple[float, ...]]]
"""By form, variant and kind of work: the CPU seconds of each round."""


class Worker:
    """A process that does the work with the service of a checkout."""

    def __init__(self, process: subprocess.Popen) -> None:
        self._process = process

    def ask(self, variant: str, work: str) -> tuple[float, ...]:
        """What the process answers: see `engine_work`."""
        print(variant, work, file=self._process.stdin, flush=True)
        return tuple(map(float, self._process.stdout.readline().split()))


@contextmanager
def _worker(folder: Path, form: str) -> Iterator[Worker]:
    command = [python_of(folder), "-P", Path(__file__).with_name("engine_work.py")]
    environ = {"PYTHONPATH": str(folder), "ASTERISM_FORM": form, "PYTHONHASHSEED": "0"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=os.environ | environ, **pipes) as process:
        yield Worker(process)
        process.stdin.close()


def report(against: Path | None = None, rounds: int = ROUNDS) -> None:
    """Prints a table a variant, and what takes the time."""
    folders = {PLAIN: ROOT, COMPILED: ROOT}
    if against is not None:
        folders[OTHER] = against
    costs: dict[tuple[str, str, str], list[tuple[float, ...]]] = {}
    with ExitStack() as stack:
        workers = {form: stack.enter_context(_worker(at, form)) for form, at in folders.items()}
        compiled = workers[COMPILED].ask("astrocyte", "form") == (1.0,)
        if not compiled:
            del workers[COMPILED]
        for variant in VARIANTS:
            lines = {worker.ask(variant, "digest") for worker in workers.values()}
            assert len(lines) == 1, f"the forms play different games of {variant}"
        for _ in range(rounds):
            for variant in VARIANTS:
                for work in (*WORKS, "parts"):
                    for form, worker in workers.items():
                        found = worker.ask(variant, work)
                        costs.setdefault((form, variant, work), []).append(found)
    print(f"The rules, µs of CPU: median (least) of {rounds} rounds")
    for variant in VARIANTS:
        _print_variant(costs, variant, list(workers))
    if not compiled:
        print("\nNot compiled: `make compiled` does that, where there is a C compiler.")


def _print_variant(costs: Costs, variant: str, forms: Sequence[str]) -> None:
    title = VARIANTS[variant].title
    print(f"\n{title:<24}" + "".join(f"{form:^18}" for form in forms), end="")
    compared = [form for form in forms if form != OTHER] if OTHER in forms else []
    print("".join(f"{f'other / {form}':^22}" for form in compared))
    for work, name in WORKS.items():
        print(f"{name:<24}", end="")
        rows = {form: [1e6 * cost for (cost,) in costs[form, variant, work]] for form in forms}
        for row in rows.values():
            print(f"{median(row):>9.1f} ({min(row):.1f})".ljust(18), end="")
        for form in compared:
            ratios = list(map(truediv, rows[OTHER], rows[form]))
            print(f"{median(ratios):>8.2f} ({min(ratios):.2f}–{max(ratios):.2f})".ljust(22), end="")
        print()
    for form in forms:
        _print_limits(costs, variant, form)


def _print_limits(costs: Costs, variant: str, form: str) -> None:
    """Of listing and playing a move, what takes what share."""
    (step,) = map(median, zip(*costs[form, variant, "step"], strict=True))
    parts = list(map(median, zip(*costs[form, variant, "parts"], strict=True)))
    rest = max(0.0, step - sum(parts))
    shares = zip(("listing", "the judge", "moving cards", "the rest"), (*parts, rest), strict=True)
    told = ", ".join(f"{name} {100 * part / step:.0f} %" for name, part in shares)
    print(f"  {form}, list and play: {told}")


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=checkout, metavar="DIR", help="another checkout")
    parser.add_argument("--quick", action="store_true", help="three rounds: a few seconds")
    given = parser.parse_args()
    report(given.against, 3 if given.quick else ROUNDS)


if __name__ == "__main__":
    _main()

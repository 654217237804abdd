"""The CPU time of requests, as ratios to an empty Flask route, at one connection and at eight.

Run by `python -m tests.bench.requests`; `--against DIR` holds this checkout against another one.
The base is a plain gunicorn with threads, whatever the service itself runs on. Each round takes
every kind of request and every server in turn, a block at a time, so that whatever else the machine
does falls on all of them alike.
"""

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import chain, repeat
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from tests.bench.games import Table, random_line
from tests.bench.serving import ROOT, Cost, Server, Task, empty_route, run, service

CONNECTIONS = (1, 8)
TABLES, HARD = 24, 8
"""Requests in a block, and fewer in one of those that take a search of some length."""

EMPTY, THIS, OTHER = "empty", "this", "other"


class Kind(NamedTuple):
    """Requests of one kind to one server; what is done `before` is not counted."""

    server: str
    name: str
    tasks: Sequence[Task]
    before: Sequence[Task] = ()


class Row(NamedTuple):
    """What a cost is of."""

    server: str
    name: str
    connections: int


Round = Mapping[Row, Cost]
"""The CPU seconds of one request."""


def _kinds(name: str, server: Server) -> list[Kind]:
    """Requests to the service: each leaves its tables to the next as that wants to find them."""

    def tables(variant: str, ply: int, size: int = TABLES) -> list[Table]:
        begun = [Table(variant, 1, random_line(variant, ply)) for _ in range(size)]
        run(server, [table.begin for table in begun])
        return begun

    stars, early, late = tables("binary-star", 5), tables("astrocyte", 5), tables("astrocyte", 500)
    long, new = tables("binary-star", 50), tables("astrocyte", 0)
    hard = tables("astrocyte", 40, HARD)
    return [
        Kind(name, "move, Binary Star, ply 5", [table.move for table in stars]),
        Kind(name, "undo, Binary Star, ply 5", [table.undo for table in stars]),
        Kind(name, "move, Astrocyte, ply 5", [table.move for table in early]),
        Kind(name, "undo, Astrocyte, ply 5", [table.undo for table in early]),
        Kind(name, "move, Astrocyte, ply 500", [table.move for table in late]),
        Kind(name, "undo, Astrocyte, ply 500", [table.undo for table in late]),
        Kind(name, "read, Astrocyte, ply 500", [table.read for table in late]),
        Kind(name, "undo of 50, Binary Star", [table.undo_line for table in long]),
        Kind(name, "batch of 50, Binary Star", [table.play_line for table in long]),
        Kind(name, "creation, Astrocyte", [table.begin for table in new]),
        Kind(name, "hint, Astrocyte, start", [table.hint for table in new]),
        Kind(name, "hint, planned already", [table.hint for table in new]),
        Kind(
            name,
            "hint, Astrocyte, ply 40",
            [table.hint for table in hard],
            [table.begin for table in hard],
        ),
    ]


def _round(servers: Mapping[str, Server], kinds: Sequence[Kind], blocks: int) -> Round:
    found: dict[Row, list[Cost]] = defaultdict(list)
    for _ in range(blocks):
        for connections in CONNECTIONS:
            for kind in kinds:
                run(servers[kind.server], kind.before)
                cost = run(servers[kind.server], kind.tasks, connections)
                one = Cost(*(seconds / len(kind.tasks) for seconds in cost))
                found[Row(kind.server, kind.name, connections)].append(one)
    return {row: Cost(*map(fmean, zip(*costs, strict=True))) for row, costs in found.items()}


def report(against: Path | None = None, rounds: int = 9, blocks: int = 4) -> None:
    """Prints a line a kind of request, and one more each to compare with another checkout."""
    checkouts = {THIS: ROOT} if against is None else {THIS: ROOT, OTHER: against}
    with ExitStack() as stack:
        servers = {EMPTY: stack.enter_context(empty_route())}
        for name, checkout in checkouts.items():
            servers[name] = stack.enter_context(service(checkout, ASTERISM_SEARCHES="8"))
        own = [_kinds(name, servers[name]) for name in checkouts]
        empty = Kind(EMPTY, EMPTY, [lambda connection: connection.request("GET", "/")] * TABLES)
        turns = list(chain.from_iterable(zip(repeat(empty), *own, strict=False)))
        measured = [_round(servers, turns, blocks) for _ in range(rounds)]
        memory = {name: servers[name].memory() for name in servers}
    print(f"{rounds} rounds of {blocks} blocks of {TABLES} requests ({HARD} of the hardest)")
    names = [EMPTY, *(kind.name for kind in own[0])]
    for connections in CONNECTIONS:
        _print_costs(measured, names, connections)
    if against is not None:
        for connections in CONNECTIONS:
            _print_ratios(measured, names[1:], connections)
    for name, used in memory.items():
        sizes = " ".join(f"{part} {size / 2**20:.0f}" for part, size in used._asdict().items())
        print(f"MiB in use, {name}: {sizes}")


def _print_costs(rounds: Sequence[Round], names: Sequence[str], connections: int) -> None:
    print(f"\n{f'{connections} at once: µs of CPU':<28}{'workers':^16}{'to empty':^14}", end="")
    print(f"{'store':>8}{'others':>8}\n{'':<28}", f"{'median':>8}{'least':>8}")
    for name in names:
        row = Row(EMPTY if name == EMPTY else THIS, name, connections)
        costs = [found[row].workers * 1e6 for found in rounds]
        bases = [found[Row(EMPTY, EMPTY, connections)].workers * 1e6 for found in rounds]
        ratios = [cost / base for cost, base in zip(costs, bases, strict=True)]
        print(f"{name:<28}{median(costs):>8.0f}{min(costs):>8.0f}", end="")
        print(f"{median(ratios):>7.2f}{min(ratios):>7.2f}", end="")
        store, others = (median(found[row][part] for found in rounds) * 1e6 for part in (1, 2))
        print(f"{store:>8.0f}{others:>8.0f}")


def _print_ratios(rounds: Sequence[Round], names: Sequence[str], connections: int) -> None:
    print(f"\n{f'{connections} at once: this / other':<28}{'workers':^24}{'all processes':^24}")
    for name in names:
        print(f"{name:<28}", end="")
        for costs in (lambda cost: cost.workers, sum):
            ratios = [
                costs(found[Row(THIS, name, connections)])
                / costs(found[Row(OTHER, name, connections)])
                for found in rounds
            ]
            print(f"{median(ratios):>10.2f} ({min(ratios):.2f}–{max(ratios):.2f})", end="")
        print()


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: under a minute")
    given = parser.parse_args()
    report(given.against, *(3, 1) if given.quick else ())


if __name__ == "__main__":
    _main()

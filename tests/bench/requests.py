"""The CPU time of requests, as ratios to an empty Flask route, at one connection and at eight.

Run by `python -m tests.bench.requests`; `--against DIR` holds this checkout against another one.
The base is a plain gunicorn with threads, whatever the service itself runs on. Each round takes
every kind of request and every server in turn, a block at a time, so that whatever else the machine
does falls on all of them alike.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import product
from operator import truediv
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from tests.bench.games import Game, random_line
from tests.bench.serving import (
    ROOT,
    Connection,
    Server,
    Usage,
    checkout,
    empty_route,
    run,
    service,
)

CONNECTIONS = (1, 8)
GAMES = 40
"""Requests of each kind in a block; fewer of those that search for long."""


class Group(NamedTuple):
    """Games of deal 1, each begun by the same random line of `ply` moves."""

    variant: str
    ply: int
    size: int = GAMES


class Kind(NamedTuple):
    """A request that is made of each game of a group."""

    name: str
    group: Group
    action: Callable[[Game, Connection], object]


_STARS, _LONG = Group("binary-star", 5), Group("binary-star", 50)
_NEW, _EARLY, _LATE = Group("astrocyte", 0), Group("astrocyte", 5), Group("astrocyte", 500)
_HARD = Group("astrocyte", 40, 8)

KINDS = (
    Kind("move, Binary Star, ply 5", _STARS, Game.move),
    Kind("undo, Binary Star, ply 5", _STARS, Game.undo),
    Kind("move, Astrocyte, ply 5", _EARLY, Game.move),
    Kind("undo, Astrocyte, ply 5", _EARLY, Game.undo),
    Kind("move, Astrocyte, ply 500", _LATE, Game.move),
    Kind("undo, Astrocyte, ply 500", _LATE, Game.undo),
    Kind("read, Astrocyte, ply 500", _LATE, Game.read),
    Kind("read again, unchanged", _LATE, Game.read_again),
    Kind("undo of 50, Binary Star", _LONG, Game.undo_line),
    Kind("batch of 50, Binary Star", _LONG, Game.play_line),
    Kind("creation, Astrocyte", _NEW, Game.begin),
    Kind("hint, Astrocyte, start", _NEW, Game.hint),
    Kind("hint, planned already", _NEW, Game.hint),
    Kind("creation and 40 moves", _HARD, Game.begin),
    Kind("hint, Astrocyte, ply 40", _HARD, Game.hint),
)
"""In turn: each request leaves its games as the next one of the group wants to find them."""

THIS, OTHER, EMPTY = "this", "other", "empty"


class Row(NamedTuple):
    """What a cost is of: the server, the kind of request, and how many connections."""

    server: str
    kind: str
    connections: int


Round = Mapping[Row, Usage]
"""CPU seconds of one request, the mean of a round."""


class Service:
    """The service of a checkout, and games on it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._games = {
            group: [Game(group.variant, 1, random_line(*group[:2])) for _ in range(group.size)]
            for group in {kind.group for kind in KINDS}
        }
        for games in self._games.values():
            run(server, [game.begin for game in games])

    def cost(self, kind: Kind, connections: int) -> Usage:
        """CPU seconds of one request, the mean of one to each game of the group."""
        games = self._games[kind.group]
        return _mean(run(self.server, [partial(kind.action, g) for g in games], connections), games)


def report(against: Path | None = None, rounds: int = 9, blocks: int = 3) -> None:
    """Prints a line a kind of request, and one more each to compare with another checkout."""
    folders = {THIS: ROOT} if against is None else {THIS: ROOT, OTHER: against}
    with ExitStack() as stack:
        empty = stack.enter_context(empty_route())
        services = {
            name: Service(stack.enter_context(service(folder, ASTERISM_SEARCHES="8")))
            for name, folder in folders.items()
        }
        measured = [_round(empty, services, blocks) for _ in range(rounds)]
        memory = {name: served.server.memory() for name, served in services.items()}
    print(f"{rounds} rounds of {blocks} blocks of {GAMES} requests of each kind")
    for connections in CONNECTIONS:
        _print_costs(measured, connections)
    if against is not None:
        for connections in CONNECTIONS:
            _print_ratios(measured, connections)
    for name, used in memory.items():
        sizes = ", ".join(f"{part} {size / 2**20:.0f}" for part, size in used._asdict().items())
        print(f"\nMiB in use, {name}: {sizes}")


def _round(empty: Server, services: Mapping[str, Service], blocks: int) -> Round:
    found: dict[Row, list[Usage]] = defaultdict(list)
    for _ in range(blocks):
        for connections, kind in product(CONNECTIONS, KINDS):
            base = [lambda connection: connection.request("GET", "/")] * GAMES
            found[Row(EMPTY, EMPTY, connections)].append(_mean(run(empty, base, connections), base))
            for name, served in services.items():
                cost = served.cost(kind, connections)
                found[Row(name, kind.name, connections)].append(cost)
    return {row: Usage(*map(fmean, zip(*costs, strict=True))) for row, costs in found.items()}


def _mean(usage: Usage, requests: Sequence[object]) -> Usage:
    return Usage(*(seconds / len(requests) for seconds in usage))


def _print_costs(rounds: Sequence[Round], connections: int) -> None:
    print(f"\n{f'{connections} at once: µs of CPU':<28}{'workers':^16}{'to empty':^14}", end="")
    print(f"{'store':>8}{'others':>8}\n{'':<28}{'median':>8}{'least':>8}{'median':>7}{'least':>7}")
    bases = _costs(rounds, Row(EMPTY, EMPTY, connections), "workers")
    rows = [Row(EMPTY, EMPTY, connections), *(Row(THIS, k.name, connections) for k in KINDS)]
    for row in rows:
        workers, store, others = (_costs(rounds, row, part) for part in Usage._fields)
        ratios = list(map(truediv, workers, bases))
        print(f"{row.kind:<28}{median(workers):>8.0f}{min(workers):>8.0f}", end="")
        print(f"{median(ratios):>7.2f}{min(ratios):>7.2f}", end="")
        print(f"{median(store):>8.0f}{median(others):>8.0f}")


def _print_ratios(rounds: Sequence[Round], connections: int) -> None:
    print(f"\n{f'{connections} at once: this / other':<28}{'workers':^24}{'all processes':^24}")
    for kind in KINDS:
        this, other = (Row(name, kind.name, connections) for name in (THIS, OTHER))
        print(f"{kind.name:<28}", end="")
        for part in ("workers", "total"):
            ratios = list(map(truediv, _costs(rounds, this, part), _costs(rounds, other, part)))
            print(f"{median(ratios):>10.2f} ({min(ratios):.2f}–{max(ratios):.2f})", end="")
        print()


def _costs(rounds: Sequence[Round], row: Row, part: str) -> list[float]:
    """Microseconds, round by round, of a part of the server or of all of it."""
    return [getattr(found[row], part) * 1e6 for found in rounds]


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=checkout, metavar="DIR", help="another checkout")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: under a minute")
    given = parser.parse_args()
    report(given.against, *(3, 1) if given.quick else ())


if __name__ == "__main__":
    _main()

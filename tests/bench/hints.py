"""How long moves take by the clock while others ask for hints that take a long search.

Run by `python -m tests.bench.hints`, or with `--checkout DIR`. The service runs as operators start
it, with two workers. One connection plays a move every few milliseconds; hints come at a steady
pace, each over a connection of its own, whether the one before has been answered or not.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import quantiles

from tests.bench.games import Game
from tests.bench.serving import ROOT, Connection, Server, Task, checkout, connected, run, service

SECONDS = 40
PACE = 0.5
"""Seconds from one hint to the next."""
PAUSE = 0.01
"""Seconds from the answer to a move to the next move."""

DEAL = 24
LINE = (
    "t8t5 t4t2 t3t1 t3t2 t3t1 t6t4 t7c1 t3t6 t3c2 t1t3x3 t3t1x4 t3t2 t7t3 t8t7 "
    "t2t8x3 t2c3 t2t3 t7c4 t6t7 c4t6 t4c4 t4t3 t4t1 c4t3 t4c4 t8t3x3 t1t4x5 deal"
)
"""A game of Astrocyte whose next hint takes 0.4 s of CPU in plain Python, more than nearly all."""


def report(folder: Path = ROOT) -> None:
    """Prints the latencies of moves, while nobody asks for hints and meanwhile, and of hints."""
    with service(folder, workers=2, ASTERISM_SEARCHES="8") as server:
        games = [Game("astrocyte", DEAL, LINE.split()) for _ in range(int(SECONDS / PACE))]
        run(server, [game.begin for game in games])
        alone = _moves(server, SECONDS / 4)
        with ThreadPoolExecutor(32) as pool:
            meanwhile = pool.submit(_moves, server, SECONDS)
            hints = []
            for game in games:
                hints.append(pool.submit(_hint, server, game))
                time.sleep(PACE)
    print(f"ms by the clock, 2 workers, a hint every {PACE} s for {SECONDS} s")
    print(f"{'':<24}{'number':>8}{'p50':>8}{'p90':>8}{'p99':>8}")
    for name, found in {
        "moves without hints": alone,
        "moves meanwhile": meanwhile.result(),
        "hints": [hint.result() for hint in hints],
    }.items():
        cuts = quantiles(found, n=100)
        print(f"{name:<24}{len(found):>8}", *(f"{cuts[p - 1] * 1e3:>7.1f}" for p in (50, 90, 99)))


def _moves(server: Server, seconds: float) -> list[float]:
    """Seconds from each move to its answer, for so long."""
    game, found = Game("astrocyte", 1, ()), []
    with connected(server) as connection:
        game.begin(connection)
        over = time.monotonic() + seconds
        while time.monotonic() < over:
            found.append(_timed(game.move, connection))
            time.sleep(PAUSE)
            found.append(_timed(game.undo, connection))
            time.sleep(PAUSE)
    return found


def _hint(server: Server, game: Game) -> float:
    """Seconds from the request to the hint."""
    with connected(server) as connection:
        return _timed(game.hint, connection)


def _timed(task: Task, connection: Connection) -> float:
    began = time.perf_counter()
    task(connection)
    return time.perf_counter() - began


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkout", type=checkout, default=ROOT, dest="folder", metavar="DIR")
    report(**vars(parser.parse_args()))

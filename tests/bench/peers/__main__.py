"""Plays the same won game of Binary Star on both services, and tells what a CPU second earns.

boardgame.io 0.50.2 runs on Node.js, its games in memory; a move is a message over an open socket,
checked by four lines of JavaScript, and is answered with the state of the game. Asterism answers
HTTP requests; its games are in the embedded store, which flushes to disk every second, or in a
Valkey without files. Both have two worker processes and eight connections, whose clients are not
counted. The creation of the games counts.
"""

import argparse
import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.moves import parse_move
from service.solvers import SOLVERS, Solved
from tests.bench.peers.asterism import asterism
from tests.bench.peers.boardgame import boardgame, install
from tests.bench.peers.measured import Played, Rate, play_for
from tests.bench.peers.picture import picture

CONNECTIONS, WORKERS, ROUNDS = 8, 2, 3
WARM_UP, ROUND = 2.0, 0.7
"""CPU seconds of each way to play: first so that V8 compiles what is hot, and then in a round."""


def report(rounds: int = ROUNDS) -> list[Rate]:
    """Prints a line a way to play, and gives the rates. Every round takes all ways in turn."""
    install()
    start = start_position(PublicDeal(VARIANTS["binary-star"], 1))
    solved = SOLVERS["binary-star"](start)
    assert isinstance(solved, Solved)
    line = [str(move) for move in solved.moves]
    pairs = [list(parse_move(move)[:2]) for move in line]
    piles = {pile.id: pile.cards for pile in start.view.piles}
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(3)]
        sizes = CONNECTIONS, WORKERS
        peer = stack.enter_context(boardgame(piles, pairs, *sizes, folders[0]))
        durable = stack.enter_context(asterism(line, *sizes, folders[1], durable=True))
        volatile = stack.enter_context(asterism(line, *sizes, folders[2], durable=False))
        sides: dict[str, Callable[[], Played]] = {
            "boardgame.io, a move a message, in memory": peer,
            "Asterism, a move a request, on disk": durable[0],
            "Asterism, a move a request, in memory": volatile[0],
            "Asterism, 50 moves a request, on disk": durable[1],
            "Asterism, 50 moves a request, in memory": volatile[1],
        }
        for play in sides.values():
            play_for(WARM_UP, play)
        found = {name: [] for name in sides}
        for _ in range(rounds):
            for name, play in sides.items():
                found[name].append(play_for(ROUND, play))
    rates = [Rate.of(name, played) for name, played in found.items()]
    print(f"Moves a CPU second of all server processes, in {rounds} rounds: games of", end=" ")
    print(f"{len(line)} moves, {CONNECTIONS} at once; load {_load()}\n")
    print(f"{'':<42}{'least':>9}{'median':>9}{'most':>9}{'to the first':>15}{'bytes a move':>15}")
    for rate in rates:
        least, most = min(rate.rounds), max(rate.rounds)
        print(f"{rate.name:<42}{least:>9,.0f}{rate.median:>9,.0f}{most:>9,.0f}", end="")
        print(f"{rate.median / rates[0].median:>15.2f}{rate.bytes:>15.0f}")
    return rates


def _load() -> str:
    """How many processes wanted a core in the last minute, of how many cores."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.peers", description=__doc__)
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="draw the rates, too")
    given = parser.parse_args()
    rates = report()
    if given.picture:
        note = f"Whole games of Binary Star; {CONNECTIONS} connections, {WORKERS} workers. "
        note += f"Bars: medians of {ROUNDS} rounds; lines: least to most."
        given.picture.write_text(picture(rates, note), encoding="utf-8")


if __name__ == "__main__":
    _main()

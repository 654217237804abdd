"""What a move costs while a thousand watch its game, as a ratio to what it costs while nobody does.

Run by `python -m tests.bench.watchers`, or with another number of watchers behind it, or with
`--checkout DIR`. The service runs as operators start it, on a store of its own; what is counted is
CPU time, so that what else the machine does falls out.
"""

import argparse
import selectors
import socket
import time
from collections.abc import Sequence
from operator import attrgetter, sub
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.games import Game
from tests.bench.serving import ROOT, Connection, Server, Usage, checkout, connected, service

ROUNDS = 5
MOVES = 40
WATCHERS = 1000
WORKERS = 2
PACE = 0.1
"""Seconds from one move to the next, with watchers and without: a processor that has rested is
slower than one that has not.
"""
_TIMEOUT = 30.0


class Told(NamedTuple):
    """What one move takes: CPU seconds, and seconds until the last watcher has been told.

    `memory` is what all processes have in use afterwards, in bytes.
    """

    cost: Usage
    last: float
    memory: Usage


class Crowd:
    """Connections that watch one game."""

    def __init__(self, port: int, path: str, size: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._tails: dict[socket.socket, bytes] = {}
        request = (
            f"GET {path}/events HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n"
        ).encode()
        for _ in range(size):
            one = socket.create_connection(("127.0.0.1", port))
            one.sendall(request)
            one.setblocking(False)
            self._selector.register(one, selectors.EVENT_READ)
            self._tails[one] = b""

    def hear(self, version: int) -> None:
        """Reads until every watcher has been told of `version`."""
        mark, waiting = b"id: %d\n" % version, set(self._tails)
        deadline = time.monotonic() + _TIMEOUT
        while waiting:
            assert time.monotonic() < deadline, f"{len(waiting)} watchers were not told"
            for key, _ in self._selector.select(1):
                one = key.fileobj
                assert isinstance(one, socket.socket)
                data = self._tails[one] + one.recv(1 << 18)
                if mark in data:
                    waiting.discard(one)
                self._tails[one] = data[-len(mark) :]

    def leave(self) -> None:
        """Hangs up."""
        for one in self._tails:
            one.close()
        self._selector.close()


def _measured(server: Server, connection: Connection, game: Game, crowd: Crowd) -> Told:
    """What one of many moves takes, each made when all have been told of the one before."""
    crowd.hear(game.version)
    before, waited = server.cpu(), 0.0
    for turn in range(MOVES):
        (game.undo if turn % 2 else game.move)(connection)
        began = time.perf_counter()
        crowd.hear(game.version)
        waited += (took := time.perf_counter() - began)
        time.sleep(max(0.0, PACE - took))
    spent = map(sub, server.cpu(), before)
    cost = Usage(*(seconds / MOVES for seconds in spent))
    return Told(cost, waited / MOVES, server.memory())


def report(watchers: int = WATCHERS, folder: Path = ROOT) -> None:
    """Prints a line a part of the service."""
    room = str(2 * watchers + 100)  # that some have hung up is noticed a little later
    rooms = ("ASTERISM_WATCHERS", "ASTERISM_WATCHERS_PER_ADDRESS", "ASTERISM_WATCHERS_PER_GAME")
    with service(folder, WORKERS, **dict.fromkeys(rooms, room)) as server:
        rounds = [_round(server, watchers) for _ in range(ROUNDS)]
    print(f"{ROUNDS} rounds of {MOVES} moves, {WORKERS} workers; medians")
    print(f"{'':<10}{'ms of CPU a move':^24}{'MiB':>12}")
    print(f"{'watchers':<10}{0:>8}{watchers:>8}{'ratio':>8}{watchers:>12}")
    for part in (*Usage._fields, "total"):
        (alone, watched), (_, size) = (
            _medians(rounds, f"{of}.{part}") for of in ("cost", "memory")
        )
        print(f"{part:<10}{alone * 1e3:>8.2f}{watched * 1e3:>8.2f}", end="")
        print(f"{watched / alone if alone else 0:>8.2f}{size / 2**20:>12.0f}")
    _, last = _medians(rounds, "last")
    print(f"from the answer until the last watcher has been told: {last * 1e3:.0f} ms")


def _medians(rounds: Sequence[tuple[Told, Told]], path: str) -> list[float]:
    """Of a value, by its path from `Told`: while nobody watches, and while many do."""
    return [median(map(attrgetter(path), side)) for side in zip(*rounds, strict=True)]


def _round(server: Server, watchers: int) -> tuple[Told, Told]:
    game = Game("astrocyte", 1, ())
    with connected(server) as connection:
        game.begin(connection)
        alone = _measured(server, connection, game, Crowd(server.port, game.path, 0))
        crowd = Crowd(server.port, game.path, watchers)
        watched = _measured(server, connection, game, crowd)
        crowd.leave()
    time.sleep(1)  # and be seen to have left, lest it count for the next round
    return alone, watched


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("watchers", type=int, nargs="?", default=WATCHERS)
    parser.add_argument("--checkout", type=checkout, default=ROOT, dest="folder", metavar="DIR")
    report(**vars(parser.parse_args()))

"""What a move costs while a thousand watch its game, as a ratio to what it costs while nobody does.

Run by `python -m tests.bench.watchers`, or with another number of watchers behind it. The service
runs as operators start it, with one worker to play in, on a store of its own; what is counted is
CPU time, so that what else the machine does falls out.
"""

import http.client
import json
import selectors
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from tests.processes import Processes, cpu
from tests.servers import Service

ROUNDS = 5
MOVES = 40
WATCHERS = 1000
PACE = 0.1
"""Seconds from one move to the next, with watchers and without: a processor that has rested is
slower than one that has not.
"""
_PATIENCE = 30.0


class Cost(NamedTuple):
    """Seconds a move: of CPU in the worker, in the store and in the process that tells events,
    and by the clock until the last watcher has been told.
    """

    worker: float
    store: float
    streams: float
    told: float


class Player:
    """Plays a game over one connection that is kept: a move and an undo, again and again."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        created = self._post("/v1/games", {"variant": "astrocyte", "deal": {"number": "1"}})
        self.game, self._token = created["game"], created["play_token"]

    @property
    def path(self) -> str:
        """Where the game is."""
        return f"/v1/games/{self.game['id']}"

    def move(self) -> None:
        """Plays the first legal move, or takes one back."""
        body: dict[str, Any] = {"version": self.game["version"]}
        if self.game["version"] % 2:
            answer = self._post(f"{self.path}/moves", {**body, "moves": ["t7t2"]})
        else:
            answer = self._post(f"{self.path}/undo", body)
        self.game = answer["game"]

    def _post(self, path: str, body: object) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if hasattr(self, "_token"):
            headers["Authorization"] = f"Bearer {self._token}"
        self._connection.request("POST", path, json.dumps(body), headers)
        response = self._connection.getresponse()
        content = response.read()
        assert response.status < 300, content
        found: dict[str, Any] = json.loads(content)
        return found


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
        deadline = time.monotonic() + _PATIENCE
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


def measured(processes: Processes, player: Player, crowd: Crowd) -> Cost:
    """What one of many moves costs, each made when all have been told of the one before."""
    crowd.hear(player.game["version"])
    before, waited = _spent(processes), 0.0
    for _ in range(MOVES):
        player.move()
        began = time.perf_counter()
        crowd.hear(player.game["version"])
        waited += (took := time.perf_counter() - began)
        time.sleep(max(0.0, PACE - took))
    spent = [now - then for now, then in zip(_spent(processes), before, strict=True)]
    return Cost(*(seconds / MOVES for seconds in (*spent, waited)))


def report(watchers: int = WATCHERS) -> None:
    """Prints a line a process."""
    room = str(2 * watchers + 100)  # those who have hung up are noticed a little later
    with tempfile.TemporaryDirectory() as folder:
        service = Service(
            "",
            Path(folder) / "log",
            ASTERISM_DATA=folder,
            ASTERISM_WORKERS="1",
            ASTERISM_WATCHERS=room,
            ASTERISM_WATCHERS_PER_ADDRESS=room,
            ASTERISM_WATCHERS_PER_GAME=room,
        )
        try:
            rounds = [_round(service, watchers) for _ in range(ROUNDS)]
        finally:
            service.stop()
    print(f"{ROUNDS} rounds of {MOVES} moves; CPU time a move, in ms, medians")
    print(f"{'watchers':<32}{0:>8}{watchers:>8}{'ratio':>8}")
    for name, index in (("the worker that plays", 0), ("the store", 1), ("telling events", 2)):
        alone, watched = (
            statistics.median(costs[index] for costs in side) for side in zip(*rounds, strict=True)
        )
        print(f"{name:<32}{alone * 1e3:>8.2f}{watched * 1e3:>8.2f}{watched / alone:>8.2f}")
    told = statistics.median(watched.told for _, watched in rounds)
    print(f"from the answer until the last watcher has been told: {told * 1e3:.0f} ms")


def _spent(processes: Processes) -> tuple[float, float, float]:
    """CPU seconds of the worker, of the store, and of the process that tells events."""
    return cpu(*processes.workers), cpu(processes.store), cpu(*processes.streams)


def _round(service: Service, watchers: int) -> tuple[Cost, Cost]:
    player, processes = Player(service.port), Processes(service.process.pid)
    alone = measured(processes, player, Crowd(service.port, player.path, 0))
    crowd = Crowd(service.port, player.path, watchers)
    watched = measured(processes, player, crowd)
    crowd.leave()
    time.sleep(1)  # and be seen to have left, lest it count for the next round
    return alone, watched


if __name__ == "__main__":
    report(*map(int, sys.argv[1:]))

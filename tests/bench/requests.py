"""The CPU time of requests, as ratios to an empty Flask route on the same gunicorn.

Both applications run behind gunicorn with the same settings, on loopback. Each round takes every
kind of request in turn, a block at a time, so that whatever else the machine does falls on all of
them alike; the figure to quote is the least ratio of the rounds.
"""

import contextlib
import http.client
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import IO

import orjson
from service.embedded import EmbeddedStore

from service.deals import PublicDeal, start_of
from service.games import VARIANTS
from service.moves import DEAL, Move
from tests.ports import free_port

ROUNDS = 7
BLOCKS = 10
BLOCK = 20
REQUESTS = BLOCKS * BLOCK
"""Rounds, blocks of each kind of request in a round, and requests in a block and in a round."""


class Server:
    """A gunicorn of one worker on loopback, and a connection to it."""

    def __init__(
        self, application: str, environ: dict[str, str], errors: IO[bytes] | None = None
    ) -> None:
        """`errors` takes what it writes to its standard error, without it the terminal."""
        port = free_port()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "gunicorn", "-b", f"127.0.0.1:{port}", "-w", "1"),
                *(
                    "-k",
                    "gthread",
                    "--threads",
                    "4",
                    "--keep-alive",
                    "60",
                    "--log-level",
                    "warning",
                    application,
                ),
            ],
            env={**os.environ, **environ},
            stderr=errors,
        )
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        deadline = time.monotonic() + 20
        while True:
            try:
                self._connection.connect()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def request(self, method: str, path: str, body: object = None, token: str = "") -> dict:
        """Sends one request on the kept connection; its JSON, or nothing for the empty route."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        data = None if body is None else orjson.dumps(body)
        self._connection.request(method, path, data, headers)
        response = self._connection.getresponse()
        content = response.read()
        assert response.status < 300, content
        return orjson.loads(content) if content[:1] == b"{" else {}

    def cpu(self) -> float:
        """CPU seconds of the worker, from the kernel's scheduler statistics."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return sum(
            int(task.read_text().split()[0]) / 1e9
            for pid in children.read_text().split()
            for task in Path(f"/proc/{pid}/task").glob("*/schedstat")
        )

    def close(self) -> None:
        """Stops the server."""
        self._connection.close()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(15)


class Table:
    """A game to move in at about one ply."""

    def __init__(self, server: Server, variant: str, ply: int) -> None:
        self._server = server
        created = server.request("POST", "/v1/games", {"variant": variant, "deal": {"number": "1"}})
        self.game, self.token = created["game"], created["play_token"]
        line = _line(variant, ply)
        while line:
            path = f"/v1/games/{self.game['id']}/moves"
            body = {"version": self.game["version"], "moves": [str(move) for move in line[:200]]}
            answer = server.request("POST", path, body, self.token)
            self.game, line = answer["game"], line[answer["applied"] :]

    def move(self) -> None:
        """Plays the first legal move."""
        body = {"version": self.game["version"], "moves": self.game["legal_moves"][:1]}
        self._post("moves", body)

    def undo(self) -> None:
        """Takes a move back."""
        self._post("undo", {"version": self.game["version"]})

    def read(self) -> None:
        """Reads the game."""
        self._server.request("GET", f"/v1/games/{self.game['id']}")

    def _post(self, action: str, body: object) -> None:
        path = f"/v1/games/{self.game['id']}/{action}"
        self.game = self._server.request("POST", path, body, self.token)["game"]


@cache
def _line(variant: str, length: int) -> list[Move]:
    """A line of `length` legal moves of deal 1 after which more can be played."""
    for seed in range(1000):
        choice, position = random.Random(seed), start_of(PublicDeal(VARIANTS[variant], 1))
        line: list[Move] = []
        while len(line) < length and (moves := position.legal_moves()):
            free = [move for move in moves if move != DEAL]
            move = choice.choice(free or moves)
            line.append(move)
            position = position.after(move)
        if len(line) == length and len(position.legal_moves()) > 3:
            return line
    raise RuntimeError(f"no line of {length} moves in {variant}")


def _cost(server: Server, requests: Sequence[Callable[[], object]]) -> float:
    """CPU seconds of all `requests`."""
    before = server.cpu()
    for request in requests:
        request()
    return server.cpu() - before


def _costs(empty: Server, ours: Server) -> Iterator[Counter[str]]:
    """CPU seconds of one request of each kind, round by round."""
    halls = {
        "Binary Star, ply 5": [Table(ours, "binary-star", 5) for _ in range(REQUESTS)],
        "Astrocyte, ply 5": [Table(ours, "astrocyte", 5) for _ in range(REQUESTS)],
        "Astrocyte, ply 500": [Table(ours, "astrocyte", 500) for _ in range(REQUESTS)],
    }
    for _ in range(ROUNDS):
        costs: Counter[str] = Counter()
        for start in range(0, REQUESTS, BLOCK):
            costs["empty"] += _cost(empty, [lambda: empty.request("GET", "/")] * BLOCK)
            for name, hall in halls.items():
                tables = hall[start : start + BLOCK]
                costs[f"move, {name}"] += _cost(ours, [table.move for table in tables])
                costs[f"undo, {name}"] += _cost(ours, [table.undo for table in tables])
            costs["read, Astrocyte, ply 500"] += _cost(ours, [table.read for table in tables])
        yield Counter({name: cost / REQUESTS for name, cost in costs.items()})


def report() -> None:
    """Prints a line a kind of request."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = EmbeddedStore(folder)
        store.start()
        stack.callback(store.stop)
        empty = Server("tests.bench.empty:app", {})
        stack.callback(empty.close)
        ours = Server(
            "service.wsgi:app", {"REDIS_URL": store.url, "ASTERISM_SERVER_KEY": "bench" * 8}
        )
        stack.callback(ours.close)
        rounds = list(_costs(empty, ours))
    print(f"{ROUNDS} rounds of {REQUESTS} requests; CPU time of the gunicorn worker")
    print(f"{'':<28}{'ratio: least':>14}{'median':>9}{'µs, least':>12}")
    for name in rounds[0]:
        ratios = sorted(costs[name] / costs["empty"] for costs in rounds)
        least = min(costs[name] for costs in rounds) * 1e6
        print(f"{name:<28}{ratios[0]:>14.2f}{ratios[len(ratios) // 2]:>9.2f}{least:>12.0f}")

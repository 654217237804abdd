"""Asterism, as operators start it, and games on it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import orjson

from tests.bench.peers.measured import Played
from tests.bench.serving import Connection, run, service
from tests.support.processes import cpu
from tests.support.servers import StoreServer, valkey_9


@contextmanager
def asterism(
    line: Sequence[str], connections: int, workers: int, folder: Path, durable: bool
) -> Iterator[tuple[Callable[[], Played], ...]]:
    """A service; how to play one move a request, and batches of 50.

    A durable one has its embedded store, which flushes to disk every second; the other a Valkey
    that keeps games in memory alone. The CPU time of either counts.
    """
    with ExitStack() as stack:
        store, environ = None, {}
        if not durable:
            store = StoreServer(valkey_9(), folder, "--appendonly", "no")
            stack.callback(store.stop)
            environ = {"REDIS_URL": store.url}
        server = stack.enter_context(service(workers=workers, **environ))

        def in_store() -> float:
            return cpu(store.process.pid) if store else 0

        def side(batch: int) -> Callable[[], Played]:
            def play() -> Played:
                sizes: list[int] = []
                games = [lambda to: sizes.append(_game(to, line, batch))] * connections
                before = in_store()
                seconds = run(server, games, connections).total + in_store() - before
                return Played(connections * len(line), sum(sizes), seconds)

            return play

        yield side(1), side(50)


def _game(connection: Connection, line: Sequence[str], batch: int) -> int:
    """Plays a whole game; the bytes of the answers to its moves."""
    body = {"variant": "binary-star", "deal": {"number": "1"}}
    created = connection.request("POST", "/v1/games", body)
    game, token, size = created["game"], created["play_token"], 0
    for first in range(0, len(line), batch):
        moves = {"version": game["version"], "moves": line[first : first + batch]}
        answer = connection.request("POST", f"/v1/games/{game['id']}/moves", moves, token)
        game, size = answer["game"], size + len(orjson.dumps(answer))
    assert game["status"] == "won", game
    return size

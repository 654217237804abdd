"""The memory that a game takes in the store: bytes, as the store counts them.

Run by `python -m tests.bench.memory`. Games are played to a ply on a Valkey of their own, with and
without an idempotency key at every request, and what all keys of a game take is added up.
"""

import random
import secrets
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from redis import Redis

from service.deals.deal import start_position
from service.games import VARIANTS
from service.games.base import Position
from service.games.moves import DEAL, Move
from service.play.compute_pool import ComputePool
from service.play.creation import Creation, NewGame
from service.play.gameplay import Gameplay, WriteRequest
from service.play.keys import ServerKey
from service.solvers import SOLVERS
from service.solvers.verdict import Solved
from service.store.redis import redis_store
from tests.support.servers import StoreServer, valkey_9

TTL = 30 * 24 * 60 * 60
GAMES = 50
"""Games of each kind; what they take differs by a few bytes."""

PLIES = {"binary-star": (25, 50, 100), "astrocyte": (100, 200, 300)}
"""A game of Binary Star is won after about a hundred moves; those of Astrocyte take more."""


class Table:
    """Where games are played, and the store that keeps them."""

    def __init__(self, url: str) -> None:
        store, key, pool = redis_store(url, TTL), ServerKey(b"bench" * 8), ComputePool(1)
        self._play = Gameplay(store, key, TTL, pool)
        calendar, standings = self._play.calendar, self._play.standings
        self._creation = Creation(store, key, calendar, standings, pool)

    def game(self, variant: str, ply: int, keyed: bool) -> str:
        """The id of a new game that has been played to about `ply`."""

        def key() -> str | None:
            return secrets.token_hex(16) if keyed else None

        new = NewGame(VARIANTS[variant], None, secrets.token_hex(12), key())
        created = self._creation.random(new)
        game = created.game
        for move in _line(start_position(game.deal), ply):
            order = WriteRequest(
                game.id, created.play_token, game.version, secrets.token_hex(12), key()
            )
            game = self._play.move(order, [move]).game
        return game.id


def _line(position: Position, length: int) -> Iterator[Move]:
    """Moves of a game as it might be played: to the win where it can be found, else any."""
    variant = position.variant.name
    if not position.view.hidden:
        verdict = SOLVERS[variant](position)
        if isinstance(verdict, Solved):
            yield from verdict.moves[:length]
            return
    choice = random.Random(1)
    for _ in range(length):
        moves: Sequence[Move] = position.legal_moves()
        moves = [move for move in moves if move != DEAL] or moves
        if not moves:
            return
        move = choice.choice(moves)
        position = position.after(move)
        yield move


def bytes_kept(client: Redis, game_id: str) -> int:
    """What all keys of a game take."""
    keys = client.scan_iter(f"ast:{{{game_id}}}:*", count=10_000)
    return sum(client.memory_usage(key, samples=0) or 0 for key in keys)


def report() -> None:
    """Prints a line a kind of game, and what a million of the largest without keys would take."""
    with tempfile.TemporaryDirectory() as folder:
        server = StoreServer(valkey_9(), Path(folder))
        try:
            _report(server)
        finally:
            server.stop()


def _report(server: StoreServer) -> None:
    table, client = Table(server.url), server.client()
    print(f"bytes a game, all its keys together; medians of {GAMES} games")
    print(f"{'':<24}{'no keys':>10}{'a key a request':>18}")
    for variant, plies in PLIES.items():
        for ply in plies:
            sizes = []
            for keyed in (False, True):
                client.flushall()
                ids = [table.game(variant, ply, keyed) for _ in range(GAMES)]
                sizes.append(statistics.median(bytes_kept(client, id) for id in ids))
            title = f"{VARIANTS[variant].title}, ply {ply}"
            print(f"{title:<24}{sizes[0]:>10.0f}{sizes[1]:>18.0f}")
    client.flushall()
    before = client.info("memory")["used_memory"]
    for _ in range(10 * GAMES):
        table.game("astrocyte", 200, keyed=False)
    taken = (client.info("memory")["used_memory"] - before) / (10 * GAMES)
    print(
        f"a million games of Astrocyte at ply 200, keys, expiries and all that the store needs "
        f"to find them: {taken * 1e6 / 2**30:.1f} GiB"
    )


if __name__ == "__main__":
    report()

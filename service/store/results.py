"""Results and first attempts in Redis, each list of results in a cluster slot of its own.

No script writes to a list and to a game: what a list lacks after a crash is entered again from the
game.
"""

import orjson
from redis import Redis
from typing_extensions import override

from service.records.results import Result
from service.store import lua
from service.store.base import ResultStore
from service.store.executor import Executor
from service.store.keys import first_attempt_key, list_keys

MOST_RESULTS = 20_000
"""How many results a list keeps: the latest."""

DAYS_KEPT = 90
"""When a list expires, after its latest result; later where games expire later."""

_A_DAY = 24 * 60 * 60 * 1000


class RedisResultStore(ResultStore):
    """Stores a list as a hash of results by game id, and a sorted set of game ids by time."""

    def __init__(self, executor: Executor, ttl: int) -> None:
        """`ttl` is the expiry of games in milliseconds."""
        self._executor = executor
        self._ttl = max(ttl, DAYS_KEPT * _A_DAY)

    @override
    def enter(self, name: str, result: Result) -> None:
        keys = list_keys(name)
        written = orjson.dumps(list(result))
        args = result.game_id, result.published_at, written, MOST_RESULTS, self._ttl
        self._executor.run("enter", keys.results, lambda node: lua.ENTER(keys, args, node))

    @override
    def results(self, name: str) -> list[Result]:
        key = list_keys(name).results
        rows = self._executor.run("results", key, lambda node: node.hvals(key))
        return [Result(*orjson.loads(row)) for row in rows]

    @override
    def claim(self, deal_id: str, label: str, game_id: str) -> bool:
        key = first_attempt_key(deal_id, label)

        def claimed(node: Redis) -> bool:
            if node.set(key, game_id, nx=True, px=self._ttl):
                return True
            return node.get(key) == game_id.encode()

        return bool(self._executor.run("claim", key, claimed))

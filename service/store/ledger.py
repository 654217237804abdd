"""The ledger: results by list and first attempts by label, apart from the games they are of.

A list is a key slot of its own, and no script writes to a list and to a game: what is missing in
a list after a crash is entered again from the game.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import orjson

from service.results import Result
from service.store.script import Script

MOST_RESULTS = 20_000
"""The results that a list keeps, the latest ones."""

DAYS_KEPT = 90
"""How long a list is kept that nothing is entered in; games that are kept longer lengthen it."""

ENTER = Script("enter.lua")
_A_DAY = 24 * 60 * 60 * 1000


class Ledger(ABC):
    """Keeps results. Every method may raise `StoreUnavailableError`."""

    @abstractmethod
    def enter(self, name: str, result: Result) -> None:
        """Enters `result` in the list called `name`; once and again is the same."""

    @abstractmethod
    def results(self, name: str) -> list[Result]:
        """What has been entered in a list, the latest `MOST_RESULTS`, in no order."""

    @abstractmethod
    def claim(self, deal_id: str, label: str, game_id: str) -> bool:
        """Whether this game is the first one of `label` at the deal; asked again, the same."""


class RedisLedger(Ledger):
    """Keeps a list under `ast:list/1:{<name>}:…`: `results` (hash) and `order` (sorted set).

    The number grows when results are written in another form: a sweep fills the new lists.
    """

    def __init__(self, send: Callable[..., Any], ttl: int) -> None:
        """`send` gives the answer to a command; `ttl` is the expiry of games in milliseconds."""
        self._send = send
        self._ttl = max(ttl, DAYS_KEPT * _A_DAY)

    def enter(self, name: str, result: Result) -> None:
        """Enters `result` in the list called `name`; once and again is the same."""
        written = orjson.dumps(list(result))
        keys = _key(name, "results"), _key(name, "order")
        game_id, at = result.game_id, result.told_at
        self._send(*ENTER.call(keys, game_id, at, written, MOST_RESULTS, self._ttl))

    def results(self, name: str) -> list[Result]:
        """What has been entered in a list, the latest `MOST_RESULTS`, in no order."""
        return [Result(*orjson.loads(row)) for row in self._send("HVALS", _key(name, "results"))]

    def claim(self, deal_id: str, label: str, game_id: str) -> bool:
        """Whether this game is the first one of `label` at the deal; asked again, the same."""
        key = f"ast:first:{{{deal_id}:{label}}}"
        claimed = self._send("SET", key, game_id, "NX", "PX", self._ttl)
        return claimed is not None or self._send("GET", key) == game_id.encode()


def _key(name: str, part: str) -> str:
    return f"ast:list/1:{{{name}}}:{part}"

"""Results and first attempts in Redis, each list of results in a cluster slot of its own.

No script writes to a list and to a game: what a list lacks after a crash is entered again from the
game.
"""

import time
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import orjson

from service.records.results import UNENDED, Result
from service.store import lua
from service.store.keys import claim_mark, first_attempt_key, game_keys, list_keys

if TYPE_CHECKING:  # gunicorn's master imports this module, and must not load redis-py
    from service.store.executor import Executor

MOST_RESULTS = 20_000
"""How many results a list keeps: the latest."""

CREATION_SECONDS = 1.0
"""How long a creation has from its claim of a first attempt on until another takes that over."""

_VERSION_BYTES = 10
_RANK_BYTES = 23
"""How much of a `sort_key` is ahead of its game id."""


class ResultStore:
    """Stores a list as a hash of results by game id, and sorted sets of these by time and rank.

    Every method may raise `StoreUnavailableError`.
    """

    def __init__(self, executor: "Executor", remembered: int) -> None:
        """`remembered` is how long a list is kept after its latest result, in milliseconds."""
        self._executor = executor
        self._remembered = remembered

    def enter(self, names: Sequence[str], result: Result) -> None:
        """Enters `result` in the lists called `names`; replaces only those of earlier versions."""
        version, rank = f"{result.version:0{_VERSION_BYTES}}", result.sort_key[:_RANK_BYTES]
        kept = MOST_RESULTS, self._remembered
        args = result.game_id, result.published_at, version, rank, _encode(result), *kept
        self._executor.read_each("enter", lua.ENTER, [(list_keys(name), args) for name in names])

    def results(self, name: str) -> list[Result]:
        """The latest results of a list, in no order."""
        key = list_keys(name).results
        return _decode(self._executor.run("results", key, lambda node: node.hvals(key)))

    def ranking(self, name: str, after: str, limit: int) -> list[Result]:
        """At most `limit` results of ended games in a list by `sort_key`, after that one."""
        results, _, ranking, _ = list_keys(name)
        args = f"({after}" if after else "-", f"({UNENDED}", limit, _RANK_BYTES
        return _decode(self._executor.read("results", lua.READ_RANKING, (results, ranking), *args))

    def revision(self, name: str, now: int) -> Hashable:
        """Differs whenever other results of the list were published by `now`, in milliseconds."""
        keys = list_keys(name)
        read = keys.revision, keys.order
        return tuple(self._executor.read("revision", lua.READ_REVISION, read, now))

    def claim(self, deal_id: str, label: str, game_id: str) -> bool:
        """Whether a game about to be created is the first of `label` at the deal.

        It is the same when that is repeated. A game that is not created after all loses its claim
        to the next one, and can then no longer be created.
        """
        key, mark, former = first_attempt_key(deal_id, label), claim_mark(deal_id, label), ""
        while True:
            args = game_id, former, self._remembered
            former = self._executor.write("claim", lua.CLAIM, (key,), *args).decode()
            if former == game_id:
                return True
            if self._was_created(former, mark):
                return False

    def _was_created(self, game_id: str, mark: str) -> bool:
        """Whether a game was created with a claim; if it was not, it cannot be any more."""
        keys, deadline = game_keys(game_id), time.monotonic() + CREATION_SECONDS
        while True:
            args = mark, self._remembered, int(time.monotonic() >= deadline)
            created = self._executor.write("settle", lua.SETTLE, (keys.game, keys.used), *args)
            if created is not None:
                return bool(created)
            time.sleep(0.05)


def _encode(result: Result) -> bytes:
    """`result` as JSON; one without an owner as before labels could be owned."""
    return orjson.dumps(tuple(result) if result.label_owned else result[:-1])


def _decode(rows: list[bytes]) -> list[Result]:
    return [Result(*orjson.loads(row[_VERSION_BYTES + _RANK_BYTES :])) for row in rows]

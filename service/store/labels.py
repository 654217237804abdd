"""The owners of labels in Redis: a string a label, which a single script replaces."""

import orjson
from typing_extensions import override

from service.records.labels import Ownership
from service.store import lua
from service.store.base import LabelStore
from service.store.executor import Executor
from service.store.keys import game_keys, owner_key


class RedisLabelStore(LabelStore):
    """Stores the owner of a label under the label."""

    def __init__(self, executor: Executor, remembered: int) -> None:
        """`remembered` is how long an owner is kept after the latest claim, in milliseconds."""
        self._executor = executor
        self._remembered = remembered

    @override
    def ownership(self, label: str) -> Ownership | None:
        key = owner_key(label)
        found = self._executor.run("owner", key, lambda node: node.get(key))
        return None if found is None else _decode(found)

    @override
    def claim(self, label: str, claim: Ownership, former: Ownership | None) -> Ownership:
        args = _encode(claim), b"" if former is None else _encode(former), self._remembered
        return _decode(self._executor.write("own", lua.CLAIM, (owner_key(label),), *args))

    @override
    def has_game(self, game_id: str) -> bool:
        key = game_keys(game_id).game
        return bool(self._executor.run("exists", key, lambda node: node.exists(key)))


def _encode(owner: Ownership) -> bytes:
    return orjson.dumps(list(owner))


def _decode(data: bytes) -> Ownership:
    return Ownership(*orjson.loads(data))

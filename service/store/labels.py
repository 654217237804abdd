"""The owners of labels in Redis: a string a label, which a single script replaces."""

from typing import TYPE_CHECKING

import orjson

from service.records.labels import Ownership
from service.store import lua
from service.store.keys import game_keys, owner_key

if TYPE_CHECKING:  # gunicorn's master imports this module, and must not load redis-py
    from service.store.executor import Executor


class LabelStore:
    """Stores the owner of a label under the label.

    Every method may raise `StoreUnavailableError`.
    """

    def __init__(self, executor: "Executor", remembered: int) -> None:
        """`remembered` is how long an owner is kept after the latest claim, in milliseconds."""
        self._executor = executor
        self._remembered = remembered

    def ownership(self, label: str) -> Ownership | None:
        """Who owns the label; None if nobody does."""
        key = owner_key(label)
        found = self._executor.run("owner", key, lambda node: node.get(key))
        return None if found is None else _decode(found)

    def claim(self, label: str, claim: Ownership, former: Ownership | None) -> Ownership:
        """Who owns the label now: `claim`, if nobody did or `former`, exactly as it is, did.

        It is kept as long as results are, from the latest claim on.
        """
        args = _encode(claim), b"" if former is None else _encode(former), self._remembered
        return _decode(self._executor.write("own", lua.CLAIM, (owner_key(label),), *args))

    def has_game(self, game_id: str) -> bool:
        """Whether there is a game with this id."""
        key = game_keys(game_id).game
        return bool(self._executor.run("exists", key, lambda node: node.exists(key)))


def _encode(owner: Ownership) -> bytes:
    return orjson.dumps(list(owner))


def _decode(data: bytes) -> Ownership:
    return Ownership(*orjson.loads(data))

"""Requests that write: a repeated one gets the answer to the first, and changes nothing."""

from typing import NamedTuple

from service.errors import IdempotencyKeyReusedError
from service.play.keys import fingerprint
from service.records.game import Game
from service.store import Store


class WriteRequest(NamedTuple):
    """What every request has that changes a game.

    `version` is the version the request was made for; `fingerprint` identifies the request;
    `if_match` are the versions in its `If-Match` header. Token, idempotency key and `if_match` are
    None where the request has none.
    """

    game_id: str
    token: str | None
    version: int
    fingerprint: str
    idempotency_key: str | None = None
    if_match: frozenset[int] | None = None

    @property
    def answer_key(self) -> str | None:
        """The digest under which the game keeps the answer to this request."""
        return answer_key(self.idempotency_key)


def answer_key(idempotency_key: str | None) -> str | None:
    """The digest under which a game keeps its state after the request with this key."""
    return None if idempotency_key is None else fingerprint(idempotency_key.encode())


def repeated(store: Store, answered: Game, request: str) -> Game:
    """`answered`, the game as an earlier request left it, once it is safe to answer with it.

    `request` is the fingerprint of the request at hand; `IdempotencyKeyReusedError` if the earlier
    one was another.
    """
    if answered.receipt.fingerprint != request:
        raise IdempotencyKeyReusedError
    store.confirm(answered.id)
    return answered

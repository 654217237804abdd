"""Repeated requests: they get the answer to the first one, and change nothing."""

from service.errors import IdempotencyKeyReusedError
from service.play.keys import fingerprint
from service.records.game import Game
from service.store import Store


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

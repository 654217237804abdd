"""Labels and their owners: gives out label keys, and tells whose a new game is."""

import hmac
import secrets
from collections.abc import Callable

from service.errors import LabelKeyWrongError
from service.play.keys import ServerKey, fingerprint
from service.records.game import Game
from service.records.labels import Ownership
from service.store import Store

A_CREATION = 10_000
"""How long a creation may take, in milliseconds, before its claim of a label counts as failed."""


class Labels:
    """The owners of labels in one store; stateless."""

    def __init__(self, store: Store, key: ServerKey, now: Callable[[], int]) -> None:
        """`now` gives milliseconds since 1970 UTC."""
        self._store = store.label_store
        self._key = key
        self._now = now

    def admit(self, label: str | None, label_key: str | None, game_id: str) -> bool:
        """Whether a game that is about to be created is one of its label's owner.

        Without a key that is the first with the label, which brings the key.
        `LabelKeyWrongError` if the key is not that of the label.
        """
        if label is None:
            return False
        if label_key is not None:
            self._renew(label, label_key)
            return True
        return self._claim(label, game_id).game_id == game_id

    def key_given_with(self, game: Game) -> str | None:
        """The label key that came with the creation of `game`, if one did."""
        owner = None if game.label is None else self._store.ownership(game.label)
        if owner is None or owner.game_id != game.id:
            return None
        key = self._key.label_key(game.id, owner.salt)
        return key if _is_key(key, owner) else None  # the server key may have been changed

    def is_owned(self, label: str) -> bool:
        """Whether `label` has an owner."""
        owner = self._store.ownership(label)
        return owner is not None and not self._has_lapsed(owner)

    def _claim(self, label: str, game_id: str) -> Ownership:
        """Who owns `label`: if nobody did, whoever gets the game `game_id` and the key with it."""
        salt = secrets.token_hex(8)
        digest = fingerprint(self._key.label_key(game_id, salt).encode())
        claim, former = Ownership(game_id, salt, digest, self._now()), None
        while True:
            owner = self._store.claim(label, claim, former)
            if owner.game_id == game_id or not self._has_lapsed(owner):
                return owner
            former = owner

    def _renew(self, label: str, label_key: str) -> None:
        """Marks the key as used, and the label as owned for another while."""
        while True:  # until no other creation comes between
            owner = self._store.ownership(label)
            if owner is None or not _is_key(label_key, owner):
                raise LabelKeyWrongError
            used = owner._replace(used=True)
            if self._store.claim(label, used, owner) == used:
                return

    def _has_lapsed(self, owner: Ownership) -> bool:
        late = self._now() - owner.since >= A_CREATION
        return late and not owner.used and not self._store.has_game(owner.game_id)


def _is_key(label_key: str, owner: Ownership) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(fingerprint(label_key.encode()), owner.digest)

"""What is secret or unguessable: game ids, server seeds, play tokens, fingerprints of requests."""

import hashlib
import hmac
import secrets
from base64 import b32encode, urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from service.errors import TokenMissingError, TokenWrongError

GAME_ID = r"^[a-z2-7]{26}$"
"""128 bits in base 32, small letters."""

SHORTEST_SERVER_KEY = 32


def new_seed() -> bytes:
    """A server seed: 32 bytes from the system's source of randomness."""
    return secrets.token_bytes(32)


def new_game_id() -> str:
    """A game id that nobody can guess."""
    return _game_id(secrets.token_bytes(16))


def fingerprint(data: bytes) -> str:
    """A short digest of `data`, for telling requests apart."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


class FormerKey(NamedTuple):
    """A key that came before, and the last day in UTC whose daily deals it deals."""

    key: "ServerKey"
    last_day: date


@dataclass(frozen=True, slots=True, repr=False)
class ServerKey:
    """The key of this service, shared by all its instances; 32 bytes or more, never shown.

    Games that were made under one of the `former` keys are played on, each under its own: who
    knows an old key makes no token for a game that is newer.
    """

    secret: bytes
    former: tuple[FormerKey, ...] = ()
    epoch: int = field(init=False, compare=False)
    """A number that tells this key from others, and tells nothing of it."""
    _mac: hmac.HMAC = field(init=False, compare=False)
    """Begun once: for a short message, taking the key in is most of the work."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_mac", hmac.new(self.secret, digestmod="sha256"))
        epoch = int.from_bytes(self._digest("asterism-epoch/1")[:6])
        object.__setattr__(self, "epoch", epoch)

    def play_token(self, game_id: str, epoch: int) -> str:
        """The token that lets its holder play the game: derived, and so never kept anywhere."""
        digest = self._digest(f"asterism-play/1|{game_id}|{epoch}")
        return urlsafe_b64encode(digest).decode().rstrip("=")

    def check(self, token: str, game_id: str, epoch: int) -> None:
        """Raises `TokenWrongError` unless `token` plays this game; compares in constant time.

        `epoch` is that of the key that the game was made under. Where no key has it, any key may
        have been: early games do not say.
        """
        keys = (self, *(former.key for former in self.former))
        given = token.encode("utf-8", "replace")
        right = [
            hmac.compare_digest(given, key.play_token(game_id, epoch).encode())
            for key in [key for key in keys if key.epoch == epoch] or keys
        ]
        if not any(right):
            raise TokenWrongError

    def game_id_for(self, idempotency_key: str) -> str:
        """The id of the game that a creation under this key makes, however often it is sent."""
        return _game_id(self._digest(f"asterism-create/1|{idempotency_key}")[:16])

    def commitment_id_for(self, idempotency_key: str) -> str:
        """The id of the commitment that is made under this key, however often it is sent."""
        return _game_id(self._digest(f"asterism-commit/1|{idempotency_key}")[:16])

    def daily_seed(self, variant: str, day: date) -> bytes:
        """The server seed of a variant's deal of the day: 32 bytes that only one key gives.

        That is the first of the former keys whose last day has not come before `day`, or else
        this one. So the deals of past days stay what they were.
        """
        former = sorted(self.former, key=lambda former: former.last_day)
        key = next((former.key for former in former if day <= former.last_day), self)
        return key._digest(f"asterism-daily/1|{variant}|{day}")

    def _digest(self, text: str) -> bytes:
        """32 bytes that only this key makes of `text`: HMAC-SHA256."""
        mac = self._mac.copy()
        mac.update(text.encode())
        return mac.digest()

    def __repr__(self) -> str:
        """No part of the secret: a key must not reach a log."""
        return "ServerKey(…)"


def require_token(token: str | None) -> str:
    """`token`; `TokenMissingError` if there is none, before the store is troubled for it."""
    if token is None:
        raise TokenMissingError
    return token


def _game_id(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()

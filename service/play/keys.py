"""Secrets and derived ids: the server key, play tokens, seeds, game ids, request fingerprints."""

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
    """A random game id of 128 bits."""
    return _game_id(secrets.token_bytes(16))


def fingerprint(data: bytes) -> str:
    """A short digest of `data`, by which requests are compared."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


class FormerKey(NamedTuple):
    """An earlier key, and the last day in UTC whose daily deals are derived from it."""

    key: "ServerKey"
    last_day: date


@dataclass(frozen=True, slots=True, repr=False)
class ServerKey:
    """The key of this service, shared by all its instances; 32 bytes or more, never shown.

    Games created under one of the `former` keys go on under it alone: an old key makes no token for
    a newer game.
    """

    secret: bytes
    former: tuple[FormerKey, ...] = ()
    epoch: int = field(init=False, compare=False)
    """A number that identifies this key without revealing it."""
    _mac: hmac.HMAC = field(init=False, compare=False)
    """Initialised once: for a short message, that is most of the work."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_mac", hmac.new(self.secret, digestmod="sha256"))
        epoch = int.from_bytes(self._digest("asterism-epoch/1")[:6])
        object.__setattr__(self, "epoch", epoch)

    def play_token(self, game_id: str, epoch: int) -> str:
        """The token that lets its holder play the game: derived, and so never stored."""
        digest = self._digest(f"asterism-play/1|{game_id}|{epoch}")
        return urlsafe_b64encode(digest).decode().rstrip("=")

    def check(self, token: str, game_id: str, epoch: int) -> None:
        """Raises `TokenWrongError` unless `token` plays this game; compares in constant time.

        `epoch` is that of the key that the game was created under. If no key has it, all keys are
        tried: early games have no epoch.
        """
        keys = (self, *(former.key for former in self.former))
        given = token.encode("utf-8", "replace")
        right = [
            hmac.compare_digest(given, key.play_token(game_id, epoch).encode())
            for key in [key for key in keys if key.epoch == epoch] or keys
        ]
        if not any(right):
            raise TokenWrongError

    def label_key(self, game_id: str, salt: str) -> str:
        """The key of a label whose first game has this id: derived, so that only a digest is kept.

        `salt` is stored with that, so that whoever learns the server key alone cannot derive it.
        """
        digest = self._digest(f"asterism-label/1|{game_id}|{salt}")
        return urlsafe_b64encode(digest).decode().rstrip("=")

    def game_id_for(self, idempotency_key: str) -> str:
        """The id of the game that a request with this key creates, however often it is sent."""
        return _game_id(self._digest(f"asterism-create/1|{idempotency_key}")[:16])

    def commitment_id_for(self, idempotency_key: str) -> str:
        """The id of the commitment that a request with this key makes, however often it is sent."""
        return _game_id(self._digest(f"asterism-commit/1|{idempotency_key}")[:16])

    def daily_seed(self, variant: str, day: date) -> bytes:
        """The server seed, 32 bytes, of a variant's deal of the day.

        It is derived from the first of the former keys whose last day is not before `day`, or else
        from this one, so that past deals stay what they were.
        """
        former = sorted(self.former, key=lambda former: former.last_day)
        key = next((former.key for former in former if day <= former.last_day), self)
        return key._digest(f"asterism-daily/1|{variant}|{day}")

    def _digest(self, text: str) -> bytes:
        """HMAC-SHA256 of `text`: 32 bytes."""
        mac = self._mac.copy()
        mac.update(text.encode())
        return mac.digest()

    def __repr__(self) -> str:
        """Without the secret, which must not reach a log."""
        return "ServerKey(…)"


def require_token(token: str | None) -> str:
    """`token`; `TokenMissingError` if there is none. Called before a game is loaded."""
    if token is None:
        raise TokenMissingError
    return token


def _game_id(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()

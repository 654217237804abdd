"""A commitment: a server seed settled before the player brings a seed, for one game to come."""

from dataclasses import dataclass

from service.deals import shuffle

LIFETIME = 60 * 60
"""How long a commitment waits for its game, in seconds."""


@dataclass(frozen=True, slots=True, repr=False)
class Commitment:
    """A server seed of 32 bytes that nobody can change any more, and nobody knows yet.

    `id` is also the id of the one game that can be made of it: so the two lie in one slot of a
    cluster, and one step there makes the game and spends the commitment. `expires_at` is in
    milliseconds since 1970 UTC.
    """

    id: str
    server_seed: bytes
    expires_at: int

    @property
    def digest(self) -> str:
        """What is shown of the seed, 64 hex digits."""
        return shuffle.commitment(self.server_seed)

    def __repr__(self) -> str:
        """The digest alone: a seed must not reach a log by way of a message."""
        return f"Commitment({self.digest})"

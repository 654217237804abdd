"""A commitment: a server seed fixed before the player chooses a seed, for one future game."""

from dataclasses import dataclass, field

from service.deals import shuffle

LIFETIME = 60 * 60
"""How long a commitment can be used, in seconds."""


@dataclass(frozen=True, slots=True, repr=False)
class Commitment:
    """A secret server seed of 32 bytes that can no longer change.

    `id` is also the id of the one game that it can become: both share a cluster slot, so that one
    atomic step creates the game and uses up the commitment. `expires_at` is in milliseconds since
    1970 UTC.
    """

    id: str
    server_seed: bytes
    expires_at: int
    used: bool = field(default=False, compare=False)
    """Whether a game has been created from it, as far as is known."""

    @property
    def digest(self) -> str:
        """The published digest of the seed, 64 hex digits."""
        return shuffle.commitment(self.server_seed)

    def __repr__(self) -> str:
        """The digest alone, so that no seed gets into a log."""
        return f"Commitment({self.digest})"

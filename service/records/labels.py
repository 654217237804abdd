"""Who owns a label: whoever has the key that came with its first game."""

from typing import NamedTuple


class Ownership(NamedTuple):
    """What is stored about the owner of a label: a digest of the label key, and never the key.

    The key came with the creation of the game `game_id` and is derived from it and from `salt`.
    `since` is in milliseconds since 1970 UTC. Until the key is `used`, the label is owned only as
    long as that game is kept: a creation that failed blocks no label for good.
    """

    game_id: str
    salt: str
    digest: str
    since: int
    used: bool = False

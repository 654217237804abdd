"""What later releases might bring: one more schema of games, as the upgrade policy has it.

`reading` is the release that brings it: it reads it, and writes the one before. `writing` is the
release after that. Both are the running code, and are run as `python -m service` is.
"""

import zlib

from service.records.game import Game
from service.store import codec
from tests.support.stored import with_check

SCHEMA = codec.SCHEMA + 1
"""A game of this schema is one of the schema before, compressed behind its version."""


def written(state: bytes) -> bytes:
    """A game of the schema before, in this one."""
    return with_check(bytes((SCHEMA,)) + state[1:5] + zlib.compress(state[5:-4]))


def read(game_id: str, data: bytes) -> Game:
    """A game of this schema, less its check value."""
    before = bytes((codec.SCHEMA,)) + data[1:5] + zlib.decompress(data[5:])
    return codec.READERS[codec.SCHEMA](game_id, before)

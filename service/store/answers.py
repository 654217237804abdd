"""The answers that a game keeps to requests with an idempotency key: the game as each had left it.

They lie in one string beside the game, compressed by its state, to which they are much alike, and
are written anew with each version of it.
"""

import zlib
from collections.abc import Mapping
from typing import NamedTuple

from service.errors import GameUnreadableError
from service.game import Game
from service.store import codec

ANSWERS_KEPT = 4
"""How many answers to requests with an idempotency key a game keeps, besides its creation's."""

_DIGEST, _HEAD = 12, 16
_WINDOW, _MEMORY = -12, 4
"""A raw stream that looks back over 4 kB, and little memory: that is cleared for each stream."""


class Answers(NamedTuple):
    """The answers that a game keeps at one version of it.

    `kept` has by the digest of its key, 12 bytes, the state that each request led to, loosened;
    the oldest first.
    """

    game_id: str
    kept: Mapping[bytes, bytes] = {}

    def under(self, answer_key: str | None) -> Game | None:
        """The game as the request with this key had left it, if that is kept."""
        state = self.state_under(answer_key)
        return None if state is None else codec.decode_game(self.game_id, state)

    def state_under(self, answer_key: str | None) -> bytes | None:
        """The state of that game."""
        state = None if answer_key is None else self.kept.get(bytes.fromhex(answer_key))
        return None if state is None else codec.tightened(state)

    def with_answer(self, answer_key: str | None, state: bytes) -> "Answers":
        """These, and `state` under `answer_key` if there is one: the creation's and the last."""
        if answer_key is None:
            return self
        kept = *self.kept.items(), (bytes.fromhex(answer_key), codec.loosened(state))
        older, latest = kept[:-ANSWERS_KEPT], kept[-ANSWERS_KEPT:]
        creation = [answer for answer in older if codec.version_of(answer[1]) == 1]
        return Answers(self.game_id, dict((*creation, *latest)))


def encode_answers(answers: Answers, state: bytes) -> bytes:
    """`answers` as they are kept beside `state`; nothing if there are none.

    That is for each its digest, a length in four bytes, and a state, loosened, of no length where
    it is that of the game; all as a raw deflate stream (RFC 1951) that has the state of the game,
    loosened, for a dictionary; and a check value of both.
    """
    if not answers.kept:
        return b""
    now, parts = codec.loosened(state), list[bytes]()
    for digest, then in answers.kept.items():
        written = b"" if then == now else then
        parts += digest, len(written).to_bytes(_HEAD - _DIGEST, "big"), written
    deflate = zlib.compressobj(9, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=now)
    packed = deflate.compress(b"".join(parts)) + deflate.flush()
    return packed + _check(packed, now)


def decode_answers(game_id: str, data: bytes | None, state: bytes) -> Answers:
    """The answers in `data`, None for none, that are kept beside `state`, which is a game's.

    `GameUnreadableError` unless `encode_answers` has written them, with this state.
    """
    if data is None:
        return Answers(game_id)
    now, packed = codec.loosened(state), data[:-4]
    if _check(packed, now) != data[-4:]:
        raise GameUnreadableError("the answers that it keeps are broken")
    written, kept, place = zlib.decompressobj(_WINDOW, zdict=now).decompress(packed), {}, 0
    while place < len(written):
        begin = place + _HEAD
        end = begin + int.from_bytes(written[place + _DIGEST : begin], "big")
        kept[written[place : place + _DIGEST]] = written[begin:end] or now
        place = end
    return Answers(game_id, kept)


def _check(packed: bytes, now: bytes) -> bytes:
    return zlib.crc32(packed, zlib.crc32(now)).to_bytes(4, "big")

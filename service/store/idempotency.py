"""Encodes the responses stored beside a game for requests repeated with an idempotency key.

They are one string, compressed with the game's state as the dictionary, and rewritten with each
version.
"""

import zlib

from msgspec import MsgspecError, msgpack

from service.errors import GameUnreadableError
from service.store.base import StoredResponses
from service.store.codec import version_of
from service.store.encoding import with_checksum, without_checksum

RESPONSES_KEPT = 4
"""How many responses to requests with an idempotency key a game keeps, besides its creation's."""

_WINDOW_BITS, _MEMORY_LEVEL = -12, 4
"""A raw stream with a window of 4 kB, and little memory, as it is cleared for each stream."""

_decoder = msgpack.Decoder(dict[bytes, bytes])


def add_response(
    responses: StoredResponses, answer_key: str | None, state: bytes
) -> StoredResponses:
    """`responses` with `state` added under `answer_key`, cut to the creation's and the latest."""
    if answer_key is None:
        return responses
    stored = *responses.items(), (answer_key, state)
    older, latest = stored[:-RESPONSES_KEPT], stored[-RESPONSES_KEPT:]
    creation = [(key, then) for key, then in older if version_of(then) == 1]
    return dict((*creation, *latest))


def encode_responses(responses: StoredResponses, state: bytes) -> bytes:
    """`responses` as they are stored beside `state`; empty if there are none.

    A msgpack map from the digest of each key to a state without its checksum, as a raw deflate
    stream (RFC 1951) that has `state` for a dictionary, and a checksum of `state` and this stream.
    """
    if not responses:
        return b""
    body = {bytes.fromhex(key): without_checksum(then) for key, then in responses.items()}
    deflate = zlib.compressobj(wbits=_WINDOW_BITS, memLevel=_MEMORY_LEVEL, zdict=state)
    packed = deflate.compress(msgpack.encode(body)) + deflate.flush()
    return with_checksum(state + packed)[len(state) :]


def decode_responses(data: bytes | None, state: bytes) -> StoredResponses:
    """The responses in `data`, which may be None, stored beside `state`.

    `GameUnreadableError` unless `encode_responses` made it, with this state.
    """
    if data is None:
        return {}
    inflate = zlib.decompressobj(wbits=_WINDOW_BITS, zdict=state)
    try:
        packed = without_checksum(state + data)[len(state) :]
        body = _decoder.decode(inflate.decompress(packed))
    except (GameUnreadableError, zlib.error, MsgspecError):
        raise GameUnreadableError("the answers that it keeps are broken") from None
    return {key.hex(): with_checksum(then) for key, then in body.items()}

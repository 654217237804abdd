"""Encodes the events in the log of a game as bytes, each with a checksum.

A game has up to 64 of them, so they are packed more tightly than msgpack would.
"""

import struct
from binascii import crc_hqx
from typing import get_args

from service.errors import GameUnreadableError
from service.games.base import Reveal
from service.games.cards import FACES
from service.records.events import Event, Kind
from service.records.game import Game
from service.store.encoding import decode_line, encode_line, line_offset

_KINDS: tuple[Kind, ...] = get_args(Kind)
"""A kind is stored as its index here, so a new one must come last."""

_HEAD = struct.Struct(">BH")
"""The kind, with the size of the time in its high bits; and the number of moves or steps.

A redo has as many moves as steps, an undo has no moves, and nothing else has steps.
"""


def encode_event(event: Event, game: Game) -> bytes:
    """`event` less its version, which follows from its place in the log: about ten bytes.

    They are its head, the milliseconds since the game began, its moves as in a line, a byte for the
    pile of each reveal and one for its card, and a CRC-16.
    """
    index, since = game.variant.layout.index, event.at - game.created_at
    size = (since.bit_length() + 7) // 8
    head = _HEAD.pack(_KINDS.index(event.kind) | size << 4, event.steps or len(event.moves))
    reveals = b"".join(bytes((index[pile], FACES.index(card))) for pile, card in event.reveals)
    written = head + since.to_bytes(size, "big") + encode_line(game.variant, event.moves) + reveals
    return written + crc_hqx(written, 0).to_bytes(2, "big")


def decode_event(data: bytes, version: int, game: Game) -> Event:
    """The event that `encode_event` wrote; `GameUnreadableError` for anything else."""
    written, checksum = data[:-2], data[-2:]
    if crc_hqx(written, 0).to_bytes(2, "big") != checksum:
        raise GameUnreadableError("its log holds an event whose bytes are broken")
    try:
        (first, count), rest = _HEAD.unpack_from(written), written[_HEAD.size :]
        kind, size = _KINDS[first & 15], first >> 4
        moves = 0 if kind == "undone" else count
        since, line = int.from_bytes(rest[:size], "big"), rest[size:]
        turned = line[line_offset(moves) :]
        reveals = tuple(
            Reveal(game.variant.layout.ids[pile], FACES[card])
            for pile, card in zip(turned[::2], turned[1::2], strict=True)
        )
    except (struct.error, IndexError, ValueError):
        raise GameUnreadableError("its log holds an event that is none") from None
    played, steps = decode_line(game.variant, line, moves), 0 if kind == "moved" else count
    return Event(version, kind, game.created_at + since, played, reveals, steps)

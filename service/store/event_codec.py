"""Encodes the events in the log of a game as bytes, each with a checksum.

A game has up to 64 of them, so they are packed more tightly than msgpack would.
"""

from binascii import crc_hqx
from collections.abc import Iterator
from itertools import islice
from typing import get_args

from service.errors import GameUnreadableError
from service.games.base import Reveal
from service.games.cards import FACES
from service.records.events import Event, Kind
from service.records.game import Game
from service.store.encoding import MOVE_BYTES, decode_line, encode_line

_KINDS: tuple[Kind, ...] = get_args(Kind)
"""A kind is stored as its index here, so a new one must come last."""


def encode_event(event: Event, game: Game) -> bytes:
    """`event` less its version, which follows from its place in the log: about a dozen bytes.

    They are its kind, the milliseconds since the game began, its steps, the number of its moves,
    these as in a line, a byte for the pile of each reveal and one for its card, and a CRC-16.
    """
    index = game.variant.layout.index
    numbers = event.at - game.created_at, event.steps, len(event.moves)
    written = b"".join(
        (
            bytes((_KINDS.index(event.kind),)),
            *map(_encode_number, numbers),
            encode_line(game.variant, event.moves),
            *(bytes((index[pile], FACES.index(card))) for pile, card in event.reveals),
        )
    )
    return written + crc_hqx(written, 0).to_bytes(2, "big")


def decode_event(data: bytes, version: int, game: Game) -> Event:
    """The event that `encode_event` wrote; `GameUnreadableError` for anything else."""
    written, checksum = data[:-2], data[-2:]
    if crc_hqx(written, 0).to_bytes(2, "big") != checksum:
        raise GameUnreadableError("its log holds an event whose bytes are broken")
    rest = iter(written)
    try:
        kind = _KINDS[next(rest)]
        since, steps, moves = (_decode_number(rest) for _ in range(3))
        line, turned = bytes(islice(rest, moves * MOVE_BYTES)), bytes(rest)
        reveals = tuple(
            Reveal(game.variant.layout.ids[pile], FACES[card])
            for pile, card in zip(turned[::2], turned[1::2], strict=True)
        )
    except (StopIteration, IndexError, ValueError):
        raise GameUnreadableError("its log holds an event that is none") from None
    played = decode_line(game.variant, line, moves)
    return Event(version, kind, game.created_at + since, played, reveals, steps)


def _encode_number(number: int) -> bytes:
    """A number from 0, seven bits a byte, the lowest first; all bytes but the last have bit 7."""
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def _decode_number(data: Iterator[int]) -> int:
    """The next number of `data`; `ValueError` if it breaks off."""
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        if byte < 128:
            return number
        shift += 7
    raise ValueError("a number breaks off")

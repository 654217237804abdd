"""Encodes positions and lines of play as bytes, and adds checksums."""

import struct
from collections.abc import Sequence
from zlib import crc32

from service.errors import GameUnreadableError
from service.games.base import Position, Variant, View
from service.games.cards import FACES, Card
from service.games.moves import Move

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CARDS: dict[int, Card] = dict(zip(_LETTERS, FACES, strict=True))
_BYTES: dict[str, int] = {".": ord("."), "/": ord("/"), **dict(zip(FACES, _LETTERS, strict=True))}

MOVE_BYTES = 2
CHECKSUM_BYTES = 4


def encode_position(position: Position) -> bytes:
    """A letter a card: the piles in layout order with `/` between them.

    In each pile the face-down cards come first, with a `.` after them if there are any.
    """
    signs: list[str] = []
    for under, cards in zip(position.under, position.view.cards, strict=True):
        if under:
            signs += under
            signs.append(".")
        signs += cards
        signs.append("/")
    return bytes(map(_BYTES.__getitem__, signs[:-1]))


def decode_position(variant: Variant, data: bytes) -> Position:
    """The position that `encode_position` wrote; `ValueError` or `KeyError` for anything else."""
    under: list[tuple[Card, ...]] = []
    shown: list[tuple[Card, ...]] = []
    # Slices of all cards at once: decoding them pile by pile takes a fifth more time.
    cards = tuple([_CARDS[letter] for letter in data.translate(None, b"./")])
    start = 0
    for letters in data.split(b"/"):
        face_down, _, face_up = letters.rpartition(b".")
        middle = start + len(face_down)
        end = middle + len(face_up)
        under.append(cards[start:middle])
        shown.append(cards[middle:end])
        start = end
    if start != len(cards):
        raise ValueError("a pile has more than one `.`")
    if len(shown) != len(variant.layout.ids):
        raise ValueError("it has other piles")
    return Position(View(variant, None, tuple(shown), tuple(map(len, under))), tuple(under))


def encode_line(variant: Variant, moves: Sequence[Move]) -> bytes:
    """Each move by its place in the action table of `variant`: two bytes, high byte first."""
    return struct.pack(f">{len(moves)}H", *[variant.action_index[move] for move in moves])


def decode_line(variant: Variant, data: bytes, length: int) -> tuple[Move, ...]:
    """The first `length` moves of a line; `GameUnreadableError` if it holds fewer."""
    if len(data) < line_offset(length):
        raise GameUnreadableError("moves of its line are lost")
    return decode_moves(variant, data[: line_offset(length)])


def decode_moves(variant: Variant, data: bytes) -> tuple[Move, ...]:
    """All moves of a part of a line; `GameUnreadableError` if one of them is none."""
    try:
        return tuple([variant.actions[at] for (at,) in struct.iter_unpack(">H", data)])
    except (IndexError, struct.error):
        raise GameUnreadableError("its line holds a move that is none") from None


def line_offset(ply: int) -> int:
    """Where in a line the bytes of the move after `ply` begin."""
    return ply * MOVE_BYTES


def with_checksum(data: bytes) -> bytes:
    """`data`, and its CRC-32 after it."""
    return data + crc32(data).to_bytes(CHECKSUM_BYTES, "big")


def without_checksum(data: bytes) -> bytes:
    """What `with_checksum` was given; `GameUnreadableError` if a byte of it has changed."""
    written = data[:-CHECKSUM_BYTES]
    if data != with_checksum(written):
        raise GameUnreadableError("its bytes are broken")
    return written

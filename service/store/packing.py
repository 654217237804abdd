"""Bytes packed densely: whole numbers of any size, and the letters of a position."""

from binascii import a2b_base64, b2a_base64
from collections.abc import Iterator

_FOUR_LETTERS = 4


def pack_number(number: int) -> bytes:
    """A number from 0, seven bits a byte, the lowest first; all bytes but the last have bit 7."""
    packed = bytearray()
    while number > 127:
        packed.append(number & 127 | 128)
        number >>= 7
    packed.append(number)
    return bytes(packed)


def unpack_number(data: Iterator[int]) -> int:
    """The next number of `data`; `ValueError` if it breaks off."""
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        if byte < 128:
            return number
        shift += 7
    raise ValueError("a number breaks off")


def pack_letters(letters: str) -> bytes:
    """Letters, `.` and `/`, six bits each; filled up with `/` to a whole number of bytes."""
    filled = letters + "/" * (-len(letters) % _FOUR_LETTERS)
    return a2b_base64(filled.replace(".", "+"))


def unpack_letters(data: bytes) -> str:
    """What `pack_letters` has packed, with what it has filled up."""
    return b2a_base64(data, newline=False).decode().replace("+", ".")

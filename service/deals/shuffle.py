"""Seeds, shuffles and commitments to a seed: the scheme `asterism-deal/1`."""

import hashlib
import hmac
import re
import struct
from collections.abc import Iterator, Sequence

from service.errors import InputError
from service.games.cards import Card

SCHEME = "asterism-deal/1"
SHUFFLE = b"asterism-shuffle/1"
LARGEST_DEAL = 2**64 - 1

DIGEST_PATTERN = r"^[0-9a-f]{64}$"
"""Matches 32 bytes, such as a seed or a commitment, in hexadecimal digits."""

DEAL_NUMBER_PATTERN = r"^[1-9][0-9]{0,19}$"
"""Matches every deal number, and a few above the largest."""


def deal_number(text: str) -> int:
    """The deal number 1 … 2^64-1 written as `text`. Raises `InputError`."""
    # The pattern comes first: it bounds the digits that `int` has to read.
    if not re.fullmatch(DEAL_NUMBER_PATTERN, text, re.ASCII) or int(text) > LARGEST_DEAL:
        raise InputError(
            f"A deal number is 1 to {LARGEST_DEAL} in decimal digits, without leading zeros."
        )
    return int(text)


def numbered_seed(variant: str, number: int) -> bytes:
    """The 32-byte seed of a numbered deal: SHA-256 of `asterism-deal/1|<variant>|<number>`."""
    return hashlib.sha256(f"{SCHEME}|{variant}|{number}".encode("ascii")).digest()


def sealed_seed(server_seed: bytes, player_seed: bytes = b"") -> bytes:
    """The 32-byte seed of a sealed deal: HMAC-SHA256 of the player's seed under the server's."""
    return hmac.digest(server_seed, player_seed, "sha256")


def commitment(server_seed: bytes) -> str:
    """The digest that is published before the game ends: SHA-256 of `asterism-deal/1|` + seed.

    It covers the 256-bit seed, not the order of the cards: late in a game few orders are possible,
    and their digests could be tried one by one.
    """
    return hashlib.sha256(SCHEME.encode("ascii") + b"|" + server_seed).hexdigest()


def shuffled(pack: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """`pack` shuffled by `seed`: Durstenfeld's algorithm, last index first."""
    order = list(pack)
    numbers = _numbers(seed)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _numbers(seed: bytes) -> Iterator[int]:
    """An endless stream of big-endian 32-bit numbers, eight from each HMAC block."""
    counter = 0
    while True:
        block = hmac.digest(seed, SHUFFLE + counter.to_bytes(4, "big"), "sha256")
        yield from struct.unpack(">8I", block)
        counter += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A uniformly distributed number below `bound`, by rejection sampling."""
    limit = 2**32 // bound * bound
    while (number := next(numbers)) >= limit:
        pass
    return number % bound

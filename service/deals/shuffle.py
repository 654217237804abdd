"""Numbered and seeded shuffles, and commitments to a seed: scheme `asterism-deal/1`."""

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence

from service.errors import DealNumberError
from service.games.cards import Card

SCHEME = "asterism-deal/1"
SHUFFLE = b"asterism-shuffle/1"
LARGEST_DEAL = 2**64 - 1
_DEAL_NUMBER = re.compile(r"[1-9][0-9]{0,19}", re.ASCII)


def deal_number(text: str) -> int:
    """The deal number that `text` writes, 1 … 2^64-1, in decimal digits without leading zeros.

    Raises `DealNumberError`; a text of any length is answered at once.
    """
    if not _DEAL_NUMBER.fullmatch(text) or int(text) > LARGEST_DEAL:
        raise DealNumberError(
            f"A deal number is 1 to {LARGEST_DEAL} in decimal digits, without leading zeros."
        )
    return int(text)


def numbered_seed(variant: str, number: int) -> bytes:
    """The 32-byte seed of a public deal: SHA-256 of `asterism-deal/1|<variant>|<number>`."""
    return hashlib.sha256(f"{SCHEME}|{variant}|{number}".encode("ascii")).digest()


def sealed_seed(server_seed: bytes, player_seed: bytes = b"") -> bytes:
    """The 32-byte seed of a sealed deal: HMAC-SHA256 of the player's seed under the server's."""
    return hmac.digest(server_seed, player_seed, "sha256")


def commitment(server_seed: bytes) -> str:
    """What is shown of a server seed before the game ends: SHA-256 of `asterism-deal/1|` + seed.

    It covers the 256-bit seed and never the order of the pack: late in a game few orders are
    left, and a digest of one of them could be searched for.
    """
    return hashlib.sha256(SCHEME.encode("ascii") + b"|" + server_seed).hexdigest()


def shuffled(pack: Sequence[Card], seed: bytes) -> tuple[Card, ...]:
    """`pack` in the order that `seed` gives it: Durstenfeld's shuffle, last index first."""
    order = list(pack)
    numbers = _numbers(seed)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _numbers(seed: bytes) -> Iterator[int]:
    """Big-endian 32-bit numbers without end, eight from each HMAC block."""
    counter = 0
    while True:
        block = hmac.digest(seed, SHUFFLE + counter.to_bytes(4, "big"), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    """The next number below `bound`, every one equally likely (by rejection)."""
    limit = 2**32 // bound * bound
    return next(number for number in numbers if number < limit) % bound

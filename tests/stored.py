"""A game as it lies in the store, read and written by another hand than the service's."""

import json
from base64 import b64decode, b64encode
from typing import Any
from zlib import crc32

_IN_ORDER = ("ruleset", "ply", "length", "counters", "created", "lasted", "epoch", "receipt")


def taken_apart(data: bytes) -> dict[str, Any]:
    """The members of a kept game by name, its position in letters."""
    assert crc32(data[:-4]) == int.from_bytes(data[-4:], "big")
    rest = data[5:-4]
    position, rest = rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
    seed, rest = rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
    *always, others = json.loads(rest)
    return {
        "schema": data[0],
        "version": int.from_bytes(data[1:5], "big"),
        "position": b64encode(position).decode().replace("+", ".").rstrip("/"),
        "seed": seed,
        **dict(zip(_IN_ORDER, always, strict=True)),
        **others,
    }


def put_together(members: dict[str, Any]) -> bytes:
    """A kept game of such members; one that every game has and that is not there is null."""
    others = dict(members)
    schema, version, seed = (others.pop(name) for name in ("schema", "version", "seed"))
    letters = others.pop("position").replace(".", "+")
    position = b64decode(letters + "/" * (-len(letters) % 4))
    always = [others.pop(name, None) for name in _IN_ORDER]
    head = bytes((schema, *version.to_bytes(4, "big"), len(position), *position, len(seed), *seed))
    return with_check(head + json.dumps([*always, others]).encode())


def with_check(data: bytes) -> bytes:
    """`data` with its check value, as if it had been kept."""
    return data + crc32(data).to_bytes(4, "big")

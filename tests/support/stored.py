"""A game as it lies in the store, read and written without the service's codecs."""

from typing import Any
from zlib import crc32

from msgspec import msgpack

_BODY = (
    *("position", "deal", "created", "duration", "fingerprint", "outcome", "ply", "undone"),
    *("resigned", "label", "counters", "plan", "first", "forked", "epoch"),
)


def taken_apart(data: bytes) -> dict[str, Any]:
    """The members of a stored game by name: those of its deal too, its position in letters."""
    assert crc32(data[:-4]) == int.from_bytes(data[-4:], "big")
    body = dict(zip(_BODY, msgpack.decode(data[5:-4]), strict=True))
    kind, ruleset, *deal = body["deal"]
    return {
        "schema": data[0],
        "version": int.from_bytes(data[1:5], "big"),
        **body,
        "position": body["position"].decode(),
        "kind": kind,
        "ruleset": ruleset,
        "deal": deal,
    }


def put_together(members: dict[str, Any]) -> bytes:
    """A stored game of such members; one that is not there is nil."""
    body = {name: members.get(name) for name in _BODY}
    body["position"] = members["position"].encode()
    body["deal"] = [members.get("kind"), members.get("ruleset"), *members["deal"]]
    head = bytes((members["schema"], *members["version"].to_bytes(4, "big")))
    return with_check(head + msgpack.encode(list(body.values())))


def with_check(data: bytes) -> bytes:
    """`data` with its check value, as if it had been stored."""
    return data + crc32(data).to_bytes(4, "big")

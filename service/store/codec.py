"""Games and commitments as bytes: a schema, a msgpack body and a checksum."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, MsgspecError, Struct, msgpack

from service.deals.commitment import Commitment
from service.errors import GameUnreadableError
from service.games.base import Position, Variant
from service.records.game import Counters, Game, Outcome, Receipt
from service.store import encoding
from service.store.deal_codec import Seed, StoredDeal, decode_deal, encode_deal

SCHEMA = 1
"""The schema of the games that this release writes: their first byte.

A release that introduces a schema reads it but writes the one before; the next release writes it.
So two successive releases read what the other writes, and can share one store. In every schema the
four bytes after the first are the version, which scripts compare, and the last four a checksum.
"""

COMMITMENT_SCHEMA = 1
"""The first byte of a commitment; a new schema is introduced in the same two steps."""

_BODY = 5
"""Where the body of a game begins, after the schema and the version."""

_PLY_BYTES = 2

_Natural = Annotated[int, Meta(ge=0)]


class _Game(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A game less its version; `duration` is the time from its creation to its last update, in ms.

    `outcome` is stored as the named tuples that it is made of, so a new field in one of them makes
    a new schema.
    """

    position: bytes
    deal: StoredDeal
    created_at: _Natural
    duration: _Natural
    fingerprint: bytes
    outcome: Outcome
    ply: _Natural
    undone: _Natural
    resigned: bool
    label: str | None
    counters: tuple[_Natural, _Natural, _Natural, _Natural]
    plan: bytes
    first_attempt: bool
    forked_at: _Natural | None
    epoch: _Natural


class _OwnedGame(_Game, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A game whose label is owned; others are stored as before labels could be owned."""

    label_owned: bool = False


class _Commitment(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    server_seed: Seed
    expires_at: _Natural


_game_decoder = msgpack.Decoder(_OwnedGame)
_commitment_decoder = msgpack.Decoder(_Commitment)


def encode_game(game: Game) -> bytes:
    """`game` in about 250 bytes."""
    kind, more = (_OwnedGame, {"label_owned": True}) if game.label_owned else (_Game, {})
    body = kind(
        position=encoding.encode_position(game.position),
        deal=encode_deal(game.deal),
        created_at=game.created_at,
        duration=game.updated_at - game.created_at,
        fingerprint=bytes.fromhex(game.receipt.fingerprint),
        outcome=game.receipt.outcome,
        ply=game.ply,
        undone=game.length - game.ply,
        resigned=game.resigned,
        label=game.label,
        counters=game.counters,
        plan=encoding.encode_line(game.variant, game.plan),
        first_attempt=game.first_attempt,
        forked_at=game.forked_at,
        epoch=game.epoch,
        **more,
    )
    head = bytes((SCHEMA,)) + encode_version(game.version)
    return encoding.with_checksum(head + msgpack.encode(body))


def encode_version(version: int) -> bytes:
    """`version` as it is stored in a game: four bytes, high byte first."""
    return version.to_bytes(4, "big")


def version_of(data: bytes) -> int:
    """The version of an encoded game."""
    return int.from_bytes(data[1:_BODY], "big")


def mark_of(state: bytes, answers: bytes | None) -> bytes:
    """What identifies a stored game and its answers: the version, and the checksums of both."""
    return (
        state[1:_BODY]
        + state[-encoding.CHECKSUM_BYTES :]
        + (answers or b"")[-encoding.CHECKSUM_BYTES :]
    )


def decode_game(game_id: str, data: bytes) -> Game:
    """The game that `encode_game` wrote, or one of another schema that this release reads.

    `GameUnreadableError` for anything else.
    """
    schema = data[0] if data else 0
    if schema not in READERS:
        known = " and ".join(map(str, READERS))
        raise GameUnreadableError(f"it has schema {schema}, this release reads {known}")
    written = encoding.without_checksum(data)
    try:
        return READERS[schema](game_id, written)
    except (MsgspecError, KeyError, ValueError):
        raise GameUnreadableError("its state is incomplete or wrong") from None


def _read(game_id: str, data: bytes) -> Game:
    """The game of schema 1 in `data`; raises `MsgspecError`, `KeyError` or `ValueError`."""
    body = _game_decoder.decode(data[_BODY:])
    deal = decode_deal(body.deal)
    variant = deal.variant
    return Game(
        id=game_id,
        deal=deal,
        position=encoding.decode_position(variant, body.position),
        created_at=body.created_at,
        updated_at=body.created_at + body.duration,
        receipt=Receipt(body.fingerprint.hex(), body.outcome),
        version=version_of(data),
        ply=body.ply,
        length=body.ply + body.undone,
        resigned=body.resigned,
        label=body.label,
        counters=Counters(*body.counters),
        plan=encoding.decode_moves(variant, body.plan),
        first_attempt=body.first_attempt,
        forked_at=body.forked_at,
        epoch=body.epoch,
        label_owned=body.label_owned,
    )


READERS: dict[int, Callable[[str, bytes], Game]] = {SCHEMA: _read}
"""By schema, the function that reads a game from its id and its bytes without their checksum."""


def encode_checkpoint(ply: int, position: Position) -> bytes:
    """A position of a line, with its ply ahead of it: two are never the same bytes."""
    written = encoding.encode_position(position)
    return encoding.with_checksum(ply.to_bytes(_PLY_BYTES, "big") + written)


def decode_checkpoint(variant: Variant, data: bytes | None) -> tuple[int, Position | None]:
    """Ply and position of what `encode_checkpoint` wrote; 0 and None for None.

    `GameUnreadableError` for anything else.
    """
    if data is None:
        return 0, None
    written = encoding.without_checksum(data)
    try:
        position = encoding.decode_position(variant, written[_PLY_BYTES:])
    except (KeyError, ValueError):
        raise GameUnreadableError("a checkpoint of its line is wrong") from None
    return int.from_bytes(written[:_PLY_BYTES], "big"), position


def encode_commitment(commitment: Commitment) -> bytes:
    """`commitment` less its id, which is in its key."""
    body = _Commitment(commitment.server_seed, commitment.expires_at)
    return encoding.with_checksum(bytes((COMMITMENT_SCHEMA,)) + msgpack.encode(body))


def decode_commitment(id: str, data: bytes) -> Commitment:
    """The commitment that `encode_commitment` wrote; `GameUnreadableError` for anything else."""
    if data[:1] != bytes((COMMITMENT_SCHEMA,)):
        raise GameUnreadableError("its commitment has a schema that this release does not read")
    try:
        body = _commitment_decoder.decode(encoding.without_checksum(data)[1:])
    except MsgspecError:
        raise GameUnreadableError("its commitment is incomplete or wrong") from None
    return Commitment(id, body.server_seed, body.expires_at)

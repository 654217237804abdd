"""How a game, a line of play and an event are written down as bytes, and read back.

All but a line has a check value, so that damage is told and no game goes on from it. A line must
lead to the position of its game.
"""

from base64 import b64decode, b64encode
from binascii import crc32, crc_hqx
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, get_args

import orjson

from service.advice import Hint
from service.cards import FACES, deal_number
from service.commitments import Commitment
from service.daily import day_of
from service.deals import DailyDeal, Deal, PublicDeal, RevealedDeal, SealedDeal
from service.errors import GameUnreadableError
from service.events import Event, Kind
from service.game import Counters, Game, Outcome, Receipt
from service.games import VARIANTS
from service.moves import Move, parse, text
from service.store.letters import decode_position, encode_position
from service.store.packing import pack_letters, pack_number, unpack_letters, unpack_number
from service.variant import Reveal, Variant

SCHEMA = 1
"""The schema of the games that this release writes: their first byte.

A release that brings a new schema reads it and goes on writing the one before; the release after
it writes the new one. So two releases that follow each other read what the other writes, and can be
mixed on one store. What all schemas have alike are the version, which scripts compare, the position
behind it, which answers are kept by, and the check value at the end.
"""

COMMITMENT_SCHEMA = 1
"""The first byte of a commitment; a new one comes in the same two steps."""

_BYTES_A_MOVE = 2
_KINDS: tuple[Kind, ...] = get_args(Kind)
"""By their places in the bytes of an event: a new kind comes last."""
_NUMBERS = ("ply", "length", "created", "lasted", "epoch")
_LABELS = (str, type(None))
_RULESETS = {variant.ruleset: variant for variant in VARIANTS.values()}
_ALWAYS = ("ruleset", "ply", "length", "counters", "created", "lasted", "epoch", "receipt")
"""What every state has beside its position, in the order in which it is written."""
_SCHEMA = bytes((SCHEMA,))
_VERSION, _POSITION = slice(1, 5), 5
"""Where the version is, and where the position begins."""


def encode_game(game: Game) -> bytes:
    """`game` as about a quarter of a kB.

    That is the schema, the version, the position and the server seed, each of these two after a
    byte with its length, then a JSON array: a value for each name of `_ALWAYS`, and an object with
    all the others; and the check value of all that.
    """
    deal, seed = game.deal, b""
    always = (
        game.variant.ruleset,
        game.ply,
        game.length,
        list(game.counters),
        game.created_at,
        game.updated_at - game.created_at,
        game.epoch,
        [game.receipt.fingerprint, *_encode_outcome(game.receipt.outcome)],
    )
    more: dict[str, Any] = {}
    if isinstance(deal, PublicDeal):
        more["number"] = str(deal.number)
    else:
        seed = deal.server_seed
        if deal.player_seed:
            more["player_seed"] = deal.player_seed.hex()
    if isinstance(deal, DailyDeal):
        more["day"] = str(deal.day)
    elif isinstance(deal, RevealedDeal):
        more["revealed"] = True
    if game.plan:
        more["plan"] = b64encode(encode_line(game.variant, game.plan)).decode()
    if game.label is not None:
        more["label"] = game.label
    if game.forked_at is not None:
        more["forked"] = game.forked_at
    if game.first_attempt:
        more["first"] = True
    if game.resigned:
        more["resigned"] = True
    position = pack_letters(encode_position(game.position))
    head = _SCHEMA, encode_version(game.version)
    parts = *head, _length(position), position, _length(seed), seed, orjson.dumps([*always, more])
    return _with_check(b"".join(parts))


def encode_version(version: int) -> bytes:
    """`version` as it stands in a game: four bytes, high byte first."""
    return version.to_bytes(4, "big")


def version_of(data: bytes) -> int:
    """The version that stands in a game."""
    return int.from_bytes(data[_VERSION], "big")


def decode_game(game_id: str, data: bytes) -> Game:
    """The game that `encode_game` wrote, or one of a schema that this release reads besides.

    `GameUnreadableError` for anything else.
    """
    schema = data[0] if data else 0
    if schema not in READERS:
        known = " and ".join(map(str, READERS))
        raise GameUnreadableError(f"it has schema {schema}, this release reads {known}")
    try:
        return READERS[schema](game_id, _checked(data))
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        raise GameUnreadableError("its state is incomplete or wrong") from None


def _read(game_id: str, data: bytes) -> Game:
    """The game in `data`, which has schema 1 and is whole; many kinds of errors otherwise."""
    position_end = _POSITION + 1 + data[_POSITION]
    seed_end = position_end + 1 + data[position_end]
    seed = data[position_end + 1 : seed_end]
    *always, state = orjson.loads(data[seed_end:])
    state |= zip(_ALWAYS, always, strict=True)
    variant = _RULESETS[state["ruleset"]]
    label, counters = state.get("label"), Counters(*state["counters"])
    numbers = (*map(state.__getitem__, _NUMBERS), *counters, state.get("forked", 0))
    if set(map(type, numbers)) != {int} or min(numbers) < 0:
        raise ValueError(numbers)
    if state["ply"] > state["length"] or type(label) not in _LABELS:
        raise ValueError(state["ply"], label)
    return Game(
        id=game_id,
        deal=_decode_deal(variant, seed, state),
        position=decode_position(variant, unpack_letters(data[_POSITION + 1 : position_end])),
        created_at=state["created"],
        updated_at=state["created"] + state["lasted"],
        receipt=Receipt(state["receipt"][0], _decode_outcome(*state["receipt"][1:])),
        version=version_of(data),
        ply=state["ply"],
        length=state["length"],
        resigned=state.get("resigned", False) is True,
        label=label,
        counters=counters,
        plan=_decode_plan(variant, state["plan"]) if "plan" in state else (),
        first_attempt=state.get("first", False) is True,
        forked_at=state.get("forked"),
        epoch=state["epoch"],
    )


READERS: dict[int, Callable[[str, bytes], Game]] = {SCHEMA: _read}
"""By schema, what reads a game of its id and of its bytes without their check value."""


def loosened(data: bytes) -> bytes:
    """A game without its check value and with a byte a letter, which compresses better."""
    end = _POSITION + 1 + data[_POSITION]
    letters = unpack_letters(data[_POSITION + 1 : end]).encode()
    return b"".join((data[:_POSITION], _length(letters), letters, data[end:-4]))


def tightened(data: bytes) -> bytes:
    """The game that `loosened` was given."""
    end = _POSITION + 1 + data[_POSITION]
    position = pack_letters(data[_POSITION + 1 : end].decode())
    return _with_check(b"".join((data[:_POSITION], _length(position), position, data[end:])))


def encode_line(variant: Variant, moves: Sequence[Move]) -> bytes:
    """Each move by its place in the action table of `variant`, two bytes, high byte first."""
    index = variant.action_index
    return b"".join(index[move].to_bytes(_BYTES_A_MOVE, "big") for move in moves)


def decode_line(variant: Variant, data: bytes, length: int) -> tuple[Move, ...]:
    """The first `length` moves of a line; `GameUnreadableError` if it holds fewer."""
    if len(data) < length * _BYTES_A_MOVE:
        raise GameUnreadableError("moves of its line are lost")
    places = range(0, length * _BYTES_A_MOVE, _BYTES_A_MOVE)
    try:
        return tuple(
            variant.actions[int.from_bytes(data[p : p + _BYTES_A_MOVE], "big")] for p in places
        )
    except IndexError:
        raise GameUnreadableError("its line holds a move that is none") from None


def line_offset(ply: int) -> int:
    """Where in a line the bytes of the move after `ply` begin."""
    return ply * _BYTES_A_MOVE


def encode_event(event: Event, game: Game) -> bytes:
    """`event` less its version, which follows from its place in the log: about a dozen bytes.

    They are its kind, the milliseconds since the game began, its steps and how many moves it has,
    these as in a line, then a byte for the pile of each reveal and one for its card, and a CRC-16.
    """
    ids = game.variant.layout.ids
    numbers = event.at - game.created_at, event.steps, len(event.moves)
    written = b"".join(
        (
            bytes((_KINDS.index(event.kind),)),
            *map(pack_number, numbers),
            encode_line(game.variant, event.moves),
            *(bytes((ids.index(pile), FACES.index(card))) for pile, card in event.reveals),
        )
    )
    return written + crc_hqx(written, 0).to_bytes(2, "big")


def decode_event(data: bytes, version: int, game: Game) -> Event:
    """The event that `encode_event` wrote; `GameUnreadableError` for any other."""
    written, check = data[:-2], data[-2:]
    if crc_hqx(written, 0).to_bytes(2, "big") != check:
        raise GameUnreadableError("its log holds an event whose bytes are broken")
    rest = iter(written)
    try:
        kind = _KINDS[next(rest)]
        since, steps, moves = (unpack_number(rest) for _ in range(3))
        line, turned = bytes(islice(rest, moves * _BYTES_A_MOVE)), bytes(rest)
        reveals = tuple(
            Reveal(game.variant.layout.ids[pile], FACES[card])
            for pile, card in zip(turned[::2], turned[1::2], strict=True)
        )
    except (StopIteration, IndexError, ValueError):
        raise GameUnreadableError("its log holds an event that is none") from None
    played = decode_line(game.variant, line, moves)
    return Event(version, kind, game.created_at + since, played, reveals, steps)


def encode_commitment(commitment: Commitment) -> bytes:
    """`commitment` less its id, which it is kept under: the schema, JSON, and a check value."""
    written = [commitment.server_seed.hex(), commitment.expires_at]
    return _with_check(bytes((COMMITMENT_SCHEMA,)) + orjson.dumps(written))


def decode_commitment(id: str, data: bytes) -> Commitment:
    """The commitment that `encode_commitment` wrote; `GameUnreadableError` for anything else."""
    if data[:1] != bytes((COMMITMENT_SCHEMA,)):
        raise GameUnreadableError("its commitment has a schema that this release does not read")
    try:
        written, expires_at = orjson.loads(_checked(data)[1:])
        server_seed = bytes.fromhex(written)
    except (ValueError, TypeError):
        raise GameUnreadableError("its commitment is broken") from None
    if len(server_seed) != 32 or type(expires_at) is not int:
        raise GameUnreadableError("its commitment is incomplete or wrong")
    return Commitment(id, server_seed, expires_at)


def _length(data: bytes) -> bytes:
    """The byte before `data` that tells its length."""
    return bytes((len(data),))


def _with_check(data: bytes) -> bytes:
    """`data`, and behind it its CRC-32, by which damage is found."""
    return data + crc32(data).to_bytes(4, "big")


def _checked(data: bytes) -> bytes:
    """What `_with_check` was given; `GameUnreadableError` if it is not that any more."""
    written, check = data[:-4], data[-4:]
    if crc32(written).to_bytes(4, "big") != check:
        raise GameUnreadableError("its bytes are broken")
    return written


def _decode_deal(variant: Variant, server_seed: bytes, state: dict[str, Any]) -> Deal:
    if "number" in state:
        return PublicDeal(variant, deal_number(state["number"]))
    if "day" in state:
        return DailyDeal(variant, server_seed, day=day_of(state["day"]))
    seeds = server_seed, bytes.fromhex(state.get("player_seed", ""))
    return RevealedDeal(variant, *seeds) if state.get("revealed") else SealedDeal(variant, *seeds)


def _decode_plan(variant: Variant, written: str) -> tuple[Move, ...]:
    line = b64decode(written, validate=True)
    return decode_line(variant, line, len(line) // _BYTES_A_MOVE)


def _encode_outcome(outcome: Outcome) -> list[Any]:
    written = [outcome.applied, [list(reveal) for reveal in outcome.reveals], outcome.stopped]
    if outcome.hint is not None:
        move, *rest = outcome.hint
        written.append([None if move is None else text(move), *rest])
    return written


def _decode_outcome(
    applied: int, reveals: list[list[Any]], stopped: Any, hint: list[Any] | None = None
) -> Outcome:
    turned = tuple(Reveal(*reveal) for reveal in reveals)
    if hint is None:
        return Outcome(applied, turned, stopped)
    move, *rest = hint
    return Outcome(applied, turned, stopped, Hint(None if move is None else parse(move), *rest))

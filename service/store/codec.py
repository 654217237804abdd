"""How a game, a line of play and an event are written down as bytes, and read back.

All but a line has a check value, so that damage is told and no game goes on from it. A line must
lead to the position of its game.
"""

from base64 import b64decode, b64encode
from binascii import crc32, crc_hqx
from collections.abc import Sequence
from itertools import islice
from typing import Any, get_args

import orjson

from service.advice import Hint
from service.cards import FACES, Card, deal_number
from service.commitments import Commitment
from service.daily import day_of
from service.deals import DailyDeal, Deal, PublicDeal, RevealedDeal, SealedDeal
from service.errors import GameUnreadableError
from service.events import Event, Kind
from service.game import Counters, Game, Outcome, Receipt
from service.games import VARIANTS
from service.moves import Move, parse, text
from service.piles import Pile
from service.store.packing import pack_letters, pack_number, unpack_letters, unpack_number
from service.variant import Position, Reveal, Variant, View

SCHEMA = 2
"""The first byte of a game. Grows when a release writes games that the one before could not read.

Each release reads what the one before it has written, and writes its own.
"""

OLDER = 1
"""The schema before, whose games are JSON objects with a member `schema`, and begin with `{`."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SIGN: dict[str, str] = {".": ".", "/": "/", **dict(zip(FACES, _LETTERS, strict=True))}
_FACE: dict[str, Card] = dict(zip(_LETTERS, FACES, strict=True))
_BYTES_A_MOVE = 2
_KINDS: tuple[Kind, ...] = get_args(Kind)
"""By their places in the bytes of an event: a new kind comes last."""
_NUMBERS = ("version", "ply", "length", "created", "updated", "epoch")
_LABELS = (str, type(None))
_RULESETS = {variant.ruleset: variant.name for variant in VARIANTS.values()}
_ALWAYS = (
    *("ruleset", "version", "ply", "length", "counters", "created", "updated", "epoch"),
    "receipt",
)
"""What every state has beside its position, in the order in which it is written."""


def encode_game(game: Game) -> bytes:
    """`game` as about a quarter of a kB.

    That is the schema, then the position and the server seed, each after a byte with its length,
    then a JSON array: a value for each name of `_ALWAYS`, and an object with all the others; and
    the check value of all that.
    """
    deal, seed = game.deal, b""
    state: dict[str, Any] = {
        "ruleset": game.variant.ruleset,
        "version": game.version,
        "ply": game.ply,
        "length": game.length,
        "counters": list(game.counters),
        "created": game.created_at,
        "updated": game.updated_at,
        "epoch": game.epoch,
        "receipt": [game.receipt.fingerprint, *_encode_outcome(game.receipt.outcome)],
    }
    if isinstance(deal, PublicDeal):
        state["number"] = str(deal.number)
    else:
        seed = deal.server_seed
        if deal.player_seed:
            state["player_seed"] = deal.player_seed.hex()
    if isinstance(deal, DailyDeal):
        state["day"] = str(deal.day)
    elif isinstance(deal, RevealedDeal):
        state["revealed"] = True
    if game.plan:
        state["plan"] = b64encode(encode_line(game.variant, game.plan)).decode()
    if game.label is not None:
        state["label"] = game.label
    if game.forked_at is not None:
        state["forked"] = game.forked_at
    if game.first_attempt:
        state["first"] = True
    if game.resigned:
        state["resigned"] = True
    position = pack_letters(_encode_position(game.position))
    written = [*map(state.pop, _ALWAYS), state]
    packed = bytes((SCHEMA, len(position), *position, len(seed), *seed))
    return _with_check(packed + orjson.dumps(written))


def decode_game(game_id: str, data: bytes) -> Game:
    """The game that `encode_game` wrote; `GameUnreadableError` for anything else."""
    try:
        state = _unpacked(data) if data[:1] == bytes((SCHEMA,)) else _older(data)
        return _decode_state(game_id, state)
    except orjson.JSONDecodeError:
        raise GameUnreadableError("its bytes are broken") from None
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        raise GameUnreadableError("its state is incomplete or wrong") from None


def _unpacked(data: bytes) -> dict[str, Any]:
    """The members of a state of this schema, as those of the one before were called."""
    data = _checked(data)
    position_end = 2 + data[1]
    seed_end = position_end + 1 + data[position_end]
    *always, state = orjson.loads(data[seed_end:])
    state |= zip(_ALWAYS, always, strict=True)
    state["variant"] = _RULESETS[state["ruleset"]]
    state["position"] = unpack_letters(data[2:position_end])
    state["server_seed"] = data[position_end + 1 : seed_end].hex()
    return state  # type: ignore[no-any-return]


def _older(data: bytes) -> dict[str, Any]:
    """The members of a state of the schema before."""
    state = orjson.loads(data)
    schema = state.get("schema") if isinstance(state, dict) else None
    if schema != OLDER:
        raise GameUnreadableError(
            f"it has schema {schema!r}, this release reads {OLDER} and {SCHEMA}"
        )
    return state  # type: ignore[no-any-return]


def _decode_state(game_id: str, state: dict[str, Any]) -> Game:
    variant = VARIANTS[state["variant"]]
    if state["ruleset"] != variant.ruleset:
        raise ValueError(state["ruleset"])
    label, counters = state.get("label"), Counters(*state["counters"])
    numbers = (*map(state.__getitem__, _NUMBERS), *counters, state.get("forked", 0))
    if set(map(type, numbers)) != {int} or min(numbers) < 0:
        raise ValueError(numbers)
    if state["ply"] > state["length"] or type(label) not in _LABELS:
        raise ValueError(state["ply"], label)
    return Game(
        id=game_id,
        deal=_decode_deal(variant, state),
        position=_decode_position(variant, state["position"]),
        created_at=state["created"],
        updated_at=state["updated"],
        receipt=Receipt(state["receipt"][0], _decode_outcome(*state["receipt"][1:])),
        version=state["version"],
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
    return _with_check(bytes((SCHEMA,)) + orjson.dumps(written))


def decode_commitment(id: str, data: bytes) -> Commitment:
    """The commitment that `encode_commitment` wrote; `GameUnreadableError` for anything else."""
    if data[:1] == bytes((SCHEMA,)):
        data = _checked(data)[1:]
    try:
        written, expires_at = orjson.loads(data)
        server_seed = bytes.fromhex(written)
    except (ValueError, TypeError):
        raise GameUnreadableError("its commitment is broken") from None
    if len(server_seed) != 32 or type(expires_at) is not int:
        raise GameUnreadableError("its commitment is incomplete or wrong")
    return Commitment(id, server_seed, expires_at)


def _with_check(data: bytes) -> bytes:
    """`data`, and behind it its CRC-32, by which damage is found."""
    return data + crc32(data).to_bytes(4, "big")


def _checked(data: bytes) -> bytes:
    """What `_with_check` was given; `GameUnreadableError` if it is not that any more."""
    written, check = data[:-4], data[-4:]
    if crc32(written).to_bytes(4, "big") != check:
        raise GameUnreadableError("its bytes are broken")
    return written


def _encode_position(position: Position) -> str:
    signs: list[str] = []
    for (_, _, _, cards), under in zip(position.view.piles, position.under, strict=True):
        signs += "/"
        if under:
            signs += (*under, ".")
        signs += cards
    return "".join(map(_SIGN.__getitem__, signs[1:]))


def _decode_position(variant: Variant, written: str) -> Position:
    piles: list[Pile] = []
    under: list[tuple[Card, ...]] = []
    layout, face = variant.layout, _FACE.__getitem__
    parts = written.split("/")
    if any(parts[len(layout.ids) :]):  # beyond the last pile stands only what fills up
        raise ValueError(written)
    for id, kind, letters in zip(layout.ids, layout.kinds, parts[: len(layout.ids)], strict=True):
        hidden, dot, shown = letters.rpartition(".")
        piles.append(Pile(id, kind, len(hidden), tuple(map(face, shown))))
        under.append(tuple(map(face, hidden)) if dot else ())
    return Position(View(variant, tuple(piles)), tuple(under))


def _decode_deal(variant: Variant, state: dict[str, Any]) -> Deal:
    if "number" in state:
        return PublicDeal(variant, deal_number(state["number"]))
    if "day" in state:
        return DailyDeal(variant, bytes.fromhex(state["server_seed"]), day=day_of(state["day"]))
    seeds = bytes.fromhex(state["server_seed"]), bytes.fromhex(state.get("player_seed", ""))
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

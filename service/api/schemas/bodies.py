"""Marshmallow schemas of request bodies; each is a component of the contract."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate
from typing_extensions import override

from service.api.schemas.fields import (
    MOST_STEPS,
    CardText,
    Day,
    DealNumber,
    Flag,
    Label,
    LabelKey,
    MoveText,
    VariantName,
    Whole,
    matching,
    reader,
)
from service.deals.shuffle import DIGEST_PATTERN
from service.games import VARIANTS
from service.games.cards import TWO_PACKS
from service.games.piles import KIND_OF, PILE_PATTERN
from service.play.keys import GAME_ID
from service.records.record import LONGEST_LINE
from service.records.replay import FORMAT

LONGEST_BATCH = 200
MOST_CARDS = len(TWO_PACKS)
MOST_PILES = 40
LARGEST_VERSION = 2**53 - 1

PLAYER_SEED = r"^([0-9a-f]{2}){16,64}$"
SEED_BROUGHT = r"^([0-9a-f]{2}){0,64}$"


class _List(fields.List[Any]):
    """An array in JSON; marshmallow looks for faults item by item only if there is one."""

    @override
    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> list[Any]:
        if isinstance(value, list):
            with suppress(ValidationError):
                return [self.inner.deserialize(item) for item in value]
        return super()._deserialize(value, attr, data, **kwargs)


def _list_of(item: fields.Field[Any], most: int, least: int = 0, **kwargs: Any) -> fields.List[Any]:
    return _List(item, validate=validate.Length(least or None, most), **kwargs)


def _hexadecimal(pattern: str) -> fields.String:
    return matching(pattern, "Wrong length, or not lowercase hexadecimal digits.")


_version = partial(Whole, required=True, validate=validate.Range(1, LARGEST_VERSION))
_steps = partial(Whole, load_default=1, validate=validate.Range(1, MOST_STEPS))
_pile_id = partial(matching, PILE_PATTERN, "Not the id of a pile, such as t1.", required=True)


def _exactly(*choices: set[str]) -> Callable[..., None]:
    """A check that the fields are those of one of the `choices`."""

    def check(schema: Schema, data: dict[str, Any], **kwargs: Any) -> None:
        if set(data) not in choices:
            named = "; ".join(" and ".join(sorted(choice)) for choice in choices)
            raise ValidationError(f"Give one of these: {named}.")

    return check


COMMITMENT = reader("CommitmentRequest")
"""A new commitment, which has no options."""

MOVES = reader(
    "MovesRequest",
    version=_version(),
    moves=_list_of(MoveText(), LONGEST_BATCH, least=1, required=True),
)
"""A batch of moves for one version of a game."""

UNDO = reader("UndoRequest", version=_version(), steps=_steps())
"""How many moves to undo."""

REDO = reader("RedoRequest", version=_version(), steps=_steps())
"""How many moves to redo."""

HINT = reader("HintRequest", version=_version(), line=Flag(load_default=False))
"""The version that the hint is for, and whether to give its whole line."""

RESIGNATION = reader("ResignationRequest", version=_version())
"""The version at which the game is resigned."""

REPLAY_DEAL = reader(
    "ReplayDeal",
    _exactly({"number"}, {"commitment", "server_seed", "player_seed"}, {"commitment"}),
    number=DealNumber(),
    commitment=_hexadecimal(DIGEST_PATTERN),
    server_seed=_hexadecimal(DIGEST_PATTERN),
    player_seed=_hexadecimal(SEED_BROUGHT),
)
"""The part of the deal that a replay includes."""

START_PILE = reader(
    "StartPile",
    id=_pile_id(),
    kind=fields.String(required=True, validate=validate.OneOf(tuple(KIND_OF.values()))),
    hidden=Whole(required=True, validate=validate.Range(0, MOST_CARDS)),
    cards=_list_of(CardText(), MOST_CARDS, required=True),
)
"""A pile of the initial table, as the player saw it."""

TURNED_CARD = reader(
    "TurnedCard",
    ply=Whole(required=True, validate=validate.Range(1, LONGEST_LINE)),
    pile=_pile_id(),
    card=CardText(required=True),
)
"""A card that was turned face up."""

REPLAY = reader(
    "ReplayRequest",
    format=fields.String(validate=validate.OneOf([FORMAT])),
    variant=VariantName(required=True),
    ruleset=fields.String(validate=validate.OneOf([game.ruleset for game in VARIANTS.values()])),
    deal=fields.Nested(REPLAY_DEAL, required=True),
    start=_list_of(fields.Nested(START_PILE), MOST_PILES),
    moves=_list_of(MoveText(), LONGEST_LINE, required=True),
    reveals=_list_of(fields.Nested(TURNED_CARD), MOST_CARDS),
    status=fields.String(validate=validate.OneOf(["in_progress", "won", "resigned"])),
)
"""A replay to verify; omitted members are not checked."""

NEW_GAME_DEAL = reader(
    "NewGameDeal",
    _exactly(
        *({"number"}, {"random"}, {"daily"}),
        *({"commitment_id", "player_seed"}, {"replay", "ply"}),
    ),
    number=DealNumber(),
    random=Flag(validate=validate.Equal(True, error="Must be true.")),
    daily=Day(),
    replay=fields.Nested(REPLAY),
    ply=Whole(validate=validate.Range(0, LONGEST_LINE)),
    commitment_id=matching(GAME_ID, "Not the id of a commitment."),
    player_seed=matching(PLAYER_SEED, "Not 16 to 64 bytes in lowercase hexadecimal digits."),
)
"""The deal of a new game, or the replay to fork."""

NEW_GAME = reader(
    "NewGame",
    variant=VariantName(required=True),
    deal=fields.Nested(NEW_GAME_DEAL),
    label=Label(allow_none=True, load_default=None),
    label_key=LabelKey(allow_none=True),
)
"""A new game; by default with a random deal."""

POSITION_PILE = reader(
    "PositionPile",
    id=_pile_id(),
    under=_list_of(CardText(), MOST_CARDS, required=True),
    cards=_list_of(CardText(), MOST_CARDS, required=True),
)
"""A pile with all cards known."""

POSITION = reader(
    "PositionRequest",
    variant=VariantName(required=True),
    piles=_list_of(fields.Nested(POSITION_PILE), MOST_PILES, required=True),
    moves=_list_of(MoveText(), LONGEST_BATCH, load_default=[]),
)
"""A position to analyse, and moves to play in it first."""

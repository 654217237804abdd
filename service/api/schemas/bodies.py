"""Marshmallow schemas of request bodies; each is a component of the contract."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.api.schemas.fields import (
    MOST_STEPS,
    CardText,
    Day,
    DealNumber,
    Flag,
    Label,
    Matches,
    MoveText,
    VariantName,
    Whole,
)
from service.deals.daily import DAY_PATTERN
from service.deals.shuffle import DEAL_NUMBER_PATTERN, DIGEST_PATTERN
from service.games import VARIANTS
from service.games.moves import MOVE_PATTERN
from service.games.piles import KIND_OF, PILE_PATTERN
from service.play.keys import GAME_ID
from service.records.replay import FORMAT

LONGEST_BATCH = 200
LONGEST_REPLAY = 5_000
MOST_CARDS = 104
MOST_PILES = 40
LARGEST_PLY = 1_000_000
LARGEST_VERSION = 2**53 - 1

PLAYER_SEED = r"^([0-9a-f]{2}){16,64}$"
SEED_BROUGHT = r"^([0-9a-f]{2}){0,64}$"

DEAL_CHOICES: tuple[set[str], ...] = (
    {"number"},
    {"random"},
    {"daily"},
    {"commitment_id", "player_seed"},
    {"replay", "ply"},
)
"""The combinations of fields that select a deal."""
REPLAY_DEALS: tuple[set[str], ...] = (
    {"number"},
    {"commitment", "server_seed", "player_seed"},
    {"commitment"},
)
"""The combinations of fields that identify the deal of a replay."""


def _cards(**kwargs: Any) -> fields.List[Any]:
    return fields.List(CardText(), validate=validate.Length(max=MOST_CARDS), **kwargs)


def _pile_id() -> fields.String:
    return fields.String(
        required=True, validate=Matches(PILE_PATTERN, error="Not the id of a pile, such as t1.")
    )


def _hexadecimal(pattern: str) -> fields.String:
    error = "Wrong length, or not lowercase hexadecimal digits."
    return fields.String(validate=Matches(pattern, error=error))


def _require_one_of(ways: tuple[set[str], ...], data: Mapping[str, Any]) -> None:
    if set(data) not in ways:
        choices = "; ".join(" and ".join(sorted(way)) for way in ways)
        raise ValidationError(f"Give one of these: {choices}.")


def _version() -> Whole:
    return Whole(required=True, validate=validate.Range(1, LARGEST_VERSION))


def _steps() -> Whole:
    return Whole(load_default=1, validate=validate.Range(1, MOST_STEPS))


class CommitmentRequestSchema(Schema):
    """A new commitment, which has no options."""


class MovesRequestSchema(Schema):
    """A batch of moves for one version of a game."""

    version = _version()
    moves = fields.List(
        MoveText(metadata={"pattern": MOVE_PATTERN}),
        required=True,
        validate=validate.Length(1, LONGEST_BATCH),
    )


class UndoRequestSchema(Schema):
    """How many moves to undo."""

    version = _version()
    steps = _steps()


class RedoRequestSchema(Schema):
    """How many moves to redo."""

    version = _version()
    steps = _steps()


class HintRequestSchema(Schema):
    """The version that the hint is for, and whether to give its whole line."""

    version = _version()
    line = Flag(load_default=False)


class ResignationRequestSchema(Schema):
    """The version at which the game is resigned."""

    version = _version()


class ReplayDealSchema(Schema):
    """The part of the deal that a replay includes."""

    number = DealNumber(metadata={"pattern": DEAL_NUMBER_PATTERN})
    commitment = _hexadecimal(DIGEST_PATTERN)
    server_seed = _hexadecimal(DIGEST_PATTERN)
    player_seed = _hexadecimal(SEED_BROUGHT)

    @validates_schema(skip_on_field_errors=True)
    def exactly_one(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a deal that is ambiguous, missing or incomplete."""
        _require_one_of(REPLAY_DEALS, data)


class StartPileSchema(Schema):
    """A pile of the initial table, as the player saw it."""

    id = _pile_id()
    kind = fields.String(required=True, validate=validate.OneOf(tuple(KIND_OF.values())))
    hidden = Whole(required=True, validate=validate.Range(0, MOST_CARDS))
    cards = _cards(required=True)


class TurnedCardSchema(Schema):
    """A card that was turned face up."""

    ply = Whole(required=True, validate=validate.Range(1, LARGEST_PLY))
    pile = _pile_id()
    card = CardText(required=True)


class ReplayRequestSchema(Schema):
    """A replay to verify; omitted members are not checked."""

    format = fields.String(validate=validate.OneOf([FORMAT]))
    variant = VariantName(required=True)
    ruleset = fields.String(validate=validate.OneOf([game.ruleset for game in VARIANTS.values()]))
    deal = fields.Nested(ReplayDealSchema, required=True)
    start = fields.List(fields.Nested(StartPileSchema), validate=validate.Length(max=MOST_PILES))
    moves = fields.List(
        MoveText(metadata={"pattern": MOVE_PATTERN}),
        required=True,
        validate=validate.Length(max=LONGEST_REPLAY),
    )
    reveals = fields.List(fields.Nested(TurnedCardSchema), validate=validate.Length(max=MOST_CARDS))
    status = fields.String(validate=validate.OneOf(["in_progress", "won", "resigned"]))


class NewGameDealSchema(Schema):
    """The deal of a new game, or the replay to fork."""

    number = DealNumber(metadata={"pattern": DEAL_NUMBER_PATTERN})
    random = Flag(validate=validate.Equal(True, error="Must be true."))
    daily = Day(metadata={"pattern": DAY_PATTERN})
    replay = fields.Nested(ReplayRequestSchema)
    ply = Whole(validate=validate.Range(0, LONGEST_REPLAY))
    commitment_id = fields.String(validate=Matches(GAME_ID, error="Not the id of a commitment."))
    player_seed = fields.String(
        validate=Matches(PLAYER_SEED, error="Not 16 to 64 bytes in lowercase hexadecimal digits.")
    )

    @validates_schema(skip_on_field_errors=True)
    def exactly_one(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a choice that is ambiguous, missing or incomplete."""
        _require_one_of(DEAL_CHOICES, data)


class NewGameSchema(Schema):
    """A new game; by default with a random deal."""

    variant = VariantName(required=True)
    deal = fields.Nested(NewGameDealSchema)
    label = Label(allow_none=True, load_default=None)


class PositionPileSchema(Schema):
    """A pile with all cards known."""

    id = _pile_id()
    under = _cards(required=True)
    cards = _cards(required=True)


class PositionRequestSchema(Schema):
    """A position to analyse, and moves to play in it first."""

    variant = VariantName(required=True)
    piles = fields.List(
        fields.Nested(PositionPileSchema), required=True, validate=validate.Length(max=MOST_PILES)
    )
    moves = fields.List(
        MoveText(metadata={"pattern": MOVE_PATTERN}),
        load_default=[],
        validate=validate.Length(max=LONGEST_BATCH),
    )


NEW_GAME = NewGameSchema()
COMMITMENT = CommitmentRequestSchema()
MOVES = MovesRequestSchema()
UNDO = UndoRequestSchema()
REDO = RedoRequestSchema()
HINT = HintRequestSchema()
RESIGNATION = ResignationRequestSchema()
REPLAY = ReplayRequestSchema()
POSITION = PositionRequestSchema()
"""Schemas are instantiated once: that costs three times as much as using one."""

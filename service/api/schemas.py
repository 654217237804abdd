"""The shapes of requests, as marshmallow schemas; each is a component of the contract.

Schemas look at shape alone: types, lengths, patterns. What a version or a move means is judged
further down.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.cards import LARGEST_DEAL, deal_number
from service.cards import PATTERN as CARD_PATTERN
from service.catalogue import HARDEST
from service.daily import DAY, day_of
from service.errors import DayTextError, DealNumberError, ForeignCursorError, MoveTextError
from service.games import VARIANTS
from service.keys import GAME_ID
from service.moves import PATTERN as MOVE_PATTERN
from service.moves import Move, parse
from service.piles import KIND_OF
from service.piles import PATTERN as PILE_PATTERN
from service.replay import FORMAT
from service.results import PLACE

LONGEST_BATCH = 200
LONGEST_LABEL = 64
LONGEST_PAGE = 500
LONGEST_REPLAY = 5_000
MOST_STEPS = 10_000
MOST_CARDS = 104
MOST_PILES = 40
LARGEST_PLY = 1_000_000
LARGEST_VERSION = 2**53 - 1
LARGEST_AFTER = 999_999_999
LONGEST_WAIT = 600

LABEL = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,64}$"
DEAL_ID = r"^[a-z]+(-[a-z]+)*-([1-9][0-9]{0,19}|daily-[0-9]{4}-[0-9]{2}-[0-9]{2})$"
DEAL_NUMBER = r"^[1-9][0-9]{0,19}$"
PLAYER_SEED = r"^([0-9a-f]{2}){16,64}$"
SEED_BROUGHT = r"^([0-9a-f]{2}){0,64}$"
DIGEST = r"^[0-9a-f]{64}$"

DEAL_CHOICES: tuple[set[str], ...] = (
    {"number"},
    {"random"},
    {"daily"},
    {"commitment_id", "player_seed"},
    {"replay", "ply"},
)
"""The fields by which a deal is chosen, one set for each way to do so."""
REPLAY_DEALS: tuple[set[str], ...] = (
    {"number"},
    {"commitment", "server_seed", "player_seed"},
    {"commitment"},
)
"""The fields by which a replay tells its deal."""


class Matches(validate.Regexp):
    """The whole text matches; marshmallow's own lets a line feed follow."""

    def __call__(self, value: Any) -> Any:
        """`value`, if all of it matches; `ValidationError` otherwise."""
        if not self.regex.fullmatch(value):
            raise ValidationError(self.error)
        return value


_LABEL = Matches(LABEL, error=f"Not 1 to {LONGEST_LABEL} characters without control characters.")


class Whole(fields.Integer):
    """A whole number in JSON: 17 or 17.0, and no string, truth value or fraction."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise ValidationError("Not a whole number.")


class Digits(fields.Integer):
    """A whole number in a query: decimal digits and nothing else."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", str(value), re.ASCII):
            raise ValidationError("Not a whole number in decimal digits.")
        return int(value)


class Yes(fields.Boolean):
    """`true` and nothing else."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> bool:
        if value is not True:
            raise ValidationError("Must be true.")
        return True


class DealNumber(fields.Field[int]):
    """A deal number, in a string: 64 bits do not survive JavaScript's numbers."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if not isinstance(value, str):
            raise ValidationError(f"Must be a string of decimal digits, 1 to {LARGEST_DEAL}.")
        try:
            return deal_number(value)
        except DealNumberError as error:
            raise ValidationError(str(error)) from None


class Day(fields.Field[date]):
    """A day of the calendar, in a string."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> date:
        try:
            return day_of(value if isinstance(value, str) else "")
        except DayTextError as error:
            raise ValidationError(str(error)) from None


class MoveText(fields.Field[Move]):
    """A move, as it is written."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Move:
        if not isinstance(value, str):
            raise ValidationError("A move is a string, such as t3f1.")
        try:
            return parse(value)
        except MoveTextError as error:
            raise ValidationError(str(error)) from None


class Place(NamedTuple):
    """A place in a list, as its cursor names it: the list is `kind` and of something."""

    kind: str
    of: str
    after: str

    def in_list(self, of: str) -> str:
        """What of the list of `of` comes before; `ForeignCursorError` if it is another list."""
        if of != self.of:
            raise ForeignCursorError
        return self.after


_NUMBER = r"0|[1-9][0-9]{0,8}"
_AFTER = {"line": _NUMBER, "deals": _NUMBER, "results": PLACE}
"""The kinds of lists, and the form of the places in each."""


class Cursor(fields.Field[Place]):
    """A place in a list of one kind, as an earlier page of the same list named it in `next`."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Place:
        try:
            place = Place(*urlsafe_b64decode(str(value).encode()).decode("ascii").split(" "))
            known = re.fullmatch(_AFTER.get(place.kind, "(?!)"), place.after)
            # Written anew and compared: Base64 is read past whatever does not belong to it.
            known = known and value == cursor(*place)
        except (ValueError, TypeError):
            known = None
        if not known:
            raise ValidationError("Not a cursor that this service has given out.")
        if place.kind != self._kind:
            raise ForeignCursorError
        return place


def cursor(kind: str, of: str, after: str | int) -> str:
    """The cursor for the part after a place of a list, which is `kind` and of something."""
    return urlsafe_b64encode(f"{kind} {of} {after}".encode("ascii")).decode()


class CardText(fields.String):
    """A card, as it is written."""

    def __init__(self, **kwargs: Any) -> None:
        error = "Not a card, such as 9H."
        super().__init__(validate=Matches(CARD_PATTERN, error=error), **kwargs)


def _cards(**kwargs: Any) -> fields.List[Any]:
    return fields.List(CardText(), validate=validate.Length(max=MOST_CARDS), **kwargs)


def _pile_id() -> fields.String:
    return fields.String(
        required=True, validate=Matches(PILE_PATTERN, error="Not the id of a pile, such as t1.")
    )


def _hexadecimal(pattern: str) -> fields.String:
    error = "Not so many bytes in small hexadecimal digits."
    return fields.String(validate=Matches(pattern, error=error))


def _variant() -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(tuple(VARIANTS)))


def _require_one_of(ways: tuple[set[str], ...], data: Mapping[str, Any]) -> None:
    if set(data) not in ways:
        told = "; ".join(" and ".join(sorted(way)) for way in ways)
        raise ValidationError(f"Give one of these: {told}.")


def _version() -> Whole:
    return Whole(required=True, validate=validate.Range(1, LARGEST_VERSION))


def _steps() -> Whole:
    return Whole(load_default=1, validate=validate.Range(1, MOST_STEPS))


class CommitmentRequestSchema(Schema):
    """A commitment to be made; nothing about it can be chosen."""


class MovesRequestSchema(Schema):
    """Moves to be played, in order, from one version."""

    version = _version()
    moves = fields.List(
        MoveText(metadata={"pattern": MOVE_PATTERN}),
        required=True,
        validate=validate.Length(1, LONGEST_BATCH),
    )


class UndoRequestSchema(Schema):
    """How many moves to take back."""

    version = _version()
    steps = _steps()


class RedoRequestSchema(Schema):
    """How many moves to play again."""

    version = _version()
    steps = _steps()


class HintRequestSchema(Schema):
    """The version for which advice is asked."""

    version = _version()


class ResignationRequestSchema(Schema):
    """The version at which a game is given up."""

    version = _version()


class ReplayDealSchema(Schema):
    """As much of a deal as a replay tells."""

    number = DealNumber(metadata={"pattern": DEAL_NUMBER})
    commitment = _hexadecimal(DIGEST)
    server_seed = _hexadecimal(DIGEST)
    player_seed = _hexadecimal(SEED_BROUGHT)

    @validates_schema(skip_on_field_errors=True)
    def exactly_one(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a deal that is told twice, or not at all, or by half."""
        _require_one_of(REPLAY_DEALS, data)


class StartPileSchema(Schema):
    """A pile at the start, as it was seen."""

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
    """A replay to be judged; what is left out is not judged."""

    format = fields.String(validate=validate.OneOf([FORMAT]))
    variant = _variant()
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
    """Which deal a new game is of, or which replay it goes on from."""

    number = DealNumber(metadata={"pattern": DEAL_NUMBER})
    random = Yes()
    daily = Day(metadata={"pattern": DAY})
    replay = fields.Nested(ReplayRequestSchema)
    ply = Whole(validate=validate.Range(0, LONGEST_REPLAY))
    commitment_id = fields.String(validate=Matches(GAME_ID, error="Not the id of a commitment."))
    player_seed = fields.String(
        validate=Matches(PLAYER_SEED, error="Not 16 to 64 bytes in small hexadecimal digits.")
    )

    @validates_schema(skip_on_field_errors=True)
    def exactly_one(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a deal that is chosen twice, or not at all, or by half."""
        _require_one_of(DEAL_CHOICES, data)


class NewGameSchema(Schema):
    """A game to be created; without a deal, of a random one."""

    variant = fields.String(required=True, validate=validate.OneOf(tuple(VARIANTS)))
    deal = fields.Nested(NewGameDealSchema)
    label = fields.String(allow_none=True, load_default=None, validate=_LABEL)


class PositionPileSchema(Schema):
    """A pile of which every card is known."""

    id = _pile_id()
    under = _cards(required=True)
    cards = _cards(required=True)


class PositionRequestSchema(Schema):
    """A position to be judged, and moves to be played in it first."""

    variant = _variant()
    piles = fields.List(
        fields.Nested(PositionPileSchema), required=True, validate=validate.Length(max=MOST_PILES)
    )
    moves = fields.List(
        MoveText(metadata={"pattern": MOVE_PATTERN}),
        load_default=[],
        validate=validate.Length(max=LONGEST_BATCH),
    )


class LineQuerySchema(Schema):
    """Which part of a line of play to list."""

    after = Digits(validate=validate.Range(0, MOST_STEPS))
    limit = Digits(load_default=100, validate=validate.Range(1, LONGEST_PAGE))
    cursor = Cursor("line")

    @validates_schema(skip_on_field_errors=True)
    def one_beginning(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses two beginnings at once."""
        if "after" in data and "cursor" in data:
            raise ValidationError({"cursor": ["Give either after or cursor."]})


class EventsQuerySchema(Schema):
    """From where on to tell what happens, and for how long."""

    after = Digits(validate=validate.Range(0, LARGEST_AFTER))
    wait = Digits(validate=validate.Range(0, LONGEST_WAIT))


class DealsQuerySchema(Schema):
    """Which part of a catalogue to list."""

    variant = fields.String(required=True, validate=validate.OneOf(tuple(VARIANTS)))
    solvable = fields.String(validate=validate.OneOf(["proven"]))
    difficulty = Digits(validate=validate.Range(1, HARDEST))
    limit = Digits(load_default=100, validate=validate.Range(1, LONGEST_PAGE))
    cursor = Cursor("deals")


class ResultsQuerySchema(Schema):
    """Which part of the results of a deal to list."""

    limit = Digits(load_default=100, validate=validate.Range(1, LONGEST_PAGE))
    cursor = Cursor("results")


class StatsQuerySchema(Schema):
    """Whose figures: of all variants or one, of one label, or of one deal."""

    variant = fields.String(validate=validate.OneOf(tuple(VARIANTS)))
    label = fields.String(validate=_LABEL)
    deal = fields.String(validate=Matches(DEAL_ID, error="Not the id of a deal."))

    @validates_schema(skip_on_field_errors=True)
    def one_list(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a deal beside anything else: it has one variant, and figures of all labels."""
        if "deal" in data and len(data) > 1:
            raise ValidationError({"deal": ["Give it without variant and label."]})


NEW_GAME = NewGameSchema()
COMMITMENT = CommitmentRequestSchema()
MOVES = MovesRequestSchema()
UNDO = UndoRequestSchema()
REDO = RedoRequestSchema()
HINT = HintRequestSchema()
RESIGNATION = ResignationRequestSchema()
REPLAY = ReplayRequestSchema()
POSITION = PositionRequestSchema()
LINE_QUERY = LineQuerySchema()
EVENTS_QUERY = EventsQuerySchema()
DEALS_QUERY = DealsQuerySchema()
RESULTS_QUERY = ResultsQuerySchema()
STATS_QUERY = StatsQuerySchema()
"""The schemas ready for use: building one costs three times as much as using it."""

"""The shapes of requests, as marshmallow schemas; each is a component of the contract.

Schemas look at shape alone: types, lengths, patterns. What a version or a move means is judged
further down.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import date
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.cards import LARGEST_DEAL, deal_number
from service.catalogue import HARDEST
from service.daily import DAY, day_of
from service.errors import DayTextError, DealNumberError, MoveTextError
from service.games import VARIANTS
from service.keys import GAME_ID
from service.moves import PATTERN as MOVE_PATTERN
from service.moves import Move, parse

LONGEST_BATCH = 200
LONGEST_LABEL = 64
LONGEST_PAGE = 500
MOST_STEPS = 10_000
LARGEST_VERSION = 2**53 - 1

LABEL = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,64}$"
DEAL_NUMBER = r"^[1-9][0-9]{0,19}$"
PLAYER_SEED = r"^([0-9a-f]{2}){16,64}$"

DEAL_CHOICES: tuple[set[str], ...] = (
    {"number"},
    {"random"},
    {"daily"},
    {"commitment_id", "player_seed"},
)
"""The fields by which a deal is chosen, one set for each way to do so."""


class Matches(validate.Regexp):
    """The whole text matches; marshmallow's own lets a line feed follow."""

    def __call__(self, value: Any) -> Any:
        """`value`, if all of it matches; `ValidationError` otherwise."""
        if not self.regex.fullmatch(value):
            raise ValidationError(self.error)
        return value


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


class Cursor(fields.Field[int]):
    """A place in a list, as an earlier page of the same list named it in `next`."""

    def __init__(self, list_name: str) -> None:
        super().__init__()
        self._list_name = list_name

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        try:
            name, place = urlsafe_b64decode(str(value).encode()).decode("ascii").split(" ")
            known = name == self._list_name and re.fullmatch("[0-9]{1,9}", place)
            # Written anew and compared: Base64 is read past whatever does not belong to it.
            if known and value == cursor(name, int(place)):
                return int(place)
        except ValueError:
            pass
        raise ValidationError("Not a cursor that this list has given out.")


def cursor(list_name: str, place: int) -> str:
    """The cursor for the part of a list after `place`."""
    return urlsafe_b64encode(f"{list_name} {place}".encode("ascii")).decode()


def _version() -> Whole:
    return Whole(required=True, validate=validate.Range(1, LARGEST_VERSION))


def _steps() -> Whole:
    return Whole(load_default=1, validate=validate.Range(1, MOST_STEPS))


class NewGameDealSchema(Schema):
    """Which deal a new game is of: a numbered, a random or a daily one, or one of a commitment."""

    number = DealNumber(metadata={"pattern": DEAL_NUMBER})
    random = Yes()
    daily = Day(metadata={"pattern": DAY})
    commitment_id = fields.String(validate=Matches(GAME_ID, error="Not the id of a commitment."))
    player_seed = fields.String(
        validate=Matches(PLAYER_SEED, error="Not 16 to 64 bytes in small hexadecimal digits.")
    )

    @validates_schema(skip_on_field_errors=True)
    def exactly_one(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a deal that is chosen twice, or not at all, or by half."""
        if set(data) not in DEAL_CHOICES:
            ways = "; ".join(" and ".join(sorted(way)) for way in DEAL_CHOICES)
            raise ValidationError(f"Give one of these: {ways}.")


class NewGameSchema(Schema):
    """A game to be created; without a deal, of a random one."""

    variant = fields.String(required=True, validate=validate.OneOf(tuple(VARIANTS)))
    deal = fields.Nested(NewGameDealSchema)
    label = fields.String(
        allow_none=True,
        load_default=None,
        validate=Matches(
            LABEL, error=f"Not 1 to {LONGEST_LABEL} characters without control characters."
        ),
    )


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


class DealsQuerySchema(Schema):
    """Which part of a catalogue to list."""

    variant = fields.String(required=True, validate=validate.OneOf(tuple(VARIANTS)))
    solvable = fields.String(validate=validate.OneOf(["proven"]))
    difficulty = Digits(validate=validate.Range(1, HARDEST))
    limit = Digits(load_default=100, validate=validate.Range(1, LONGEST_PAGE))
    cursor = Cursor("deals")


NEW_GAME = NewGameSchema()
COMMITMENT = CommitmentRequestSchema()
MOVES = MovesRequestSchema()
UNDO = UndoRequestSchema()
REDO = RedoRequestSchema()
HINT = HintRequestSchema()
RESIGNATION = ResignationRequestSchema()
LINE_QUERY = LineQuerySchema()
DEALS_QUERY = DealsQuerySchema()
"""The schemas ready for use: building one costs three times as much as using it."""

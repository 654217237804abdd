"""Marshmallow fields shared by bodies and queries; they check types, lengths and patterns only."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from marshmallow import ValidationError, fields, validate
from typing_extensions import override

from service.deals.daily import parse_day
from service.deals.shuffle import LARGEST_DEAL, deal_number
from service.errors import DayTextError, DealNumberError, MoveTextError
from service.games import VARIANTS
from service.games.cards import CARD_PATTERN
from service.games.moves import Move, parse_move

LONGEST_LABEL = 64
MOST_STEPS = 10_000

LABEL = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,64}$"


class Matches(validate.Regexp):
    """Matches the whole text; marshmallow's own validator allows a trailing line feed."""

    @override
    def __call__(self, value: Any) -> Any:
        if not self.regex.fullmatch(value):
            raise ValidationError(self.error)
        return value


class Whole(fields.Integer):
    """An integer in JSON: 17 or 17.0, but no string, boolean or fraction."""

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise ValidationError("Not a whole number.")


class Digits(fields.Integer):
    """An integer in a query: decimal digits only."""

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", str(value), re.ASCII):
            raise ValidationError("Not a whole number in decimal digits.")
        return int(value)


class Flag(fields.Boolean):
    """`true` or `false`, no text or number."""

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("Must be true or false.")
        return value


class DealNumber(fields.Field[int]):
    """A deal number as a string, since JavaScript numbers have only 53 bits."""

    @override
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
    """A date as YYYY-MM-DD."""

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> date:
        try:
            return parse_day(value if isinstance(value, str) else "")
        except DayTextError as error:
            raise ValidationError(str(error)) from None


class MoveText(fields.Field[Move]):
    """A move in its notation."""

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Move:
        if not isinstance(value, str):
            raise ValidationError("A move is a string, such as t3f1.")
        try:
            return parse_move(value)
        except MoveTextError as error:
            raise ValidationError(str(error)) from None


class CardText(fields.String):
    """A card in its notation."""

    def __init__(self, **kwargs: Any) -> None:
        error = "Not a card, such as 9H."
        super().__init__(validate=Matches(CARD_PATTERN, error=error), **kwargs)


class VariantName(fields.String):
    """The name of a variant."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.OneOf(tuple(VARIANTS)), **kwargs)


class Label(fields.String):
    """A player's own text about a game."""

    def __init__(self, **kwargs: Any) -> None:
        error = f"Not 1 to {LONGEST_LABEL} characters without control characters."
        super().__init__(validate=Matches(LABEL, error=error), **kwargs)

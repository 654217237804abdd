"""What schemas of bodies and queries are made of: fields that check types, lengths, patterns."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema
from typing_extensions import override

from service.deals.daily import DAY_PATTERN, parse_day
from service.deals.shuffle import DEAL_NUMBER_PATTERN, LARGEST_DEAL, deal_number
from service.errors import InputError
from service.games import VARIANTS
from service.games.cards import CARD_PATTERN
from service.games.moves import MOVE_PATTERN, parse_move
from service.records.record import LONGEST_LINE

LONGEST_LABEL = 64
MOST_STEPS = LONGEST_LINE

LABEL_KEY = r"^[A-Za-z0-9_-]{43}$"
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
    def _validated(self, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise ValidationError("Not a whole number.")


class Digits(fields.Integer):
    """An integer in a query: decimal digits only."""

    @override
    def _validated(self, value: Any) -> int:
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


class Text(fields.Field[Any]):
    """What `parse` reads in a text; any other value is refused with the words `expected`."""

    def __init__(
        self, parse: Callable[[str], Any], expected: str, pattern: str, **kwargs: Any
    ) -> None:
        super().__init__(metadata={"pattern": pattern}, **kwargs)
        self._parse, self._expected = parse, expected

    @override
    def deserialize(
        self,
        value: Any,
        attr: str | None = None,
        data: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """What `value` says; of a text at once, as nothing is validated after it is parsed."""
        if isinstance(value, str):
            return self._deserialize(value, attr, data)
        return super().deserialize(value, attr, data, **kwargs)

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Any:
        if not isinstance(value, str):
            raise ValidationError(self._expected)
        try:
            return self._parse(value)
        except InputError as error:
            raise ValidationError(str(error)) from None


def reader(name: str, check: Callable[..., None] | None = None, **members: Any) -> Schema:
    """The marshmallow schema of a request, `name` in the contract, with these fields.

    `check` raises `ValidationError` for fields that do not go together. Schemas are instantiated
    once: that costs three times as much as using one.
    """
    if check is not None:
        members["check"] = validates_schema(check, skip_on_field_errors=True)
    return Schema.from_dict(members, name=name)()


def matching(pattern: str, error: str, **kwargs: Any) -> fields.String:
    """A text that `pattern` matches; `error` describes it to those who send another."""
    return fields.String(validate=Matches(pattern, error=error), **kwargs)


# A deal number is a string, since JavaScript's numbers have only 53 bits.
DealNumber = partial(
    Text,
    deal_number,
    f"Must be a string of decimal digits, 1 to {LARGEST_DEAL}.",
    DEAL_NUMBER_PATTERN,
)
Day = partial(Text, parse_day, "Write a day as YYYY-MM-DD, such as 2026-11-30.", DAY_PATTERN)
MoveText = partial(Text, parse_move, "A move is a string, such as t3f1.", MOVE_PATTERN)
CardText = partial(matching, CARD_PATTERN, "Not a card, such as 9H.")
Label = partial(matching, LABEL, f"Not 1 to {LONGEST_LABEL} characters without control characters.")
LabelKey = partial(matching, LABEL_KEY, "Not a label key.")
VariantName = partial(fields.String, validate=validate.OneOf(tuple(VARIANTS)))

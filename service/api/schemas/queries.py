"""Marshmallow schemas of query parameters, one for each path."""

from functools import partial
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.api.schemas.cursors import Cursor
from service.api.schemas.fields import MOST_STEPS, Digits, Label, VariantName, matching
from service.deals.catalogue import HARDEST
from service.records.leaderboards import SORTS

LONGEST_PAGE = 500
LARGEST_AFTER = 999_999_999
LONGEST_WAIT = 600

DEAL_ID = r"^[a-z]+(-[a-z]+)*-([1-9][0-9]{0,19}|daily-[0-9]{4}-[0-9]{2}-[0-9]{2})$"


_limit = partial(Digits, load_default=100, validate=validate.Range(1, LONGEST_PAGE))


class LineQuerySchema(Schema):
    """Which moves of a game to list."""

    after = Digits(validate=validate.Range(0, MOST_STEPS))
    limit = _limit()
    cursor = Cursor("line")

    @validates_schema(skip_on_field_errors=True)
    def one_beginning(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses `after` together with `cursor`."""
        if "after" in data and "cursor" in data:
            raise ValidationError({"cursor": ["Give either after or cursor."]})


class EventsQuerySchema(Schema):
    """Where an event stream starts, and how long it stays open."""

    after = Digits(validate=validate.Range(0, LARGEST_AFTER))
    wait = Digits(validate=validate.Range(0, LONGEST_WAIT))


class DealsQuerySchema(Schema):
    """Which part of a catalogue to list."""

    variant = VariantName(required=True)
    solvable = fields.String(validate=validate.OneOf(["proven"]))
    difficulty = Digits(validate=validate.Range(1, HARDEST))
    limit = _limit()
    cursor = Cursor("deals")


class ResultsQuerySchema(Schema):
    """Which part of the results of a deal to list."""

    limit = _limit()
    cursor = Cursor("results")


class LeaderboardQuerySchema(Schema):
    """Which part of a leaderboard to list, and how it is sorted."""

    sort = fields.String(load_default="daily-wins", validate=validate.OneOf(tuple(SORTS)))
    limit = _limit()
    cursor = Cursor("leaderboard")


class StatsQuerySchema(Schema):
    """Which statistics: of all variants or one, of one label, or of one deal."""

    variant = VariantName()
    label = Label()
    deal = matching(DEAL_ID, "Not the id of a deal.")

    @validates_schema(skip_on_field_errors=True)
    def one_list(self, data: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a deal together with anything else: it has one variant and all labels."""
        if "deal" in data and len(data) > 1:
            raise ValidationError({"deal": ["Give it without variant and label."]})


LINE = LineQuerySchema()
EVENTS = EventsQuerySchema()
DEALS = DealsQuerySchema()
RESULTS = ResultsQuerySchema()
LEADERBOARD = LeaderboardQuerySchema()
STATS = StatsQuerySchema()
"""Schemas are instantiated once: that costs three times as much as using one."""

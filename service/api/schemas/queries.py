"""Marshmallow schemas of query parameters, one for each path."""

from functools import partial
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from service.api.schemas.cursors import Cursor
from service.api.schemas.fields import MOST_STEPS, Digits, Label, VariantName, matching, reader
from service.deals.catalogue import HARDEST
from service.records.leaderboards import SORTS

LONGEST_PAGE = 500
LARGEST_AFTER = 999_999_999
LONGEST_WAIT = 600

DEAL_ID = r"^[a-z]+(-[a-z]+)*-([1-9][0-9]{0,19}|daily-[0-9]{4}-[0-9]{2}-[0-9]{2})$"


_limit = partial(Digits, load_default=100, validate=validate.Range(1, LONGEST_PAGE))


def _one_beginning(schema: Schema, data: dict[str, Any], **kwargs: Any) -> None:
    """Refuses `after` together with `cursor`."""
    if "after" in data and "cursor" in data:
        raise ValidationError({"cursor": ["Give either after or cursor."]})


def _one_list(schema: Schema, data: dict[str, Any], **kwargs: Any) -> None:
    """Refuses a deal together with anything else: it has one variant and all labels."""
    if "deal" in data and len(data) > 1:
        raise ValidationError({"deal": ["Give it without variant and label."]})


LINE = reader(
    "LineQuery",
    _one_beginning,
    after=Digits(validate=validate.Range(0, MOST_STEPS)),
    limit=_limit(),
    cursor=Cursor("line"),
)
"""Which moves of a game to list."""

EVENTS = reader(
    "EventsQuery",
    after=Digits(validate=validate.Range(0, LARGEST_AFTER)),
    wait=Digits(validate=validate.Range(0, LONGEST_WAIT)),
)
"""Where an event stream starts, and how long it stays open."""

DEALS = reader(
    "DealsQuery",
    variant=VariantName(required=True),
    solvable=fields.String(validate=validate.OneOf(["proven"])),
    difficulty=Digits(validate=validate.Range(1, HARDEST)),
    limit=_limit(),
    cursor=Cursor("deals"),
)
"""Which part of a catalogue to list."""

RESULTS = reader("ResultsQuery", limit=_limit(), cursor=Cursor("results"))
"""Which part of the results of a deal to list."""

LEADERBOARD = reader(
    "LeaderboardQuery",
    sort=fields.String(load_default="daily-wins", validate=validate.OneOf(tuple(SORTS))),
    limit=_limit(),
    cursor=Cursor("leaderboard"),
)
"""Which part of a leaderboard to list, and how it is sorted."""

STATS = reader(
    "StatsQuery",
    _one_list,
    variant=VariantName(),
    label=Label(),
    deal=matching(DEAL_ID, "Not the id of a deal."),
)
"""Which statistics: of all variants or one, of one label, or of one deal."""

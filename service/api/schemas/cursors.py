"""Cursors: opaque positions in paginated lists."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from marshmallow import ValidationError, fields
from typing_extensions import override

from service.errors import ForeignCursorError
from service.records import leaderboards
from service.records.results import SORT_KEY_PATTERN

T = TypeVar("T")


class Place(NamedTuple):
    """A decoded cursor: the `kind` of list, what it is a list `of`, and the last item seen."""

    kind: str
    of: str
    after: str

    def in_list(self, of: str) -> str:
        """The last item seen; `ForeignCursorError` if the cursor is not from the list `of`."""
        if of != self.of:
            raise ForeignCursorError
        return self.after


_NUMBER = r"0|[1-9][0-9]{0,8}"
_AFTER = {
    "line": _NUMBER,
    "deals": _NUMBER,
    "results": SORT_KEY_PATTERN,
    "leaderboard": leaderboards.SORT_KEY_PATTERN,
}
"""The kinds of lists, and the pattern of the positions in each."""


class Cursor(fields.Field[Place]):
    """The `next` of an earlier page of a list of one kind."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Place:
        try:
            place = Place(*urlsafe_b64decode(str(value).encode()).decode("ascii").split(" "))
            known = re.fullmatch(_AFTER.get(place.kind, "(?!)"), place.after)
            # Encoded again and compared, since the Base64 decoder skips invalid characters.
            known = known and value == cursor(*place)
        except (ValueError, TypeError):
            known = None
        if not known:
            raise ValidationError("Not a cursor from this service.")
        if place.kind != self._kind:
            raise ForeignCursorError
        return place


def start_of(query: Mapping[str, Any], of: str) -> str | None:
    """The last item seen of the list `of`, if the query has a cursor; else None."""
    given: Place | None = query.get("cursor")
    return None if given is None else given.in_list(of)


def page_of(  # noqa: PLR0913, PLR0917 - what a page is made of
    found: Sequence[T],
    limit: int,
    kind: str,
    of: str,
    to_json: Callable[[T], Any],
    place: Callable[[T], str | int],
) -> dict[str, Any]:
    """The first `limit` items of `found` as JSON, and the cursor for more, if it has more."""
    last = place(found[limit - 1]) if len(found) > limit else None
    return {
        "items": [to_json(item) for item in found[:limit]],
        "next": None if last is None else cursor(kind, of, last),
    }


def cursor(kind: str, of: str, after: str | int) -> str:
    """The cursor for the items after `after` in the list of this `kind` of `of`."""
    return urlsafe_b64encode(f"{kind} {of} {after}".encode("ascii")).decode()

"""Cursors: places in lists, in the form in which pages name them to clients."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, NamedTuple

from marshmallow import ValidationError, fields

from service.errors import ForeignCursorError
from service.records.results import SORT_KEY_PATTERN


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
_AFTER = {"line": _NUMBER, "deals": _NUMBER, "results": SORT_KEY_PATTERN}
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

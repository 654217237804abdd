"""What a view declares about the requests it takes: rate limits, query and media types."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from marshmallow import Schema

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Endpoint:
    """A declaration; used as the decorator of a view.

    Requests count against `limits`, have the `query` parameters of this schema or none, and are
    answered in one of the media types `produces`, the first by default.
    """

    limits: tuple[str, ...] = ("reads",)
    query: Schema | None = None
    produces: tuple[str, ...] = ("application/json",)

    def __call__(self, view: View) -> View:
        """Declares this of `view`."""
        view.endpoint = self  # type: ignore[attr-defined]
        return view


_DEFAULT = Endpoint()


def endpoint_of(view: Callable[..., Any]) -> Endpoint:
    """What `view` declares, or the defaults."""
    declared: Endpoint = getattr(view, "endpoint", _DEFAULT)
    return declared

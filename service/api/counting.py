"""How a request counts against the limits, and how its answer tells what is left of them.

The header fields are those of draft-ietf-httpapi-ratelimit-headers-11.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from flask import current_app, request

from service.api import reading
from service.errors import TooManyRequestsError
from service.limits import OF_A_GAME, Limits
from service.tally import A_MINUTE

View = TypeVar("View", bound=Callable[..., Any])


def counted(*limits: str) -> Callable[[View], View]:
    """Marks a view that counts against these limits; without a mark, one counts as a read."""

    def mark(view: View) -> View:
        view.limits = limits  # type: ignore[attr-defined]
        return view

    return mark


def count(view: Callable[..., Any]) -> None:
    """Counts the request for `view`; `TooManyRequestsError` if a limit has been used up."""
    limits: Limits = current_app.extensions["asterism.limits"]
    uses = [
        limits.take(limit, who)
        for limit in getattr(view, "limits", ("reads",))
        if limits.hold(limit) and (who := _who(limit))
    ]
    if not uses:
        return
    request.environ["asterism.limits"] = [
        ("RateLimit-Policy", _policies(tuple((use.limit, use.quota) for use in uses))),
        ("RateLimit", ", ".join(f'"{use.limit}";r={use.left};t={use.reset}' for use in uses)),
    ]
    for use in uses:
        if use.wait:
            raise TooManyRequestsError(use.limit, use.quota, use.wait)


def _who(limit: str) -> str | None:
    return reading.play_token() if limit.startswith(OF_A_GAME) else reading.address()


@cache
def _policies(quotas: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f'"{limit}";q={quota};w={A_MINUTE:.0f}' for limit, quota in quotas)

"""What the store has done for the current request, recorded for logs, metrics and traces.

No field holds a card, a seed, a token or a query, so that none of them can be logged.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple, ParamSpec, TypeVar

from service.errors import StoreUnavailableError
from service.records.events import Kind
from service.records.game import Game

P = ParamSpec("P")
T = TypeVar("T")


class StoreCall(NamedTuple):
    """One operation of the store: `began` in seconds from the start of the request."""

    operation: str
    began: float
    seconds: float
    failed: bool


class GameWrite(NamedTuple):
    """A saved change of a game: its variant, how fair its deal is, what happened, its status."""

    variant: str
    fairness: str
    kind: str
    status: str


@dataclass(slots=True)
class RequestContext:
    """What has been recorded so far; `began` is the start of the request by `perf_counter`."""

    began: float
    variant: str | None = None
    game_id: str | None = None
    game_write: GameWrite | None = None
    calls: list[StoreCall] = field(default_factory=list)


_CURRENT: ContextVar[RequestContext | None] = ContextVar("request_context", default=None)


def set_request_context(context: RequestContext) -> None:
    """Records in `context` what this thread or greenlet does from now on."""
    _CURRENT.set(context)


def record_game(game: Game) -> Game:
    """`game`, recorded as the one that the request is about."""
    context = _CURRENT.get()
    if context is not None:
        context.variant, context.game_id = game.variant.name, game.id
    return game


def record_write(game: Game, kind: Kind) -> None:
    """Records that the request has changed `game`."""
    context = _CURRENT.get()
    if context is not None:
        context.game_write = GameWrite(game.variant.name, game.deal.fairness, kind, game.status)


def timed(operation: str, run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of `run`, recorded as one operation of the store."""
    context = _CURRENT.get()
    if context is None:
        return run(*args, **kwargs)
    began, failed = time.perf_counter(), False
    try:
        return run(*args, **kwargs)
    except StoreUnavailableError:
        failed = True
        raise
    finally:
        seconds = time.perf_counter() - began
        context.calls.append(StoreCall(operation, began - context.began, seconds, failed))

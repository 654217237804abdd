"""One accepted request on: what each action makes of a game, before anything is kept."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import NamedTuple

from service.errors import GameTooLongError, IllegalMoveError
from service.games.base import Position, Reveal, View
from service.games.moves import Move
from service.play.hints import HINT_PROVIDERS
from service.records.events import Event, Kind
from service.records.game import Game, Outcome, Receipt, Stopped
from service.records.record import Record

LONGEST_LINE = 10_000
"""Moves in a line of play: whoever takes one back waits while all of them are played again."""


class RequestStamp(NamedTuple):
    """When a request came, in milliseconds since 1970 UTC, and its fingerprint."""

    at: int
    fingerprint: str


class ActionResult(NamedTuple):
    """The game after a request, the event that tells of it, and the moves new in its line."""

    game: Game
    event: Event
    played: tuple[Move, ...] = ()


def play_moves(game: Game, moves: Sequence[Move], stamp: RequestStamp) -> ActionResult:
    """`moves` played, up to and with the first that turns a card or wins.

    `IllegalMoveError` names the place of the first that is refused, and `GameTooLongError` is
    raised where the line would grow too long; then none is played.
    """
    position, outcome = _advance(game.position, moves)
    played = tuple(moves[: outcome.applied])
    ply = game.ply + outcome.applied
    if ply > LONGEST_LINE:
        raise GameTooLongError(LONGEST_LINE)
    after = game.next(
        stamp.at,
        Receipt(stamp.fingerprint, outcome),
        position=position,
        ply=ply,
        length=ply,
        counters=game.counters._replace(moves=game.counters.moves + outcome.applied),
        plan=_followed(game.plan, played),
    )
    return ActionResult(after, _event(after, "moved", played, outcome.reveals), played)


def undo(game: Game, record: Record, steps: int, stamp: RequestStamp) -> ActionResult:
    """The last `steps` moves taken back; `NothingToUndoError` if fewer were played.

    Raises `GameUnreadableError` where the record does not lead to the position of the game, and
    `IllegalMoveError` where it holds a move that the rules refuse.
    """
    position = record.undone(steps).position()
    game.require_position(reduce(Position.after, record.line[game.ply - steps :], position))
    hidden_again = position.view.hidden - game.position.view.hidden
    after = game.next(
        stamp.at,
        Receipt(stamp.fingerprint, Outcome()),
        position=position,
        ply=game.ply - steps,
        counters=game.counters._replace(
            undos=game.counters.undos + steps,
            reveals_undone=game.counters.reveals_undone + hidden_again,
        ),
        plan=(*record.line[game.ply - steps :], *game.plan) if game.plan else (),
    )
    return ActionResult(after, _event(after, "undone", steps=steps))


def redo(game: Game, record: Record, steps: int, stamp: RequestStamp) -> ActionResult:
    """`steps` moves played again; `NothingToRedoError` if fewer were taken back."""
    again = record.redone(steps).line[game.ply :]
    position, reveals = game.position, tuple[Reveal, ...]()
    for move in again:
        position, turned = position.play(move)
        reveals += turned
    after = game.next(
        stamp.at,
        Receipt(stamp.fingerprint, Outcome()),
        position=position,
        ply=game.ply + steps,
        plan=_followed(game.plan, again),
    )
    return ActionResult(after, _event(after, "redone", again, reveals, steps))


def give_hint(
    game: Game, earlier: Callable[[], Sequence[View]], stamp: RequestStamp
) -> ActionResult:
    """Advice given and counted.

    `earlier` gives what the player has seen along the line, for an adviser that asks.
    """
    hint, plan = HINT_PROVIDERS[game.variant.name](game.position.view, game.plan, earlier)
    after = game.next(
        stamp.at,
        Receipt(stamp.fingerprint, Outcome(hint=hint)),
        counters=game.counters._replace(hints=game.counters.hints + 1),
        plan=plan,
    )
    return ActionResult(after, _event(after, "hinted"))


def resign(game: Game, stamp: RequestStamp) -> ActionResult:
    """The game given up."""
    after = game.next(stamp.at, Receipt(stamp.fingerprint, Outcome()), resigned=True)
    return ActionResult(after, _event(after, "resigned"))


def _advance(position: Position, moves: Sequence[Move]) -> tuple[Position, Outcome]:
    """`position` after `moves`, up to and with the first that turns a card or wins.

    The batch ends there, kept, whatever follows: were it rolled back because of a later move,
    it would be a free look under a card.
    """
    for index, move in enumerate(moves):
        try:
            position, reveals = position.play(move)
        except IllegalMoveError as refusal:
            raise refusal.at(index) from None
        applied, rest = index + 1, len(moves) - index - 1
        stopped: Stopped | None = "won" if position.view.won else "reveal" if reveals else None
        if stopped:
            return position, Outcome(applied, reveals, stopped if rest else None)
    return position, Outcome(len(moves))


def _followed(plan: tuple[Move, ...], played: tuple[Move, ...]) -> tuple[Move, ...]:
    """What is left of `plan` once `played` have been played: nothing, if they leave it."""
    return plan[len(played) :] if plan[: len(played)] == played else ()


def _event(
    game: Game,
    kind: Kind,
    moves: tuple[Move, ...] = (),
    reveals: tuple[Reveal, ...] = (),
    steps: int = 0,
) -> Event:
    return Event(game.version, kind, game.updated_at, moves, reveals, steps)

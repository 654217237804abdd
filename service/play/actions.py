"""The actions of a game: each gives the game after it and the event of it, and saves nothing."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.errors import GameTooLongError, IllegalMoveError
from service.games.base import Position, Reveal, View
from service.games.moves import Move
from service.play.hints import HINT_PROVIDERS
from service.records.events import Event, Kind
from service.records.game import Game, Outcome, Receipt, Stopped
from service.records.record import LONGEST_LINE, Record, replayed


class RequestStamp(NamedTuple):
    """The time of a request, in milliseconds since 1970 UTC, and its fingerprint."""

    at: int
    fingerprint: str


class ActionResult(NamedTuple):
    """The game after an action, the event that describes it, and the moves added to the line."""

    game: Game
    event: Event
    played: tuple[Move, ...] = ()


def play_moves(game: Game, moves: Sequence[Move], stamp: RequestStamp) -> ActionResult:
    """Plays `moves`, up to and including the first that reveals a card or wins.

    Raises `IllegalMoveError` with the index of the first illegal move, or `GameTooLongError`; then
    none is played.
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
        plan=_rest_of_plan(game.planned, played),
    )
    return ActionResult(after, _event(after, "moved", played, outcome.reveals), played)


def undo(game: Game, record: Record, steps: int, stamp: RequestStamp) -> ActionResult:
    """Takes back the last `steps` moves; `NothingToUndoError` if fewer were played.

    Raises `GameUnreadableError` if the record does not lead to the position of the game.
    """
    position = record.before(steps, game.position)
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
        plan=_plan_after_undo(game, record, steps),
    )
    return ActionResult(after, _event(after, "undone", steps=steps))


def redo(game: Game, record: Record, steps: int, stamp: RequestStamp) -> ActionResult:
    """Replays `steps` undone moves; `NothingToRedoError` if fewer were taken back.

    Raises `GameUnreadableError` for a move that the rules refuse.
    """
    again = record.redone(steps).line[game.ply :]
    line = list(replayed(game.position, again))
    reveals = tuple(reveal for played in line for reveal in played.reveals)
    after = game.next(
        stamp.at,
        Receipt(stamp.fingerprint, Outcome()),
        position=line[-1].position,
        ply=game.ply + steps,
        plan=_rest_of_plan(game.planned, again),
    )
    return ActionResult(after, _event(after, "redone", again, reveals, steps))


def give_hint(
    game: Game, earlier_views: Callable[[], Sequence[View]], stamp: RequestStamp
) -> ActionResult:
    """Gives a hint, and counts it.

    `earlier_views` gives the views along the line, for hint providers that need them.
    """
    hint, plan = HINT_PROVIDERS[game.variant.name](game.position.view, game.planned, earlier_views)
    after = game.next(
        stamp.at,
        Receipt(stamp.fingerprint, Outcome(hint=hint)),
        counters=game.counters._replace(hints=game.counters.hints + 1),
        plan=plan,
    )
    return ActionResult(after, _event(after, "hinted"))


def resign(game: Game, stamp: RequestStamp) -> ActionResult:
    """Resigns the game."""
    after = game.next(stamp.at, Receipt(stamp.fingerprint, Outcome()), resigned=True)
    return ActionResult(after, _event(after, "resigned"))


def _advance(position: Position, moves: Sequence[Move]) -> tuple[Position, Outcome]:
    """`position` after `moves`, up to and including the first that reveals a card or wins.

    The batch ends there and is saved, whatever follows: rolling it back because of a later move
    would give a free look under a card.
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


def _plan_after_undo(game: Game, record: Record, steps: int) -> tuple[Move, ...]:
    """The plan that follows the undo of the last hint, or the undone moves and the plan."""
    hint = game.receipt.outcome.hint
    if hint is not None and hint.undo_steps == steps:
        return game.plan
    return (*record.line[game.ply - steps :], *game.planned) if game.planned else ()


def _rest_of_plan(plan: tuple[Move, ...], played: tuple[Move, ...]) -> tuple[Move, ...]:
    """`plan` without the moves `played`; empty if they depart from it."""
    return plan[len(played) :] if plan[: len(played)] == played else ()


def _event(
    game: Game,
    kind: Kind,
    moves: tuple[Move, ...] = (),
    reveals: tuple[Reveal, ...] = (),
    steps: int = 0,
) -> Event:
    return Event(game.version, kind, game.updated_at, moves, reveals, steps)

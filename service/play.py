"""The use cases: create a game, show it, move, undo, redo, resign, delete, list and reveal."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from service import keys
from service.deals import Deal, PublicDeal, SealedDeal, start_of
from service.errors import (
    GameRunningError,
    IdempotencyKeyReusedError,
    IllegalMoveError,
    PreconditionError,
    VersionConflictError,
)
from service.events import Event
from service.game import Game, Outcome, Receipt, Stopped
from service.keys import ServerKey
from service.moves import Move
from service.record import Record
from service.store import Change, Store
from service.variant import Position, Reveal, Variant


@dataclass(frozen=True, slots=True)
class Order:
    """What every write brings along, whatever it does.

    `version` is the version the request was made for; `fingerprint` tells the request from every
    other; `if_match` are the versions its `If-Match` header names. Token, idempotency key and
    `if_match` are None where the request brought none.
    """

    game_id: str
    token: str | None
    version: int
    fingerprint: str
    idempotency_key: str | None = None
    if_match: frozenset[int] | None = None


class Answer(NamedTuple):
    """A game after a write, what the write came to, and whether it had been done before."""

    game: Game
    outcome: Outcome
    replayed: bool


class Created(NamedTuple):
    """A game as it was created, its play token, and whether it had been created before."""

    game: Game
    play_token: str
    replayed: bool


class LineItem(NamedTuple):
    """One move of the line of play, its ply from 1, and the cards it turned."""

    ply: int
    move: Move
    reveals: tuple[Reveal, ...]


class _Step(NamedTuple):
    """A game one accepted request on, before it is kept."""

    game: Game
    event: Event
    played: tuple[Move, ...] = ()


class Play:
    """The use cases over one store; keeps nothing between two calls."""

    def __init__(
        self, store: Store, key: ServerKey, ttl: int, clock: Callable[[], float] = time.time
    ) -> None:
        """`ttl` is how long an untouched game is kept, in seconds; `clock` gives seconds."""
        self._store = store
        self._key = key
        self._ttl = ttl
        self._clock = clock

    def create(
        self,
        variant: Variant,
        number: int | None,
        label: str | None,
        fingerprint: str,
        idempotency_key: str | None,
    ) -> Created:
        """A new game of the numbered deal, or of a sealed one where `number` is None.

        Raises `IdempotencyKeyReusedError` if the key has created another game.
        """
        deal: Deal = (
            SealedDeal(variant, keys.new_seed()) if number is None else PublicDeal(variant, number)
        )
        now = self._now()
        game = Game(
            id=self._key.game_id_for(idempotency_key) if idempotency_key else keys.new_game_id(),
            deal=deal,
            position=start_of(deal),
            created_at=now,
            updated_at=now,
            receipt=Receipt(fingerprint, Outcome()),
            label=label,
        )
        answer_key = _answer_key(idempotency_key)
        saved = self._store.save(Change(game, Event(1, "created", now), answer_key=answer_key))
        if not saved.fresh and saved.game.receipt.fingerprint != fingerprint:
            raise IdempotencyKeyReusedError
        token = self._key.play_token(saved.game.id, saved.game.epoch)
        return Created(saved.game, token, not saved.fresh)

    def show(self, game_id: str) -> Game:
        """The game; `GameNotFoundError` if there is none."""
        return self._store.load(game_id)

    def expires_at(self, game: Game) -> int:
        """When `game` goes if nothing more happens in it, in milliseconds since 1970 UTC."""
        return game.updated_at + self._ttl * 1000

    def move(self, order: Order, moves: Sequence[Move]) -> Answer:
        """Plays `moves` up to the first that turns a card or wins, all of them or none.

        Raises `IllegalMoveError` with the place of the first move refused, `GameOverError`, and
        what every write raises.
        """

        def step(game: Game) -> _Step:
            position, outcome = _advance(game.position, moves)
            played = tuple(moves[: outcome.applied])
            ply = game.ply + outcome.applied
            at, receipt = self._now(), Receipt(order.fingerprint, outcome)
            counters = game.counters._replace(moves=game.counters.moves + outcome.applied)
            after = game.next(
                at, receipt, position=position, ply=ply, length=ply, counters=counters
            )
            return _Step(after, Event(after.version, "moved", at, played, outcome.reveals), played)

        return self._write(order, step)

    def undo(self, order: Order, steps: int) -> Answer:
        """Takes the last `steps` moves back; `NothingToUndoError` if fewer were played."""

        def step(game: Game) -> _Step:
            game, record = self._record(order)
            position = record.undone(steps).position()
            hidden_again = position.view.hidden - game.position.view.hidden
            counters = game.counters._replace(
                undos=game.counters.undos + steps,
                reveals_undone=game.counters.reveals_undone + hidden_again,
            )
            at, receipt = self._now(), Receipt(order.fingerprint, Outcome())
            after = game.next(
                at, receipt, position=position, ply=game.ply - steps, counters=counters
            )
            return _Step(after, Event(after.version, "undone", at, steps=steps))

        return self._write(order, step)

    def redo(self, order: Order, steps: int) -> Answer:
        """Plays `steps` moves again; `NothingToRedoError` if fewer were taken back."""

        def step(game: Game) -> _Step:
            game, record = self._record(order)
            again = record.redone(steps).line[game.ply :]
            position, reveals = game.position, tuple[Reveal, ...]()
            for move in again:
                position, turned = position.play(move)
                reveals += turned
            at, receipt = self._now(), Receipt(order.fingerprint, Outcome())
            after = game.next(at, receipt, position=position, ply=game.ply + steps)
            event = Event(after.version, "redone", at, again, reveals, steps)
            return _Step(after, event)

        return self._write(order, step)

    def resign(self, order: Order) -> Answer:
        """Ends the game; its deal is no longer sealed."""

        def step(game: Game) -> _Step:
            at = self._now()
            after = game.next(at, Receipt(order.fingerprint, Outcome()), resigned=True)
            return _Step(after, Event(after.version, "resigned", at))

        return self._write(order, step)

    def delete(self, game_id: str, token: str | None, if_match: frozenset[int] | None) -> None:
        """Removes the game; `PreconditionError` if it is at no version of `if_match`."""
        token = keys.present(token)
        game = self._store.load(game_id)
        self._key.check(token, game.id, game.epoch)
        _require_match(game, if_match)
        if not self._store.delete(game_id, None if if_match is None else game.version):
            # It went away or moved on since it was loaded: `show` raises in the first case.
            raise PreconditionError(self.show(game_id).version)

    def line(self, game_id: str) -> Iterator[LineItem]:
        """The line of play, move by move; nothing of what has been taken back."""
        game, moves = self._store.load_with_line(game_id)
        record = Record(game.deal, moves, game.ply)
        for ply, (move, played) in enumerate(zip(record.line, record.replay(), strict=True), 1):
            yield LineItem(ply, move, played.reveals)

    def ping(self) -> None:
        """Returns if games can be served; `StoreUnavailableError` otherwise."""
        self._store.ping()

    def reveal(self, game_id: str) -> Deal:
        """The deal with all its secrets; `GameRunningError` while it is sealed."""
        game = self._store.load(game_id)
        if game.deal.fairness == "sealed" and not game.is_over:
            raise GameRunningError
        return game.deal

    def _write(self, order: Order, step: Callable[[Game], _Step]) -> Answer:
        """Checks in the order token, earlier answer, version, rules; then keeps, then tells."""
        answer_key = _answer_key(order.idempotency_key)
        token = keys.present(order.token)
        game, answered = self._load(order.game_id, answer_key)
        self._key.check(token, game.id, game.epoch)
        if answered is not None:
            return _repeated(answered, order)
        if _is_repeat(game, order):
            return Answer(game, game.receipt.outcome, replayed=True)
        _require_match(game, order.if_match)
        if game.version != order.version:
            raise VersionConflictError(order.version, game.version)
        game.require_running()
        after, event, played = step(game)
        saved = self._store.save(Change(after, event, played, answer_key))
        if saved.fresh:
            return Answer(after, after.receipt.outcome, replayed=False)
        if saved.answered:
            return _repeated(saved.game, order)
        if _is_repeat(saved.game, order):
            return Answer(saved.game, saved.game.receipt.outcome, replayed=True)
        raise VersionConflictError(order.version, saved.game.version)

    def _load(self, game_id: str, answer_key: str | None) -> tuple[Game, Game | None]:
        if answer_key is None:
            return self._store.load(game_id), None
        return self._store.load_with_answer(game_id, answer_key)

    def _record(self, order: Order) -> tuple[Game, Record]:
        """The game with its record, at the version that `order` was made for."""
        game, moves = self._store.load_with_line(order.game_id)
        if game.version != order.version:
            raise VersionConflictError(order.version, game.version)
        return game, Record(game.deal, moves, game.ply)

    def _now(self) -> int:
        return int(self._clock() * 1000)


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


def _answer_key(idempotency_key: str | None) -> str | None:
    return None if idempotency_key is None else keys.fingerprint(idempotency_key)


def _repeated(answered: Game, order: Order) -> Answer:
    """The answer kept under this idempotency key, if it was to this request."""
    if answered.receipt.fingerprint != order.fingerprint:
        raise IdempotencyKeyReusedError
    return Answer(answered, answered.receipt.outcome, replayed=True)


def _is_repeat(game: Game, order: Order) -> bool:
    """Whether `order` is the request that led to `game`, sent again for a lost answer."""
    return game.version == order.version + 1 and game.receipt.fingerprint == order.fingerprint


def _require_match(game: Game, if_match: frozenset[int] | None) -> None:
    if if_match is not None and game.version not in if_match:
        raise PreconditionError(game.version)

"""The use cases of a game that has begun: show it, play in it, delete, list, reveal, hand on."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

from service.deals.deal import Deal
from service.errors import (
    GameRunningError,
    GameUnreadableError,
    IdempotencyKeyReusedError,
    IllegalMoveError,
    PreconditionError,
    VersionConflictError,
)
from service.games.base import Reveal
from service.games.moves import Move
from service.play import actions, keys
from service.play.actions import ActionResult, RequestStamp
from service.play.calendar import Calendar
from service.play.compute_pool import ComputePool
from service.play.keys import ServerKey
from service.play.standings import Standings
from service.records.game import Game, Outcome
from service.records.record import Record
from service.records.replay import Replay, replay_of
from service.records.results import Result, of_deal
from service.records.statistics import Statistics
from service.store import Change, Store


class WriteRequest(NamedTuple):
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


class WriteResult(NamedTuple):
    """A game after a write, what the write came to, and whether it had been done before."""

    game: Game
    outcome: Outcome
    replayed: bool


class PlayedMove(NamedTuple):
    """One move of the line of play, its ply from 1, and the cards it turned."""

    ply: int
    move: Move
    reveals: tuple[Reveal, ...]


class Gameplay:
    """The use cases over one store; keeps nothing between two calls."""

    def __init__(
        self,
        store: Store,
        key: ServerKey,
        ttl: int,
        pool: ComputePool,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`ttl` is how long an untouched game is kept, in seconds; `clock` gives seconds."""
        self._store = store
        self._pool = pool
        self._key = key
        self._ttl = ttl
        self._clock = clock
        self.calendar = Calendar(key, self._now)
        self.standings = Standings(store, self._now, pool.run)

    def show(self, game_id: str, token: str | None) -> Game:
        """The game; `GameNotFoundError` if there is none, and what `_admit` raises."""
        return self._admit(self._store.load(game_id), token)

    def expires_at(self, game: Game) -> int:
        """When `game` goes if nothing more happens in it, in milliseconds since 1970 UTC."""
        return game.updated_at + self._ttl * 1000

    def move(self, order: WriteRequest, moves: Sequence[Move]) -> WriteResult:
        """Plays `moves` up to the first that turns a card or wins, all of them or none.

        Raises `IllegalMoveError` with the place of the first move refused, `GameTooLongError`,
        `GameOverError`, and what every write raises.
        """
        return self._write(order, lambda game, stamp: actions.play_moves(game, moves, stamp))

    def undo(self, order: WriteRequest, count: int) -> WriteResult:
        """Takes the last `count` moves back; `NothingToUndoError` if fewer were played."""

        def step(game: Game, stamp: RequestStamp) -> ActionResult:
            with _kept_line():
                return self._pool.run(actions.undo, game, self._record(order), count, stamp)

        return self._write(order, step)

    def redo(self, order: WriteRequest, count: int) -> WriteResult:
        """Plays `count` moves again; `NothingToRedoError` if fewer were taken back."""

        def step(game: Game, stamp: RequestStamp) -> ActionResult:
            with _kept_line():
                return actions.redo(game, self._record(order), count, stamp)

        return self._write(order, step)

    def hint(self, order: WriteRequest) -> WriteResult:
        """Advises on what to play next, counted; `TooManySearchesError` if others do so now."""

        def step(game: Game, stamp: RequestStamp) -> ActionResult:
            if game.plan:  # an earlier hint has found it
                return actions.give_hint(game, tuple, stamp)
            record = self._record(order)
            with _kept_line():
                return self._pool.search(actions.give_hint, game, record.earlier_views, stamp)

        return self._write(order, step)

    def resign(self, order: WriteRequest) -> WriteResult:
        """Ends the game; its deal is no longer sealed."""
        return self._write(order, actions.resign)

    def delete(self, game_id: str, token: str | None, if_match: frozenset[int] | None) -> None:
        """Removes the game; `PreconditionError` if it is at no version of `if_match`.

        One that goes away in the meantime has been removed by an earlier try, or by a request for
        the same.
        """
        token = keys.require_token(token)
        game = self._store.load(game_id)
        self._key.check(token, game.id, game.epoch)
        _require_match(game, if_match)
        self.standings.record_result(game)
        if not self._store.delete(game_id, None if if_match is None else game.version):
            raise PreconditionError(self._store.load(game_id).version)

    def line(self, game_id: str, token: str | None, after: int, limit: int) -> list[PlayedMove]:
        """At most `limit` moves of the line of play after ply `after`.

        Nothing is told of what has been taken back.
        """
        game, moves = self._store.load_with_line(game_id)
        self._admit(game, token)
        record = Record(game.deal, moves, game.ply)
        with _kept_line():
            return self._pool.run(_page, game, record, after, limit)

    def replay(self, game_id: str, token: str | None) -> Replay:
        """The game as it can be handed on: with its deal where that may be known, else as seen."""
        game, moves = self._store.load_with_line(game_id)
        self._admit(game, token)
        closed = self.calendar.is_closed(game.deal) or game.is_sealed
        with _kept_line():
            return self._pool.run(
                replay_of, game, Record(game.deal, moves, game.ply), whole=not closed
            )

    def ping(self) -> None:
        """Returns if games can be served; `StoreUnavailableError` otherwise."""
        self._store.ping()

    def results(self, deal: Deal) -> list[Result]:
        """What games of `deal` came to, best first; `DayNotOverError` while they are closed."""
        self.calendar.require_open(deal)
        return self.standings.of_deal(deal)

    def figures_of_deal(self, deal: Deal) -> dict[str, Statistics]:
        """The figures of `deal`, by group; `DayNotOverError` while they are closed."""
        self.calendar.require_open(deal)
        return self.standings.figures(of_deal(deal.id))

    def reveal(self, game_id: str) -> Deal:
        """The deal with all its secrets.

        `GameRunningError` while it is sealed, and `DayNotOverError` for everybody alike: who has
        played the deal of a day could pass its cards on to those who have not.
        """
        game = self._store.load(game_id)
        self.calendar.require_open(game.deal)
        if game.is_sealed:
            raise GameRunningError
        return game.deal

    def _write(
        self, order: WriteRequest, step: Callable[[Game, RequestStamp], ActionResult]
    ) -> WriteResult:
        """Keeps what the step makes of the game, and then its result if it has ended.

        A request that is sent again for a lost answer enters a lost result too.
        """
        answer = self._kept(order, step)
        self.standings.try_record_result(answer.game)
        return answer

    def _kept(
        self, order: WriteRequest, step: Callable[[Game, RequestStamp], ActionResult]
    ) -> WriteResult:
        """Checks in the order token, earlier answer, version, rules; then keeps, then tells."""
        answer_key = _answer_key(order.idempotency_key)
        token = keys.require_token(order.token)
        game, answered, responses = self._store.load_with_answers(order.game_id, answer_key)
        self._key.check(token, game.id, game.epoch)
        earlier = self._earlier(game, answered, order)
        if earlier is not None:
            return earlier
        _require_match(game, order.if_match)
        if game.version != order.version:
            raise VersionConflictError(order.version, game.version)
        game.require_running()
        after, event, played = step(game, RequestStamp(self._now(), order.fingerprint))
        saved = self._store.save(Change(after, event, responses, played, answer_key))
        if saved.fresh:
            return WriteResult(after, after.receipt.outcome, replayed=False)
        earlier = self._earlier(saved.game, saved.game if saved.answered else None, order)
        if earlier is not None:
            return earlier
        raise VersionConflictError(order.version, saved.game.version)

    def _earlier(
        self, game: Game, answered: Game | None, order: WriteRequest
    ) -> WriteResult | None:
        """What `order` came to when it was sent before, if it was; `game` is as it stands now.

        `answered` is what is kept under its idempotency key, which must have been for this
        request. Without one, it is still known if it led to `game` itself.
        """
        if answered is None and game.version == order.version + 1:
            answered = game if game.receipt.fingerprint == order.fingerprint else None
        if answered is None:
            return None
        if answered.receipt.fingerprint != order.fingerprint:
            raise IdempotencyKeyReusedError
        self._store.confirm(game.id)
        return WriteResult(answered, answered.receipt.outcome, replayed=True)

    def _admit(self, game: Game, token: str | None) -> Game:
        """`game`, for whoever may watch it: everybody, or its player while the day of its deal
        is not over.

        Raises `TokenMissingError` and `TokenWrongError`.
        """
        if self.calendar.is_closed(game.deal):
            self._key.check(keys.require_token(token), game.id, game.epoch)
        return game

    def _record(self, order: WriteRequest) -> Record:
        """The record of the game, at the version that `order` was made for."""
        game, moves = self._store.load_with_line(order.game_id)
        if game.version != order.version:
            raise VersionConflictError(order.version, game.version)
        return Record(game.deal, moves, game.ply)

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _page(game: Game, record: Record, after: int, limit: int) -> list[PlayedMove]:
    """The moves of `record` after ply `after`; its end must be where `game` stands."""
    line = enumerate(zip(record.line, record.replay(), strict=True), start=1)
    page = []
    for ply, (move, played) in islice(line, after, after + limit):
        page.append(PlayedMove(ply, move, played.reveals))
        if ply == game.ply:
            game.require_position(played.position)
    return page


@contextmanager
def _kept_line() -> Iterator[None]:
    """A move of a kept line that the rules refuse is a fault of the line, not of the request."""
    try:
        yield
    except IllegalMoveError:
        raise GameUnreadableError("its line holds a move that the rules refuse") from None


def _answer_key(idempotency_key: str | None) -> str | None:
    return None if idempotency_key is None else keys.fingerprint(idempotency_key.encode())


def _require_match(game: Game, if_match: frozenset[int] | None) -> None:
    if if_match is not None and game.version not in if_match:
        raise PreconditionError(game.version)

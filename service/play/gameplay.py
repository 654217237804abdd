"""The use cases of an existing game: show it, play it, delete it, replay it, reveal its deal."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.deals.deal import Deal, start_position
from service.errors import (
    AsterismError,
    GameRunningError,
    PreconditionError,
    StoreUnavailableError,
    VersionConflictError,
)
from service.games.base import Reveal
from service.games.moves import Move
from service.play import actions, idempotency, keys
from service.play.actions import ActionResult, RequestStamp
from service.play.calendar import Calendar
from service.play.compute_pool import ComputePool, run_here
from service.play.idempotency import WriteRequest
from service.play.keys import ServerKey
from service.play.standings import Standings
from service.records.game import Game
from service.records.record import FEW_STEPS, Record, last_played, replayed
from service.records.replay import Replay, replay_of
from service.records.results import Result, of_deal
from service.records.statistics import Statistics
from service.store import Change, LinePage, Loaded, Store


class WriteResult(NamedTuple):
    """A game after a write, and whether an earlier request made it."""

    game: Game
    replayed: bool


class PlayedMove(NamedTuple):
    """A move of the line of play, its ply from 1, and the cards it revealed."""

    ply: int
    move: Move
    reveals: tuple[Reveal, ...]


_Load = Callable[[str, str | None], Loaded]
_Action = Callable[[Loaded, RequestStamp], ActionResult]


class Gameplay:
    """The use cases on one store; stateless."""

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
        self.standings = Standings(store, ttl, self._now, pool.run)

    def show(self, game_id: str, token: str | None) -> Game:
        """The game; `GameNotFoundError` if there is none, and what `_authorize` raises."""
        return self._authorize(self._store.load(game_id), token)

    def expires_at(self, game: Game) -> int:
        """When `game` expires unless it changes, in milliseconds since 1970 UTC."""
        return game.updated_at + self._ttl * 1000

    def move(self, request: WriteRequest, moves: Sequence[Move]) -> WriteResult:
        """Plays `moves` up to the first that reveals a card or wins; none if one is illegal.

        Raises `IllegalMoveError` with the index of the first illegal move, `GameTooLongError`,
        `GameOverError`, and what every write raises.
        """
        return self._write_recent(
            request, lambda loaded, stamp: actions.play_moves(loaded.game, moves, stamp)
        )

    def undo(self, request: WriteRequest, count: int) -> WriteResult:
        """Takes back the last `count` moves; `NothingToUndoError` if fewer were played."""

        def action(loaded: Loaded, stamp: RequestStamp) -> ActionResult:
            run = run_here if count <= FEW_STEPS else self._pool.run
            return run(actions.undo, loaded.game, _record(loaded), count, stamp)

        return self._write(request, self._store.load_whole, action)

    def redo(self, request: WriteRequest, count: int) -> WriteResult:
        """Replays `count` undone moves; `NothingToRedoError` if fewer were taken back."""

        def action(loaded: Loaded, stamp: RequestStamp) -> ActionResult:
            return actions.redo(loaded.game, _record(loaded), count, stamp)

        return self._write(request, self._store.load_whole, action)

    def hint(self, request: WriteRequest) -> WriteResult:
        """Gives a hint, counted; `TooManySearchesError` if it needs a search and too many run."""

        def action(loaded: Loaded, stamp: RequestStamp) -> ActionResult:
            if loaded.game.planned:  # from an earlier hint: needs no search
                return actions.give_hint(loaded.game, tuple, stamp)
            earlier_views = _record(loaded).earlier_views
            return self._pool.search(actions.give_hint, loaded.game, earlier_views, stamp)

        return self._write(request, self._store.load_whole, action)

    def resign(self, request: WriteRequest) -> WriteResult:
        """Ends the game; its deal is no longer sealed."""
        return self._write_recent(request, lambda loaded, stamp: actions.resign(loaded.game, stamp))

    def delete(self, game_id: str, token: str | None, if_match: frozenset[int] | None) -> None:
        """Deletes the game; `PreconditionError` if it is at no version of `if_match`.

        One that goes meanwhile was deleted by an earlier try, or by another request to delete it.
        """
        token = keys.require_token(token)
        while True:  # until no other write comes between
            game = self._store.load(game_id)
            self._key.check(token, game.id, game.epoch)
            _require_match(game, if_match)
            self.standings.record_result(game)
            if self._store.delete(game_id, game.version):
                return self.standings.record_deletion(game)

    def line(self, game_id: str, token: str | None, after: int, limit: int) -> list[PlayedMove]:
        """At most `limit` moves of the line of play after ply `after`, without undone moves."""
        page = self._store.load_page(game_id, after, limit)
        self._authorize(page.game, token)
        return self._pool.run(_played_moves, page, after)

    def replay(self, game_id: str, token: str | None) -> Replay:
        """The game as a replay: with its deal if that is public by now, else with what was seen."""
        loaded = self._store.load_whole(game_id, None)
        game = self._authorize(loaded.game, token)
        secret = self.calendar.is_closed(game.deal) or game.is_sealed
        return self._pool.run(replay_of, game, _record(loaded), whole=not secret)

    def ping(self) -> None:
        """Returns if the store answers; `StoreUnavailableError` otherwise."""
        self._store.ping()

    def results(self, deal: Deal, after: str, limit: int) -> list[Result]:
        """At most `limit` results of games of `deal`, best first, after the `sort_key` `after`.

        `DayNotOverError` while its day goes on.
        """
        self.calendar.require_open(deal)
        return self._store.result_store.ranking(of_deal(deal.id), after, limit)

    def figures_of_deal(self, deal: Deal) -> dict[str, Statistics]:
        """The statistics of `deal`, by group; `DayNotOverError` while its day goes on."""
        self.calendar.require_open(deal)
        return self.standings.figures(of_deal(deal.id))

    def reveal(self, game_id: str) -> Deal:
        """The deal with all its secrets.

        `GameRunningError` while it is sealed, and `DayNotOverError` for everybody while its day
        goes on: a player could pass on its cards to others who have not played it yet.
        """
        game = self._store.load(game_id)
        self.calendar.require_open(game.deal)
        if game.is_sealed:
            raise GameRunningError
        return game.deal

    def _write(self, request: WriteRequest, load: _Load, action: _Action) -> WriteResult:
        """Saves what `action` makes of the game that `load` gives; its result where that shows."""
        keys.require_token(request.token)
        loaded = load(request.game_id, request.answer_key)
        return self._write_to(loaded, request, action)

    def _write_recent(self, request: WriteRequest, action: _Action) -> WriteResult:
        """The same without loading the game, if it is known as the request expects it.

        Whatever is refused is judged again by the stored game, which may have changed.
        """
        loaded = self._store.recent(request.game_id)
        if (
            loaded is not None
            and loaded.game.version == request.version
            and request.answer_key not in loaded.responses
        ):
            try:
                return self._write_to(loaded, request, action)
            except StoreUnavailableError:
                raise
            except AsterismError:
                pass  # judged again
        return self._write(request, self._store.load_with_answers, action)

    def _write_to(self, loaded: Loaded, request: WriteRequest, action: _Action) -> WriteResult:
        """Checks token, earlier answer, version and rules, in this order, before it saves."""
        game, answer_key = loaded.game, request.answer_key
        self._key.check(keys.require_token(request.token), game.id, game.epoch)
        earlier = self._earlier(request, game, loaded.answered)
        if earlier is not None:
            return earlier
        _require_match(game, request.if_match)
        if game.version != request.version:
            raise VersionConflictError(request.version, game.version)
        game.require_running()
        after, event, played = action(loaded, RequestStamp(self._now(), request.fingerprint))
        saved = self._store.save(
            Change(after, event, loaded.responses, played, answer_key, mark=loaded.mark)
        )
        if saved.fresh:
            self.standings.record_write(game, after)
            return WriteResult(after, replayed=False)
        earlier = self._earlier(request, saved.game, saved.game if saved.answered else None)
        if earlier is not None:
            return earlier
        raise VersionConflictError(request.version, saved.game.version)

    def _earlier(
        self, request: WriteRequest, game: Game, answered: Game | None
    ) -> WriteResult | None:
        """The result of `request` if it was sent before; `game` is the game as it is now.

        `answered` is what its idempotency key led to. Without a key, a repeat is still recognised
        while the game is as the request left it. The result of a game that has ended or is stuck is
        entered again: it may be lost with the answer.
        """
        if answered is None and game.version == request.version + 1:
            answered = game if game.receipt.fingerprint == request.fingerprint else None
        if answered is None:
            return None
        answered = idempotency.repeated(self._store, answered, request.fingerprint)
        self.standings.record_write(answered, answered)
        return WriteResult(answered, replayed=True)

    def _authorize(self, game: Game, token: str | None) -> Game:
        """`game`, for whoever may see it: everybody, or its player while the day of its deal
        is not over.

        Raises `TokenMissingError` and `TokenWrongError`.
        """
        if self.calendar.is_closed(game.deal):
            self._key.check(keys.require_token(token), game.id, game.epoch)
        return game

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _record(loaded: Loaded) -> Record:
    return Record(loaded.game.deal, loaded.line, loaded.game.ply)


def _played_moves(page: LinePage, after: int) -> list[PlayedMove]:
    """The moves of `page` after ply `after`; the last of the game must lead to its position.

    They are reached from there if that is nearer than where the page begins.
    """
    game, start, checkpoint, moves = page
    moves, before = moves[: max(0, game.ply - start)], after - start
    at_end = start + len(moves) == game.ply
    if at_end and 0 < len(moves) - before < before:
        view = checkpoint.view if checkpoint else None
        played = last_played(game.position, moves, len(moves) - before, view)[1:]
    else:
        _, *played = replayed(checkpoint or start_position(game.deal), moves)
        if played and at_end:
            game.require_position(played[-1].position)
        played = played[before:]
    line = enumerate(zip(moves[before:], played, strict=True), after + 1)
    return [PlayedMove(ply, move, reveals) for ply, (move, (_, reveals)) in line]


def _require_match(game: Game, if_match: frozenset[int] | None) -> None:
    if if_match is not None and game.version not in if_match:
        raise PreconditionError(game.version)

"""A store that notes what is asked of it, and how long that takes, for the request at hand."""

import time
from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

from service import observation
from service.commitments import Commitment
from service.errors import StoreUnavailableError
from service.game import Game
from service.moves import Move
from service.observation import Kept, StoreCall
from service.results import Result
from service.store.base import Change, Loaded, Saved, Store
from service.store.ledger import Ledger
from service.story import Story

P = ParamSpec("P")
T = TypeVar("T")


class ObservedStore(Store):
    """Another store, asked the same."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.ledger = _ObservedLedger(store.ledger)

    def load(self, game_id: str) -> Game:
        """The game."""
        return _seen(_timed("load", self._store.load, game_id))

    def load_with_answers(self, game_id: str, answer_key: str | None) -> Loaded:
        """The game and its responses."""
        loaded = _timed("load", self._store.load_with_answers, game_id, answer_key)
        _seen(loaded.game)
        return loaded

    def load_with_line(self, game_id: str) -> tuple[Game, tuple[Move, ...]]:
        """The game and its line."""
        game, line = _timed("load_line", self._store.load_with_line, game_id)
        return _seen(game), line

    def save(self, change: Change) -> Saved:
        """Keeps a game."""
        saved = _timed("save", self._store.save, change)
        game, notes = _seen(saved.game), observation.notes()
        if saved.fresh and notes is not None:
            fairness = game.deal.fairness
            notes.kept = Kept(game.variant.name, fairness, change.event.kind, game.status)
        return saved

    def confirm(self, game_id: str) -> None:
        """Returns when a game is kept safely."""
        _timed("confirm", self._store.confirm, game_id)

    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Removes a game."""
        return _timed("delete", self._store.delete, game_id, version)

    def story(self, game_id: str, known: Story | None = None) -> Story:
        """The game and its events."""
        return _timed("story", self._store.story, game_id, known)

    def game_ids(self) -> Iterator[str]:
        """The id of every kept game."""
        return self._store.game_ids()

    def commit(self, commitment: Commitment) -> Commitment:
        """Keeps a commitment."""
        return _timed("commit", self._store.commit, commitment)

    def commitment(self, id: str) -> Commitment:
        """A kept commitment."""
        return _timed("commitment", self._store.commitment, id)

    def ping(self) -> None:
        """Returns if the store can serve."""
        _timed("ping", self._store.ping)


class _ObservedLedger(Ledger):
    """Another ledger, asked the same."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def enter(self, name: str, result: Result) -> None:
        """Enters a result."""
        _timed("enter", self._ledger.enter, name, result)

    def results(self, name: str) -> list[Result]:
        """What a list holds."""
        return _timed("results", self._ledger.results, name)

    def claim(self, deal_id: str, label: str, game_id: str) -> bool:
        """Whether a game is the first."""
        return _timed("claim", self._ledger.claim, deal_id, label, game_id)


def _seen(game: Game) -> Game:
    """`game`, noted as what the request is about."""
    notes = observation.notes()
    if notes is not None:
        notes.variant, notes.game_id = game.variant.name, game.id
    return game


def _timed(operation: str, ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `ask` gives, its time noted."""
    notes = observation.notes()
    if notes is None:
        return ask(*args, **kwargs)
    began, failed = time.perf_counter(), False
    try:
        return ask(*args, **kwargs)
    except StoreUnavailableError:
        failed = True
        raise
    finally:
        seconds = time.perf_counter() - began
        notes.calls.append(StoreCall(operation, began - notes.began, seconds, failed))

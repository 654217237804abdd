"""Stores games: one script a write, one hash tag a game, an expiry on every key."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from service.deals.commitment import LIFETIME, Commitment
from service.errors import (
    CommitmentUnknownError,
    CommitmentUsedError,
    GameNotFoundError,
    GameUnreadableError,
    IdempotencyKeyReusedError,
)
from service.records.game import Game
from service.records.results import is_shared
from service.records.timeline import Timeline
from service.store import codec, encoding, event_codec, lua
from service.store.base import CHECKPOINT_PLIES, Change, LinePage, Loaded, Saved
from service.store.idempotency import add_response, encode_responses
from service.store.keys import GAMES, claim_mark, commitment_key, game_id_of, game_keys
from service.store.labels import LabelStore
from service.store.recent import RecentGames
from service.store.request_context import record_game, record_write
from service.store.results import ResultStore
from service.store.tallies import TallyStore

if TYPE_CHECKING:  # gunicorn's master imports this module, and must not load redis-py
    from service.store.executor import Executor

EVENTS_KEPT = 64
"""How many events a log keeps, as the script that saves has it: the latest."""

_REFUSED: dict[bytes, Callable[[], Exception]] = {
    b"gone": GameNotFoundError,
    b"lost": partial(GameUnreadableError, "a part of it is lost"),
    b"over": partial(IdempotencyKeyReusedError, "what has been deleted or has expired"),
    b"unknown": CommitmentUnknownError,
    b"used": CommitmentUsedError,
}
"""Why a script refuses a write."""


class Store:
    """Stores a game under `ast:{<id>}:…`.

    Its keys are `game` (string: the state), `line` (string), `log` (list: the latest events); where
    requests have idempotency keys, `answers` (string); in long games, `checkpoints` (sorted set).
    `used` (string) stays when the game has gone, so that its id does not come back. A commitment is
    stored in the slot of its future game: `commitment` (hash).

    Every method may raise `StoreUnavailableError` and `GameUnreadableError`, and all that load a
    game `GameNotFoundError` if there is none with the id. Every write is one atomic step, and is
    published once it is saved.
    """

    def __init__(self, executor: "Executor", ttl: int, remembered: int) -> None:
        """Games are kept for `ttl`, and all else is `remembered`, in milliseconds."""
        self.result_store = ResultStore(executor, remembered)
        self.label_store = LabelStore(executor, remembered)
        self.tally_store = TallyStore(executor, remembered)
        self._executor = executor
        self._ttl = ttl
        self._remembered = remembered
        self._recent = RecentGames()

    def load(self, game_id: str) -> Game:
        """The game."""
        key = game_keys(game_id).game
        state = self._executor.run("load", key, lambda node: node.get(key))
        return self._recent.game(game_id, state)

    def load_with_answers(self, game_id: str, answer_key: str | None) -> Loaded:
        """The game and its responses, of one moment: what a change is made of."""
        keys = game_keys(game_id)
        read = keys.game, keys.answers, keys.line
        found = self._executor.read("load", lua.READ_ANSWERS, read)
        return self._recent.loaded(game_id, answer_key, *found)

    def recent(self, game_id: str) -> Loaded | None:
        """The game and its responses as this process knows them, without asking the store.

        They may have changed or gone: nothing may be answered by them but what `save` confirms.
        """
        recent = self._recent.find(game_id)
        return None if recent is None else recent.loaded

    def load_page(self, game_id: str, after: int, limit: int) -> LinePage:
        """The game and `limit` moves after ply `after` of one moment, with those that lead to it.

        These begin at the last checkpoint, so that a page costs about the same at every ply.
        """
        keys = game_keys(game_id)
        read = keys.game, keys.line, keys.checkpoints
        found = self._executor.read("load_page", lua.READ_PAGE, read, after, after + limit)
        state, length, checkpoint, moves = found
        game = self._recent.game(game_id, state)
        if length < encoding.line_offset(game.length):
            raise GameUnreadableError("moves of its line are lost")
        ply, position = codec.decode_checkpoint(game.variant, checkpoint)
        # At the end of a line there may be one byte that is no move.
        moves = moves[: len(moves) // encoding.MOVE_BYTES * encoding.MOVE_BYTES]
        return LinePage(game, ply, position, encoding.decode_moves(game.variant, moves))

    def load_whole(self, game_id: str, answer_key: str | None) -> Loaded:
        """The game, its responses and its whole line, of one moment."""
        keys = game_keys(game_id)
        read = keys.game, keys.answers, keys.line
        state, answers, line = self._executor.read("load_line", lua.READ, read)
        loaded = self._recent.loaded(game_id, answer_key, state, answers, len(line or b""))
        game = loaded.game
        return loaded._replace(line=encoding.decode_line(game.variant, line or b"", game.length))

    def save(self, change: Change) -> Saved:
        """Saves `change.game` if what is stored is what it was made of, in one atomic step.

        A game of version 1 is saved if there is none with its id. The step writes the state, the
        moves, the event and the responses, extends the expiry of all of them, and marks the
        commitment that it spends. Raises `GameNotFoundError` if the game has gone,
        `GameUnreadableError` if a part of it has, `IdempotencyKeyReusedError` for a new game whose
        id had one before, `CommitmentUnknownError` and `CommitmentUsedError`.
        """
        saved = self._save(change)
        record_game(saved.game)
        if saved.fresh:
            record_write(saved.game, change.event.kind)
        return saved

    def _save(self, change: Change) -> Saved:
        game = change.game
        state = codec.encode_game(game)
        responses = add_response(change.responses, change.answer_key, state)
        answers = encode_responses(responses, state)
        keys: tuple[str, ...] = game_keys(game.id)
        found, *rest = self._executor.write(
            "save",
            lua.SAVE,
            (*keys, commitment_key(game.id)) if change.spends_commitment else keys,
            change.mark or (codec.encode_version(game.version - 1) if game.version > 1 else ""),
            state,
            answers,
            event_codec.encode_event(change.event, game),
            game.length - len(change.played),
            encoding.encode_line(game.variant, change.played),
            self._ttl,
            _used(change),
            self._remembered,
            *_checkpoints(change),
        )
        if found == b"saved":
            self._recent.keep(game, state, responses, answers)
            return Saved(game, fresh=True)
        if found in _REFUSED:
            raise _REFUSED[found]()
        loaded = self._recent.loaded(game.id, change.answer_key, *rest)
        if game in (loaded.game, loaded.answered):
            # An earlier try was applied, and only its answer was lost.
            self.confirm(game.id)
            return Saved(game, fresh=True)
        if loaded.answered is not None:
            return Saved(loaded.answered, fresh=False, answered=True)
        return Saved(loaded.game, fresh=False)

    def confirm(self, game_id: str) -> None:
        """Returns when the game, or its deletion, is stored as safely as `save` leaves it.

        Before a repeated request is answered: its first write may have ended in an error.
        """
        if self._executor.replicas:
            self._executor.write("confirm", lua.CONFIRM, game_keys(game_id)[:1])

    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Deletes the game if it is at `version`, or at any version by default.

        Whether it is gone now, which it also is if it was not there before.
        """
        expected = "" if version is None else codec.encode_version(version)
        keys = game_keys(game_id)
        (found,) = self._executor.write("delete", lua.DELETE, keys, expected, self._remembered)
        if found == b"gone":
            # It may be an earlier try that removed it, and only its answer was lost.
            self.confirm(game_id)
        return bool(found != b"moved")

    def story(self, game_id: str, known: Timeline | None = None) -> Timeline:
        """The game and its stored events of one moment; `known` if it is still up to date."""
        keys = game_keys(game_id)
        version = codec.encode_version(known.game.version) if known else ""
        read = keys.game, keys.log
        state, entries = self._executor.read("story", lua.READ_STORY, read, version)
        if known and state and entries is None:
            return known
        game = self._recent.game(game_id, state)
        if len(entries) != min(game.version, EVENTS_KEPT):
            raise GameUnreadableError("events of its log are lost")
        versions = range(game.version - len(entries) + 1, game.version + 1)
        events = zip(entries, versions, strict=True)
        return Timeline(game, tuple(event_codec.decode_event(*event, game) for event in events))

    def commit(self, commitment: Commitment, answer_key: str | None = None) -> Commitment:
        """Stores `commitment` for its lifetime, unless there is one with its id; gives the stored.

        `IdempotencyKeyReusedError` if that one has expired; its id is remembered if the request has
        an `answer_key`.
        """
        game = game_keys(commitment.id)
        keys = commitment_key(commitment.id), game.game, game.used
        args = codec.encode_commitment(commitment), LIFETIME * 1000
        marked = self._remembered if answer_key else ""
        found, *rest = self._executor.write("commit", lua.COMMIT, keys, *args, marked)
        if found in _REFUSED:
            raise _REFUSED[found]()
        return codec.decode_commitment(commitment.id, rest[0])

    def commitment(self, id: str) -> Commitment:
        """The commitment, spent or not; `CommitmentUnknownError` if there is none."""
        key = commitment_key(id)
        fields = ["state", "used"]
        state, used = self._executor.run("commitment", key, lambda node: node.hmget(key, fields))
        if state is None:
            raise CommitmentUnknownError
        return replace(codec.decode_commitment(id, state), used=used is not None)

    def game_ids(self) -> Iterator[str]:
        """The id of every game, in no order; some may come twice."""
        yield from map(game_id_of, self._executor.keys(GAMES))

    def ping(self) -> None:
        """Returns if the store answers, and allows all that the service needs, within 200 ms."""
        self._executor.ping()


def _used(change: Change) -> str:
    """What stays of a new game when it has gone, if its id could come back or had a claim."""
    game = change.game
    if game.version > 1:
        return ""
    if game.first_attempt and game.label is not None and is_shared(game.deal):
        return claim_mark(game.deal.id, game.label)
    return "-" if change.answer_key else ""


def _checkpoints(change: Change) -> Iterator[int | bytes]:
    """Ply and position of each new checkpoint, in turn."""
    game, ply = change.game, change.game.ply - len(change.played)
    if game.ply < CHECKPOINT_PLIES:
        return
    for then, position in (*change.positions.items(), (game.ply, game.position)):
        if then // CHECKPOINT_PLIES > ply // CHECKPOINT_PLIES:
            yield from (then, codec.encode_checkpoint(then, position))
            ply = then

"""The store on Redis or Valkey: one script a write, one hash tag a game, an expiry on every key."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from typing_extensions import override

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
from service.store.base import CHECKPOINT_PLIES, Change, LinePage, Loaded, Saved, Store
from service.store.clients import open_nodes
from service.store.diagnostics import check_rights
from service.store.executor import Executor
from service.store.idempotency import add_response, encode_responses
from service.store.keys import GAMES, commitment_key, game_id_of, game_keys
from service.store.labels import RedisLabelStore
from service.store.nodes import Nodes
from service.store.recent import RecentGames
from service.store.request_context import record_game, record_write, timed
from service.store.results import RedisResultStore, claim_mark
from service.store.retry import retry_for, with_retries
from service.store.tallies import RedisTallyStore

ANSWER_TIMEOUT = 1.0
"""Seconds for one answer of a server."""

PING_TIMEOUT = 0.2
"""Seconds for an answer to a ping, and after which a ping is not retried."""

KEYS_PER_SCAN = 1000
"""About how many keys a server looks at for one page of game ids."""

EVENTS_KEPT = 64
"""How many events a log keeps, as the script that saves has it: the latest."""

DAYS_REMEMBERED = 90
"""How long results, first attempts, owners of labels and used ids are remembered.

Longer where games are kept for longer.
"""

_A_DAY = 24 * 60 * 60 * 1000

_REFUSED: dict[bytes, Callable[[], Exception]] = {
    b"gone": GameNotFoundError,
    b"lost": partial(GameUnreadableError, "a part of it is lost"),
    b"over": partial(IdempotencyKeyReusedError, "what has been deleted or has expired"),
    b"unknown": CommitmentUnknownError,
    b"used": CommitmentUsedError,
}
"""Why a script refuses a write."""


class RedisStore(Store):
    """Stores a game under `ast:{<id>}:…`.

    Its keys are `game` (string: the state), `line` (string), `log` (list: the latest events); where
    requests have idempotency keys, `answers` (string); in long games, `checkpoints` (sorted set).
    `used` (string) stays when the game has gone, so that its id does not come back. A commitment is
    stored in the slot of its future game: `commitment` (hash).
    """

    def __init__(self, nodes: Nodes, probe: Nodes, ttl: int, replicas: int = 0) -> None:
        """`nodes` serve commands, `probe` serves health checks; `ttl` is the expiry in seconds.

        A write waits for so many `replicas`.
        """
        self._nodes = nodes
        self._executor = Executor(nodes, replicas)
        self._probe = probe
        self._ttl = ttl * 1000
        self._remembered = max(self._ttl, DAYS_REMEMBERED * _A_DAY)
        self._recent = RecentGames()
        self.result_store = RedisResultStore(self._executor, self._remembered)
        self.label_store = RedisLabelStore(self._executor, self._remembered)
        self.tally_store = RedisTallyStore(self._executor, self._remembered)

    @override
    def load(self, game_id: str) -> Game:
        key = game_keys(game_id).game
        return self._recent.game(
            game_id, self._executor.run("load", key, lambda node: node.get(key))
        )

    @override
    def load_with_answers(self, game_id: str, answer_key: str | None) -> Loaded:
        keys = game_keys(game_id)
        read = keys.game, keys.answers, keys.line
        found = self._executor.read("load", lua.READ_ANSWERS, read)
        return self._recent.loaded(game_id, answer_key, *found)

    @override
    def recent(self, game_id: str) -> Loaded | None:
        recent = self._recent.find(game_id)
        return None if recent is None else recent.loaded

    @override
    def load_page(self, game_id: str, after: int, limit: int) -> LinePage:
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

    @override
    def load_whole(self, game_id: str, answer_key: str | None) -> Loaded:
        keys = game_keys(game_id)
        read = keys.game, keys.answers, keys.line
        state, answers, line = self._executor.read("load_line", lua.READ, read)
        loaded = self._recent.loaded(game_id, answer_key, state, answers, len(line or b""))
        game = loaded.game
        return loaded._replace(line=encoding.decode_line(game.variant, line or b"", game.length))

    @override
    def save(self, change: Change) -> Saved:
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

    @override
    def confirm(self, game_id: str) -> None:
        if self._executor.replicas:
            self._executor.write("confirm", lua.CONFIRM, game_keys(game_id)[:1])

    @override
    def delete(self, game_id: str, version: int | None = None) -> bool:
        expected = "" if version is None else codec.encode_version(version)
        keys = game_keys(game_id)
        (found,) = self._executor.write("delete", lua.DELETE, keys, expected, self._remembered)
        if found == b"gone":
            # It may be an earlier try that removed it, and only its answer was lost.
            self.confirm(game_id)
        return bool(found != b"moved")

    @override
    def story(self, game_id: str, known: Timeline | None = None) -> Timeline:
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

    @override
    def commit(self, commitment: Commitment, answer_key: str | None = None) -> Commitment:
        game = game_keys(commitment.id)
        keys = commitment_key(commitment.id), game.game, game.used
        args = codec.encode_commitment(commitment), LIFETIME * 1000
        marked = self._remembered if answer_key else ""
        found, *rest = self._executor.write("commit", lua.COMMIT, keys, *args, marked)
        if found in _REFUSED:
            raise _REFUSED[found]()
        return codec.decode_commitment(commitment.id, rest[0])

    @override
    def commitment(self, id: str) -> Commitment:
        key = commitment_key(id)
        fields = ["state", "used"]
        state, used = self._executor.run("commitment", key, lambda node: node.hmget(key, fields))
        if state is None:
            raise CommitmentUnknownError
        return replace(codec.decode_commitment(id, state), used=used is not None)

    @override
    def game_ids(self) -> Iterator[str]:
        for node in with_retries(self._nodes.masters):
            cursor = 0
            while True:
                page: Any = with_retries(node.scan, cursor, GAMES, KEYS_PER_SCAN)
                cursor, found = page
                yield from map(game_id_of, found)
                if cursor == 0:
                    break

    @override
    def ping(self) -> None:
        timed("ping", retry_for, PING_TIMEOUT, self._ping)

    def _ping(self) -> None:
        node = random.choice(self._probe.masters())  # noqa: S311 - any of them will do
        self._probe.run_on(node, partial(check_rights, replicas=self._executor.replicas))


def redis_store(url: str, ttl: int, replicas: int = 0) -> RedisStore:
    """The store at `url`, whose writes wait for so many `replicas`; connects later."""
    nodes, probe = open_nodes(url, ANSWER_TIMEOUT), open_nodes(url, PING_TIMEOUT)
    return RedisStore(nodes, probe, ttl, replicas)


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

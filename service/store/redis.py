"""The store on Redis or Valkey: one script a write, one hash tag a game, an expiry on every key."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from redis import Redis
from redis.commands.core import Script
from typing_extensions import override

from service.deals.commitment import LIFETIME, Commitment
from service.errors import (
    CommitmentUnknownError,
    CommitmentUsedError,
    GameNotFoundError,
)
from service.games.moves import Move
from service.records.game import Game
from service.records.timeline import Timeline
from service.store import codec, encoding, event_codec, lua
from service.store.base import Change, Loaded, Saved, Store
from service.store.clients import open_nodes
from service.store.executor import Executor
from service.store.idempotency import add_response, decode_responses, encode_responses
from service.store.keys import GAMES, commitment_key, game_id_of, game_keys
from service.store.nodes import Nodes
from service.store.request_context import record_game, record_write, timed
from service.store.results import RedisResultStore
from service.store.retry import retry_for, with_retries

ANSWER_TIMEOUT = 1.0
"""Seconds for one answer of a server."""

PING_TIMEOUT = 0.2
"""Seconds for an answer to a ping, and after which a ping is not retried."""

KEYS_PER_SCAN = 1000
"""About how many keys a server looks at for one page of game ids."""

_REFUSED: dict[bytes, type[Exception]] = {
    b"gone": GameNotFoundError,
    b"unknown": CommitmentUnknownError,
    b"used": CommitmentUsedError,
}
"""Why a script refuses a write."""


class RedisStore(Store):
    """Stores a game under `ast:{<id>}:…`.

    Its keys are `game` (string: the state), `line` (string), `log` (list: the latest events) and,
    where requests have idempotency keys, `answers` (string). A commitment is stored in the slot of
    its future game: `commitment` (hash).
    """

    def __init__(self, nodes: Nodes, probe: Nodes, ttl: int, replicas: int = 0) -> None:
        """`nodes` serve commands, `probe` serves health checks; `ttl` is the expiry in seconds.

        A write waits for so many `replicas`.
        """
        self._nodes = nodes
        self._executor = Executor(nodes, replicas)
        self._probe = probe
        self._ttl = ttl * 1000
        self.result_store = RedisResultStore(self._executor, self._ttl)

    @override
    def load(self, game_id: str) -> Game:
        key = game_keys(game_id).game
        return _decode(game_id, self._executor.run("load", key, lambda node: node.get(key)))

    @override
    def load_with_answers(self, game_id: str, answer_key: str | None) -> Loaded:
        keys = game_keys(game_id)
        return _loaded(game_id, answer_key, *self._read("load", lua.READ, keys.game, keys.answers))

    @override
    def load_with_line(self, game_id: str) -> tuple[Game, tuple[Move, ...]]:
        keys = game_keys(game_id)
        state, line = self._read("load_line", lua.READ, keys.game, keys.line)
        game = _decode(game_id, state)
        return game, _line(game, line)

    @override
    def load_whole(self, game_id: str, answer_key: str | None) -> Loaded:
        keys = game_keys(game_id)
        found = self._read("load_line", lua.READ, keys.game, keys.answers, keys.line)
        loaded = _loaded(game_id, answer_key, *found[:2])
        return loaded._replace(line=_line(loaded.game, found[2]))

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
        keys = game_keys(game.id)
        found, *rest = self._write(
            "save",
            lua.SAVE,
            (*keys, commitment_key(game.id)) if change.spends_commitment else keys,
            codec.encode_version(game.version - 1) if game.version > 1 else "",
            state,
            encode_responses(responses, state),
            event_codec.encode_event(change.event, game),
            encoding.line_offset(game.ply - len(change.played)),
            encoding.encode_line(game.variant, change.played),
            self._ttl,
        )
        if found == b"saved":
            return Saved(game, fresh=True)
        if found in _REFUSED:
            raise _REFUSED[found]
        loaded = _loaded(game.id, change.answer_key, *rest)
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
            self._write("confirm", lua.CONFIRM, game_keys(game_id)[:1])

    @override
    def delete(self, game_id: str, version: int | None = None) -> bool:
        expected = "" if version is None else codec.encode_version(version)
        (found,) = self._write("delete", lua.DELETE, game_keys(game_id), expected)
        if found == b"gone":
            # It may be an earlier try that removed it, and only its answer was lost.
            self.confirm(game_id)
        return bool(found != b"moved")

    @override
    def story(self, game_id: str, known: Timeline | None = None) -> Timeline:
        keys = game_keys(game_id)
        version = codec.encode_version(known.game.version) if known else ""
        state, entries = self._read("story", lua.READ_STORY, keys.game, keys.log, args=[version])
        if known and state and entries is None:
            return known
        game = _decode(game_id, state)
        versions = range(game.version - len(entries) + 1, game.version + 1)
        events = zip(entries, versions, strict=True)
        return Timeline(game, tuple(event_codec.decode_event(*event, game) for event in events))

    @override
    def commit(self, commitment: Commitment) -> Commitment:
        keys = commitment_key(commitment.id), game_keys(commitment.id).game
        state = codec.encode_commitment(commitment)
        found, *rest = self._write("commit", lua.COMMIT, keys, state, LIFETIME * 1000)
        if found in _REFUSED:
            raise _REFUSED[found]
        return codec.decode_commitment(commitment.id, rest[0])

    @override
    def commitment(self, id: str) -> Commitment:
        key = commitment_key(id)
        state = self._executor.run("commitment", key, lambda node: node.hget(key, "state"))
        if state is None:
            raise CommitmentUnknownError
        return codec.decode_commitment(id, state)

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
        self._probe.run_on(node, Redis.ping)

    def _read(
        self, operation: str, script: Script, *keys: str, args: Sequence[str | bytes] = ()
    ) -> Any:
        return self._executor.run(operation, keys[0], lambda node: script(keys, args, node))

    def _write(
        self, operation: str, script: Script, keys: Sequence[str], *args: str | bytes | int
    ) -> Any:
        return self._executor.write(operation, keys[0], lambda node: script(keys, args, node))


def redis_store(url: str, ttl: int, replicas: int = 0) -> RedisStore:
    """The store at `url`, whose writes wait for so many `replicas`; connects later."""
    nodes, probe = open_nodes(url, ANSWER_TIMEOUT), open_nodes(url, PING_TIMEOUT)
    return RedisStore(nodes, probe, ttl, replicas)


def _decode(game_id: str, state: bytes | None) -> Game:
    """The game that is stored as `state`, recorded as the one that the request is about."""
    if state is None:
        raise GameNotFoundError
    return record_game(codec.decode_game(game_id, state))


def _loaded(
    game_id: str, answer_key: str | None, state: bytes | None, answers: bytes | None
) -> Loaded:
    game, responses = _decode(game_id, state), decode_responses(answers, state or b"")
    then = responses.get(answer_key) if answer_key else None
    return Loaded(game, _decode(game_id, then) if then else None, responses)


def _line(game: Game, line: bytes | None) -> tuple[Move, ...]:
    return encoding.decode_line(game.variant, line or b"", game.length)

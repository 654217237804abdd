"""The store on Redis or Valkey: one script a write, one hash tag a game, an expiry on every key."""

import random
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from redis import Redis
from redis.commands.core import Script
from redis.exceptions import RedisError

from service.deals.commitment import LIFETIME, Commitment
from service.errors import (
    CommitmentUnknownError,
    CommitmentUsedError,
    GameNotFoundError,
)
from service.games.moves import Move
from service.records.game import Game
from service.records.timeline import Timeline
from service.store import codec, encoding, event_codec, lua, request_context
from service.store.base import Change, Loaded, Saved, Store
from service.store.clients import open_nodes
from service.store.executor import Executor, timed
from service.store.idempotency import add_response, decode_responses, encode_responses
from service.store.keys import GAMES, commitment_key, game_id_of, game_keys
from service.store.nodes import Nodes
from service.store.request_context import GameWrite
from service.store.results import RedisResultStore
from service.store.retry import unavailable, with_retries

ANSWER_TIMEOUT = 1.0
PING_TIMEOUT = 0.2
"""Seconds for one answer of a server, and for a ping."""

_REFUSED: dict[bytes, type[Exception]] = {
    b"gone": GameNotFoundError,
    b"unknown": CommitmentUnknownError,
    b"used": CommitmentUsedError,
}
"""What a script finds that stands in the way of a write."""


class RedisStore(Store):
    """Keeps a game under `ast:{<id>}:…`.

    That is `game` (string: the state), `line` (string), `log` (list: the latest events) and, where
    requests bring idempotency keys, `answers` (string). A commitment lies where its game will:
    `commitment` (hash).
    """

    def __init__(self, nodes: Nodes, probe: Nodes, ttl: int, replicas: int = 0) -> None:
        """`nodes` serve commands, `probe` health checks; `ttl` is the expiry in seconds.

        A write waits for so many `replicas`.
        """
        self._nodes = nodes
        self._executor = Executor(nodes, replicas)
        self._probe = probe
        self._ttl = ttl * 1000
        self.result_store = RedisResultStore(self._executor, self._ttl)

    def load(self, game_id: str) -> Game:
        """The game; `GameNotFoundError` if there is none."""
        key = game_keys(game_id).game
        state = self._executor.run("load", key, lambda node: node.get(key))
        return _noted(_decode(game_id, state))

    def load_with_answers(self, game_id: str, answer_key: str | None) -> Loaded:
        """The game and the responses that it keeps, of one moment: what a change is made of."""
        keys = game_keys(game_id)
        found = self._read("load", lua.READ, keys.game, keys.answers)
        loaded = _loaded(game_id, answer_key, *found)
        _noted(loaded.game)
        return loaded

    def load_with_line(self, game_id: str) -> tuple[Game, tuple[Move, ...]]:
        """The game and all moves of its line, those that wait to be redone last, of one moment."""
        keys = game_keys(game_id)
        state, line = self._read("load_line", lua.READ, keys.game, keys.line)
        game = _noted(_decode(game_id, state))
        return game, encoding.decode_line(game.variant, line or b"", game.length)

    def save(self, change: Change) -> Saved:
        """Keeps `change.game` if the kept version is the one before it, in one atomic step."""
        saved = self._saved(change)
        game, notes = _noted(saved.game), request_context.request_context()
        if saved.fresh and notes is not None:
            fairness = game.deal.fairness
            notes.game_write = GameWrite(
                game.variant.name, fairness, change.event.kind, game.status
            )
        return saved

    def _saved(self, change: Change) -> Saved:
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

    def confirm(self, game_id: str) -> None:
        """Returns when the game, or that it is gone, is kept as safely as `save` leaves it."""
        if self._executor.replicas:
            self._write("confirm", lua.CONFIRM, game_keys(game_id)[:1])

    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Removes the game if it is at `version`, or at any without one; whether it is gone."""
        expected = "" if version is None else codec.encode_version(version)
        (found,) = self._write("delete", lua.DELETE, game_keys(game_id), expected)
        if found == b"gone":
            # It may be an earlier try that removed it, and only its answer was lost.
            self.confirm(game_id)
        return bool(found != b"moved")

    def story(self, game_id: str, known: Timeline | None = None) -> Timeline:
        """The game and its kept events of one moment; `known` if the game is still as it tells."""
        keys, version = (
            game_keys(game_id),
            codec.encode_version(known.game.version) if known else "",
        )
        state, entries = self._read("story", lua.READ_STORY, keys.game, keys.log, args=[version])
        if known and state and entries is None:
            return known
        game = _decode(game_id, state)
        versions = range(game.version - len(entries) + 1, game.version + 1)
        events = zip(entries, versions, strict=True)
        return Timeline(game, tuple(event_codec.decode_event(*event, game) for event in events))

    def commit(self, commitment: Commitment) -> Commitment:
        """Keeps `commitment` for its lifetime, and gives the one that is kept under its id."""
        keys = commitment_key(commitment.id), game_keys(commitment.id).game
        state = codec.encode_commitment(commitment)
        found, *rest = self._write("commit", lua.COMMIT, keys, state, LIFETIME * 1000)
        if found in _REFUSED:
            raise _REFUSED[found]
        return codec.decode_commitment(commitment.id, rest[0])

    def commitment(self, id: str) -> Commitment:
        """The commitment, spent or not; `CommitmentUnknownError` if none is kept."""
        key = commitment_key(id)
        state = self._executor.run("commitment", key, lambda node: node.hget(key, "state"))
        if state is None:
            raise CommitmentUnknownError
        return codec.decode_commitment(id, state)

    def game_ids(self) -> Iterator[str]:
        """The id of every kept game, in no order; some may come twice."""
        for node in with_retries(self._nodes.masters):
            cursor = 0
            while True:
                cursor, found = with_retries(partial(_scan, node, cursor))
                yield from map(game_id_of, found)
                if cursor == 0:
                    break

    def ping(self) -> None:
        """Returns if the store answers within 200 ms; raises `StoreUnavailableError`."""
        timed("ping", self._ping)

    def _ping(self) -> None:
        deadline = time.monotonic() + PING_TIMEOUT
        while True:
            try:
                node = random.choice(self._probe.masters())  # noqa: S311 - any of them will do
                self._probe.run(node, Redis.ping)
            except RedisError as error:
                if time.monotonic() >= deadline:
                    raise unavailable(error) from None
                time.sleep(0.01)  # it has closed an idle connection, or another one serves
            else:
                return

    def _read(
        self, operation: str, script: Script, *keys: str, args: Sequence[str | bytes] = ()
    ) -> Any:
        return self._executor.run(operation, keys[0], lambda node: script(keys, args, node))

    def _write(
        self, operation: str, script: Script, keys: Sequence[str], *args: str | bytes | int
    ) -> Any:
        return self._executor.write(operation, keys[0], lambda node: script(keys, args, node))


def redis_store(url: str, ttl: int, replicas: int = 0) -> RedisStore:
    """The store at `url`, whose writes wait for so many `replicas`; opens nothing yet."""
    nodes, probe = open_nodes(url, ANSWER_TIMEOUT), open_nodes(url, PING_TIMEOUT)
    return RedisStore(nodes, probe, ttl, replicas)


def _scan(node: Redis, cursor: int) -> Any:
    """A new cursor, 0 at the end, and the keys of some games."""
    return node.scan(cursor, GAMES, 1000)


def _decode(game_id: str, state: bytes | None) -> Game:
    if state is None:
        raise GameNotFoundError
    return codec.decode_game(game_id, state)


def _loaded(
    game_id: str, answer_key: str | None, state: bytes | None, beside: bytes | None
) -> Loaded:
    """What a game's state and the responses beside it say."""
    game, responses = _decode(game_id, state), decode_responses(beside, state or b"")
    then = responses.get(answer_key) if answer_key else None
    return Loaded(game, _decode(game_id, then) if then else None, responses)


def _noted(game: Game) -> Game:
    """`game`, noted as the one that the request is about."""
    notes = request_context.request_context()
    if notes is not None:
        notes.variant, notes.game_id = game.variant.name, game.id
    return game

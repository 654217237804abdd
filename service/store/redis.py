"""The store on Redis or Valkey: one script a write, one hash tag a game, an expiry on every key."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from redis.exceptions import RedisError

from service.commitments import LIFETIME, Commitment
from service.errors import (
    CommitmentUnknownError,
    CommitmentUsedError,
    GameNotFoundError,
)
from service.game import Game
from service.moves import Move
from service.store import codec, encoding, event_codec
from service.store.address import read_address
from service.store.base import Change, Loaded, Saved, Store
from service.store.idempotency import add_response, decode_responses, encode_responses
from service.store.ledger import RedisLedger
from service.store.patience import patient, unavailable
from service.store.replicas import Replicated
from service.store.script import Script
from service.store.wire import OwnWire, Send, SharedWire, Wire, servers_at
from service.story import Story

ANSWER_TIMEOUT = 1.0
PING_TIMEOUT = 0.2
"""Seconds for one answer of a server, and for a ping."""

READ, STORY, CONFIRM = Script("read.lua"), Script("read_story.lua"), Script("confirm.lua")
SAVE, DELETE, COMMIT = Script("save.lua"), Script("delete.lua"), Script("commit.lua")

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

    def __init__(
        self,
        send: Send,
        probe: Send,
        ttl: int,
        keep: Send | None = None,
        shards: Callable[[], Sequence[Send]] | None = None,
    ) -> None:
        """`send` serves commands, `probe` health checks; `ttl` is the expiry in seconds.

        `keep` serves those after which a game is told to have changed, `shards` gives a way to
        each server that keeps games of its own; without them there is one, which serves all.
        """
        self._try = patient(send)
        self._keep = patient(keep) if keep else self._try
        self._shards = shards or (lambda: [send])
        self._probe = probe
        self._ttl = ttl * 1000
        self.ledger = RedisLedger(self._try, self._ttl)

    def load(self, game_id: str) -> Game:
        """The game; `GameNotFoundError` if there is none."""
        return _decode(game_id, self._try("GET", _keys(game_id).game))

    def load_with_answers(self, game_id: str, answer_key: str | None) -> Loaded:
        """The game and the responses that it keeps, of one moment: what a change is made of."""
        keys = _keys(game_id)
        return _loaded(game_id, answer_key, *self._try(*READ.call((keys.game, keys.answers))))

    def load_with_line(self, game_id: str) -> tuple[Game, tuple[Move, ...]]:
        """The game and all moves of its line, those that wait to be redone last, of one moment."""
        keys = _keys(game_id)
        state, line = self._try(*READ.call((keys.game, keys.line)))
        game = _decode(game_id, state)
        return game, encoding.decode_line(game.variant, line or b"", game.length)

    def save(self, change: Change) -> Saved:
        """Keeps `change.game` if the kept version is the one before it, in one atomic step."""
        game = change.game
        state = codec.encode_game(game)
        responses = add_response(change.responses, change.answer_key, state)
        keys = _keys(game.id)
        command = SAVE.call(
            (*keys, _commitment_key(game.id)) if change.spends_commitment else keys,
            codec.encode_version(game.version - 1) if game.version > 1 else "",
            state,
            encode_responses(responses, state),
            event_codec.encode_event(change.event, game),
            encoding.line_offset(game.ply - len(change.played)),
            encoding.encode_line(game.variant, change.played),
            self._ttl,
        )
        found, *rest = self._keep(*command)
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
        if self._keep is not self._try:
            self._keep(*CONFIRM.call(_keys(game_id)[:1]))

    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Removes the game if it is at `version`, or at any without one; whether it is gone."""
        expected = "" if version is None else codec.encode_version(version)
        (found,) = self._keep(*DELETE.call(_keys(game_id), expected))
        if found == b"gone":
            # It may be an earlier try that removed it, and only its answer was lost.
            self.confirm(game_id)
        return bool(found != b"moved")

    def story(self, game_id: str, known: Story | None = None) -> Story:
        """The game and its kept events of one moment; `known` if the game is still as it tells."""
        keys, version = _keys(game_id), codec.encode_version(known.game.version) if known else ""
        state, entries = self._try(*STORY.call((keys.game, keys.log), version))
        if known and state and entries is None:
            return known
        game = _decode(game_id, state)
        versions = range(game.version - len(entries) + 1, game.version + 1)
        events = zip(entries, versions, strict=True)
        return Story(game, tuple(event_codec.decode_event(*event, game) for event in events))

    def commit(self, commitment: Commitment) -> Commitment:
        """Keeps `commitment` for its lifetime, and gives the one that is kept under its id."""
        keys = _commitment_key(commitment.id), _keys(commitment.id).game
        state = codec.encode_commitment(commitment)
        found, *rest = self._keep(*COMMIT.call(keys, state, LIFETIME * 1000))
        if found in _REFUSED:
            raise _REFUSED[found]
        return codec.decode_commitment(commitment.id, rest[0])

    def commitment(self, id: str) -> Commitment:
        """The commitment, spent or not; `CommitmentUnknownError` if none is kept."""
        state = self._try("HGET", _commitment_key(id), "state")
        if state is None:
            raise CommitmentUnknownError
        return codec.decode_commitment(id, state)

    def game_ids(self) -> Iterator[str]:
        """The id of every kept game, in no order; some may come twice."""
        for scan in map(patient, patient(self._shards)()):
            cursor = b"0"
            while True:
                cursor, found = scan("SCAN", cursor, "MATCH", "ast:{*}:game", "COUNT", 1000)
                yield from (key.decode()[len("ast:{") : -len("}:game")] for key in found)
                if cursor == b"0":
                    break

    def ping(self) -> None:
        """Returns if the store answers within 200 ms; raises `StoreUnavailableError`."""
        deadline = time.monotonic() + PING_TIMEOUT
        while True:
            try:
                self._probe("PING")
            except RedisError as error:
                if time.monotonic() >= deadline:
                    raise unavailable(error) from None
                time.sleep(0.01)  # it has closed an idle connection, or another one serves
            else:
                return


def redis_store(url: str, ttl: int, replicas: int = 0) -> RedisStore:
    """The store at `url`, whose writes wait for so many `replicas`; opens nothing yet."""
    return _store(url, ttl, replicas, OwnWire)


def shared_redis_store(url: str, ttl: int) -> RedisStore:
    """The store at `url` over one connection for all threads: for a process of many that read."""
    return _store(url, ttl, 0, SharedWire)


def _store(url: str, ttl: int, replicas: int, kind: type[Wire]) -> RedisStore:
    servers = servers_at(read_address(url))
    wire = kind(servers, ANSWER_TIMEOUT)
    keep = Replicated(wire, servers, replicas) if replicas else None
    return RedisStore(wire, OwnWire(servers, PING_TIMEOUT), ttl, keep, wire.shards)


class _Keys(NamedTuple):
    """The keys of a game, in one slot of a cluster; `events` is the channel of its news."""

    game: str
    line: str
    log: str
    answers: str
    events: str


def _keys(game_id: str) -> _Keys:
    return _Keys(*(f"ast:{{{game_id}}}:{part}" for part in _Keys._fields))


def _commitment_key(id: str) -> str:
    """The key of a commitment, in the slot of the game that will be made of it."""
    return f"ast:{{{id}}}:commitment"


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

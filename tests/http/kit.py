"""What the tests over HTTP share: services in memory, games to play at, and stores compared."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import fakeredis
import pytest
from flask import Flask

from service.api.app import create_app
from service.config import Settings
from service.deals.deal import Deal, PublicDeal, start_position
from service.games import VARIANTS
from service.games.base import Position
from service.games.boards import parse_position
from service.play import keys
from service.play.compute_pool import ComputePool
from service.play.keys import ServerKey
from service.play.watcher_slots import DEFAULT_WATCHER_LIMITS
from service.play.watching import WatchHub
from service.records.events import Event
from service.records.game import Game, Outcome, Receipt
from service.store import Change, Store
from service.store.nodes import SingleNode
from service.store.pubsub import listen
from service.store.redis import store_on
from tests.conftest import CONTRACT, TTL
from tests.support.api import Answer, Api, Player, in_process
from tests.support.servers import SERVER_KEY

KEY = "0b0f7c1e-6d0a-4c39-9b61-5f0e2d7f7c11"
OTHER_KEY = "7d3c9a52-11f0-4b8e-8a77-c2c9e1d8a004"
UNKNOWN_ID = "a" * 26
"""A well-formed id that no game has."""

TODAY, TOMORROW = "2026-11-30", "2026-12-01"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
MIDNIGHT = datetime(2026, 12, 1, tzinfo=UTC).timestamp()

ACTIONS = ("moves", "undo", "redo", "hint", "resignation")
"""What can be posted to a game."""
WRITES = ("games", "commitments", *ACTIONS)
"""What makes or changes something."""
POSTS = (*WRITES, "referee/verify", "referee/positions")
"""Everything that can be posted to."""

every_variant = pytest.mark.parametrize("variant", VARIANTS)

WON_DEAL = 2
_WON = """
t5f1 t1f1 t7f2 t14f1 t10f1 t16f1 t13f1 t17f1 t11f1 t3f1 t4f1 t9f1 t2f1 t6f1 t15f1 t1f1 t9f1 t8f1
t16f1 t2f1 t1f1 t4f1 t9f1 t6f1 t17f1 t14f1 t6f1 t15f1 t2f1 t12f1 t13f1 t5f1 t17f1 t10f1 t2f2 t3f2
t3f1 t8f1 t15f1 t5f1 t5f1 t4f1 t4f2 t11f2 t11f1 t8f1 t11f1 t10f1 t15f2 t7f2 t12f2 t13f2 t17f2 t8f2
t7f2 t6f2 t14f2 t7f1 t10f1 t8f1 t11f1 t10f1 t15f1 t4f1 t4f2 t12f2 t10f2 t17f2 t11f1 t5f1 t5f2 t3f2
t3f1 t7f1 t3f1 t15f1 t17f2 t1f2 t1f2 t12f2 t9f2 t14f2 t2f2 t6f2 t9f2 t16f2 t16f1 t12f1 t9f2 t13f2
t13f1 t14f1 t2f2 t1f2 t7f1 t6f1 t14f2 t16f2 t12f2 t13f2 t16f1 t8f1
"""
WON_LINE = _WON.split()
"""A whole game of Binary Star, deal 2, to the win; no transfer among its moves."""

_RANKS = "KQJT98765432A"
NEARLY_WON = "\n".join(
    [
        f"t1: {' '.join(rank + 'C' for rank in _RANKS)}",
        *(
            f"f{n}: {' '.join(rank + suit for rank in _RANKS)}"
            for n, suit in enumerate("CDDHHSS", 2)
        ),
    ]
)
"""Astrocyte, one run of clubs short of the win."""


class InMemoryService:
    """A service of its own with a store of its own."""

    def __init__(self, key: str = SERVER_KEY, **settings: Any) -> None:
        self.fake = fakeredis.FakeRedis()
        self.store = store_on(SingleNode(self.fake), SingleNode(self.fake), TTL)
        set_up = Settings(ServerKey(key.encode()), "redis://nowhere", **{"limits": {}, **settings})
        self.watch = WatchHub(self.store, partial(listen, self.fake.pubsub), DEFAULT_WATCHER_LIMITS)
        self.app = create_app(set_up, self.store, self.watch, ComputePool(set_up.searches))
        self.api = Api(in_process(self.app), CONTRACT)


def app_on(store: Store, settings: Settings) -> Flask:
    """An application that serves the games in `store`, and hears of no changes to them."""
    watch = WatchHub(store, lambda: iter(()), DEFAULT_WATCHER_LIMITS)
    return create_app(settings, store, watch, ComputePool(settings.searches))


def instance_on(store: Store, key: ServerKey | None = None, **settings: Any) -> Api:
    """A client of another instance of the service, on `store`."""
    key = key or ServerKey(SERVER_KEY.encode())
    return Api(in_process(app_on(store, Settings(key, "redis://nowhere", **settings))), CONTRACT)


def dump(fake: fakeredis.FakeRedis) -> dict[bytes, tuple[bytes, int]]:
    """Everything the store holds, and when each key expires."""
    do = fake.execute_command
    return {key: (do("DUMP", key), do("PEXPIRETIME", key)) for key in do("KEYS", "*")}


def game_keys(fake: fakeredis.FakeRedis) -> set[bytes]:
    """All keys of games; results and first attempts stay when these have gone."""
    return set(fake.execute_command("KEYS", "ast:{*"))


@contextmanager
def nothing_changes(fake: fakeredis.FakeRedis) -> Iterator[None]:
    """The store holds the same before and after the block."""
    before = dump(fake)
    yield
    assert dump(fake) == before


def frozen(fake: fakeredis.FakeRedis) -> Callable[[], None]:
    """A way to bring back what the store holds now; whatever else it holds then stays."""
    do, held = fake.execute_command, dump(fake)

    def restore() -> None:
        do("DEL", *held)
        for key, (value, expiry) in held.items():
            do("RESTORE", key, 0, value)
            do("PEXPIREAT", key, expiry)

    return restore


def put(
    api: Api,
    store: Store,
    board: str,
    variant: str = "astrocyte",
    deal: Deal | None = None,
) -> Player:
    """A player at a game that stands as `board` shows, whatever its deal would have laid out."""
    game = Game(
        id=keys.new_game_id(),
        deal=deal or PublicDeal(VARIANTS[variant], 1),
        position=parse_position(VARIANTS[variant], board),
        created_at=1_000,
        updated_at=1_000,
        receipt=Receipt(keys.fingerprint(b"created"), Outcome()),
    )
    store.save(Change(game, Event(1, "created", 1_000), {}))
    token = ServerKey(SERVER_KEY.encode()).play_token(game.id, game.epoch)
    return Player(api, api.get(f"/v1/games/{game.id}").json, token)


def play_on(player: Player, length: int, seed: int = 1) -> Player:
    """Plays `length` moves chosen by `seed`, with some undone on the way."""
    choice = random.Random(seed)
    for _ in range(length):
        if player.game["legal_moves"]:
            player.play(choice.choice(player.game["legal_moves"]))
        if choice.random() < 0.2:
            player.undo()
    return player


def every_pile(position: Position) -> list[dict[str, Any]]:
    """A position as the referee takes it."""
    return [
        {"id": pile.id, "under": list(under), "cards": list(pile.cards)}
        for pile, under in zip(position.view.piles, position.under, strict=True)
    ]


@dataclass
class Endpoint:
    """An endpoint that takes POST, and a player at a game where a good request is accepted."""

    name: str
    player: Player

    @property
    def path(self) -> str:
        return f"{self.player.path if self.name in ACTIONS else '/v1'}/{self.name}"

    @property
    def good(self) -> dict[str, Any]:
        """A body that is accepted."""
        if self.name == "games":
            return {"variant": "astrocyte", "deal": {"number": "7"}, "label": "evening"}
        if self.name == "commitments":
            return {}
        if self.name == "referee/verify":
            return {"variant": "astrocyte", "deal": {"number": "1"}, "moves": ["t7t2", "t4t3"]}
        if self.name == "referee/positions":
            start = start_position(PublicDeal(VARIANTS["astrocyte"], 1))
            return {"variant": "astrocyte", "piles": every_pile(start), "moves": ["t7t2"]}
        body: dict[str, Any] = {"version": self.player.version}
        if self.name == "moves":
            return {**body, "moves": self.player.game["legal_moves"][:1]}
        return {**body, "steps": 1} if self.name in ("undo", "redo") else body

    def meanwhile(self) -> None:
        """Somebody else plays: the last legal move of the game."""
        self.player.read()
        assert self.player.play(self.player.game["legal_moves"][-1]).status == 200

    def post(self, body: Any = None, *, raw: bytes | None = None, **headers: str) -> Answer:
        """Posts `body` as JSON, or `raw` as it is, with the token of the game."""
        data = json.dumps(body).encode() if raw is None else raw
        return self.player.api.request("POST", self.path, raw=data, **self.player.bearer | headers)


def ready(api: Api, variant: str = "astrocyte") -> Player:
    """A player at a game where everything is possible, at version 4: move, undo, redo, resign."""
    number, moves = {"astrocyte": (1, ["t3c1", "t3t4"]), "binary-star": (WON_DEAL, WON_LINE[:2])}[
        variant
    ]
    player = api.new_game(variant, number)
    for move in moves:
        player.play(move)
    player.undo(Idempotency_Key="a-key-of-the-past")
    assert (player.game["can"]["undo"], player.game["can"]["redo"]) == (True, True)
    return player


def table(game: Any) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Each pile of a game by its id: how many cards it hides, and those it shows."""
    return {pile["id"]: (pile["hidden"], tuple(pile["cards"])) for pile in game["piles"]}


def without(game: Any, *members: str) -> Any:
    """A game less some of its members."""
    return {name: value for name, value in game.items() if name not in members}


def known(answer: Answer) -> tuple[int, str]:
    """The status and the code of a problem."""
    return answer.status, answer.code


def faults(answer: Answer) -> list[str]:
    """Where a request is invalid: the pointers, parameters or headers that its refusal names."""
    assert known(answer) == (422, "invalid-request")
    names = ("pointer", "parameter", "header")
    return [next(fault[n] for n in names if n in fault) for fault in answer.json["errors"]]


def assert_replayed(again: Answer, first: Answer) -> None:
    """The stored response of an earlier request is sent again."""
    assert (again.status, again.body) == (first.status, first.body)
    for name in ("ETag", "Location"):
        assert again.headers[name] == first.headers[name]
    assert again.headers["Idempotency-Replayed"] == "true"

"""Players who go on whatever happens to the service, and who know what they have been told."""

import http.client
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import cycle, islice
from typing import Any, Protocol
from uuid import uuid4

from redis import Redis

from service.games import VARIANTS
from service.games.moves import parse_move
from tests.contract.contract import Contract
from tests.support.api import Answer, Api, over_http
from tests.support.servers import Service, until
from tests.support.walks import played, start

PATIENCE = 60.0
"""Seconds after which a player takes the game for lost."""


class Keeper(Protocol):
    """Whatever keeps games, for looking at what is kept."""

    def client(self) -> Redis:
        """A plain client."""


class SteadyPlayer:
    """Plays a game through several instances of the service, one request after the other.

    A request that is answered by 503, or whose connection is cut, is sent again as it was through
    the next instance.
    """

    def __init__(self, apis: Sequence[Api], variant: str, number: int) -> None:
        self.apis = list(apis)
        self._variant, self._number = variant, number
        self._choice = random.Random(number)
        self.unavailable = self.cut = 0
        self.refusal = ""
        deal = {"number": str(number)}
        key = str(uuid4())
        created = self._insist(
            lambda api: api.post(
                "/v1/games", {"variant": variant, "deal": deal}, Idempotency_Key=key
            )
        )
        assert created.status == 201, created.body
        self._history = [(created.json["game"], tuple[str, ...]())]
        self._headers = {"Authorization": f"Bearer {created.json['play_token']}"}

    @property
    def told(self) -> Any:
        """The game as the latest success told it."""
        return self._history[-1][0]

    @property
    def line(self) -> tuple[str, ...]:
        """The moves that were told to be played."""
        return self._history[-1][1]

    @property
    def times(self) -> list[datetime]:
        """When the game was told to have changed, version by version."""
        return [datetime.fromisoformat(game["updated_at"]) for game, _ in self._history]

    @property
    def accepted(self) -> int:
        """How many requests were told to be accepted, after the game's creation."""
        return len(self._history) - 1

    @property
    def path(self) -> str:
        """Where the game is."""
        return f"/v1/games/{self.told['id']}"

    def turn(self) -> None:
        """Plays a move or takes one back, however often that has to be sent."""
        legal = self.told["legal_moves"]
        if legal and (not self.line or self._choice.random() < 0.9):
            move = self._choice.choice(legal)
            self._write("moves", {"moves": [move]}, (*self.line, move))
        else:
            self._write("undo", {"steps": 1}, self.line[:-1])

    def fall_back(self, api: Api) -> None:
        """Takes note that the latest versions are gone; the game must be as it was told before."""
        version = api.get(self.path).json["version"]
        assert 1 <= version <= self.told["version"]
        del self._history[version:]

    @property
    def key(self) -> str:
        """The key of the game in the store."""
        return f"ast:{{{self.told['id']}}}:game"

    def check(self, store: Keeper, apis: Sequence[Api]) -> None:
        """Holds the game, as `apis` tell it and `store` keeps it, against what was told of it."""
        assert self.told["version"] == 1 + self.accepted
        for api in apis:
            assert api.get(self.path).json == self.told
            assert _line(api, self.path) == self.line
        walk = played(start(VARIANTS[self._variant], self._number), map(parse_move, self.line))
        assert self.told["piles"] == [
            {"id": pile.id, "kind": pile.kind, "hidden": pile.hidden, "cards": list(pile.cards)}
            for pile in walk.end.view.piles
        ]
        with store.client() as client:
            for part in ("game", "line", "log"):
                assert client.pttl(self.key.replace("game", part)) > 0, part

    def _write(self, action: str, body: Any, line: tuple[str, ...]) -> None:
        whole = {"version": self.told["version"], **body}
        answer = self._insist(lambda api: api.post(f"{self.path}/{action}", whole, **self._headers))
        assert answer.status == 200, answer.body
        assert answer.json["game"]["version"] == self.told["version"] + 1
        self._history.append((answer.json["game"], line))

    def _insist(self, send: Callable[[Api], Answer]) -> Answer:
        """The first answer that is no 503."""
        until_then = time.monotonic() + PATIENCE
        while time.monotonic() < until_then:
            try:
                answer = send(self.apis[0])
            except (OSError, http.client.HTTPException):
                self.cut += 1
            else:
                if answer.status != 503:
                    return answer
                assert answer.headers["Retry-After"]
                self.unavailable += 1
                self.refusal = answer.json["detail"]
            self.apis.append(self.apis.pop(0))
            time.sleep(0.05)
        raise AssertionError(f"no success in {PATIENCE} s")


class Company:
    """Several steady players, each in a thread of its own."""

    def __init__(self, players: Sequence[SteadyPlayer]) -> None:
        self.players = players
        self._failed: list[BaseException] = []
        self._over = threading.Event()

    def go_on(self, turns: int) -> None:
        """Waits until everybody has made so many turns from now on."""
        due = [player.accepted + turns for player in self.players]

        def there() -> bool:
            done = (p.accepted >= n for p, n in zip(self.players, due, strict=True))
            return bool(self._failed) or all(done)

        until(there, PATIENCE)
        if self._failed:
            raise self._failed[0]

    @property
    def unavailable(self) -> int:
        """How many requests have been answered by 503 so far."""
        return sum(player.unavailable for player in self.players)

    @property
    def cut(self) -> int:
        """How many requests have not been answered at all so far."""
        return sum(player.cut for player in self.players)

    def __enter__(self) -> "Company":
        self._threads = [
            threading.Thread(target=self._play, args=(player,)) for player in self.players
        ]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        if failure == (None, None, None):
            self.go_on(0)

    def _play(self, player: SteadyPlayer) -> None:
        try:
            while not self._over.is_set():
                player.turn()
        except BaseException as error:
            self._failed.append(error)


def _line(api: Api, path: str) -> tuple[str, ...]:
    """The line of play of a game, page by page."""
    line: list[str] = []
    while items := api.get(f"{path}/moves?limit=500&after={len(line)}").json["items"]:
        line += [item["move"] for item in items]
    return tuple(line)


@contextmanager
def at_play(
    services: Sequence[Service],
    kept_by: Callable[[str], Keeper],
    contract: Contract,
    count: int = 4,
) -> Iterator[Company]:
    """A company that plays through `services` while the block lasts.

    Then everybody finishes their turn, and each game is held against what was told of it;
    `kept_by` tells which server keeps a key.
    """
    with ExitStack() as ways:
        company = Company(
            [
                SteadyPlayer(
                    [Api(ways.enter_context(over_http(s.port)), contract) for s in services],
                    variant,
                    number,
                )
                for number, variant in enumerate(islice(cycle(VARIANTS), count), 1)
            ]
        )
        with company:
            yield company
        for player in company.players:
            player.check(kept_by(player.key), player.apis)

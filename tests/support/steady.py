"""Players who go on whatever happens to the service, and who remember every response."""

import http.client
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import cycle, islice
from typing import Any
from uuid import uuid4

from service.games import VARIANTS
from service.games.moves import parse_move
from tests.contract.contract import Contract
from tests.support.api import Answer, Api, over_http
from tests.support.servers import Service, until
from tests.support.walks import played, start

PATIENCE = 60.0
"""Seconds after which a player gives up."""


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
        body, key = {"variant": variant, "deal": {"number": str(number)}}, str(uuid4())
        created = self._insist(lambda api: api.post("/v1/games", body, Idempotency_Key=key))
        assert created.status == 201, created.body
        self._history = [(created.json["game"], tuple[str, ...]())]
        self._headers = {"Authorization": f"Bearer {created.json['play_token']}"}

    @property
    def game(self) -> Any:
        """The game as the latest success showed it."""
        return self._history[-1][0]

    @property
    def line(self) -> tuple[str, ...]:
        """The moves that were accepted and not undone."""
        return self._history[-1][1]

    @property
    def times(self) -> list[datetime]:
        """When the game was said to have changed, version by version."""
        return [datetime.fromisoformat(game["updated_at"]) for game, _ in self._history]

    @property
    def accepted(self) -> int:
        """How many requests were accepted after the game's creation."""
        return len(self._history) - 1

    @property
    def path(self) -> str:
        """The path of the game."""
        return f"/v1/games/{self.game['id']}"

    @property
    def key(self) -> str:
        """The key of the game in the store."""
        return f"ast:{{{self.game['id']}}}:game"

    def turn(self) -> None:
        """Plays a move or undoes one, however often that has to be sent."""
        legal = self.game["legal_moves"]
        if legal and (not self.line or self._choice.random() < 0.9):
            move = self._choice.choice(legal)
            self._write("moves", {"moves": [move]}, (*self.line, move))
        else:
            self._write("undo", {"steps": 1}, self.line[:-1])

    def fall_back(self, api: Api) -> None:
        """Accepts that the store has lost the latest versions."""
        version = api.get(self.path).json["version"]
        assert 1 <= version <= self.game["version"]
        del self._history[version:]

    def check(self, store: Any, apis: Sequence[Api]) -> None:
        """Compares the game, as `apis` show it and `store` holds it, with the responses so far."""
        assert self.game["version"] == 1 + self.accepted
        for api in apis:
            assert api.get(self.path).json == self.game
            assert _line(api, self.path) == self.line
        walk = played(start(VARIANTS[self._variant], self._number), map(parse_move, self.line))
        assert self.game["piles"] == [
            {**pile._asdict(), "cards": list(pile.cards)} for pile in walk.end.view.piles
        ]
        with store.client() as client:
            for part in ("game", "line", "log"):
                assert client.pttl(self.key.replace("game", part)) > 0, part

    def _write(self, action: str, body: Any, line: tuple[str, ...]) -> None:
        whole = {"version": self.game["version"], **body}
        answer = self._insist(lambda api: api.post(f"{self.path}/{action}", whole, **self._headers))
        assert answer.status == 200, answer.body
        assert answer.json["game"]["version"] == self.game["version"] + 1
        self._history.append((answer.json["game"], line))

    def _insist(self, send: Callable[[Api], Answer]) -> Answer:
        """The first answer that is no 503."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
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
    store_of: Callable[[str], Any],
    contract: Contract,
    count: int = 4,
) -> Iterator[Company]:
    """A company that plays through `services` while the block lasts.

    Then everybody finishes their turn, and each game is compared with the responses about it;
    `store_of` gives the server that holds a key, which has a `client()`.
    """
    with ExitStack() as connections:
        company = Company(
            [
                SteadyPlayer(
                    [Api(connections.enter_context(over_http(s.port)), contract) for s in services],
                    variant,
                    number,
                )
                for number, variant in enumerate(islice(cycle(VARIANTS), count), 1)
            ]
        )
        with company:
            yield company
        for player in company.players:
            player.check(store_of(player.key), player.apis)

"""A client of the service for tests; every answer it gets is held against the contract."""

import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from flask import Flask

from tests.contract.contract import Contract

Headers = dict[str, str]
Sent = tuple[int, list[tuple[str, str]], bytes]
Transport = Callable[[str, str, Headers, bytes | None], Sent]


@dataclass(frozen=True)
class Answer:
    """An answer of the service."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of the problem that this answer is."""
        return self.json["code"]


class Api:
    """Sends requests and checks that each answer is one that the contract promises."""

    def __init__(self, transport: Transport, contract: Contract) -> None:
        self._transport = transport
        self._contract = contract

    def request(
        self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str
    ) -> Answer:
        """Sends `body` as JSON, or `raw` as it is; `_` in names of headers stands for `-`."""
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        status, received, content = self._transport(method, path, sent, data)
        message = http.client.HTTPMessage()
        for name, value in received:
            message[name] = value
        if method not in {"OPTIONS", "HEAD"}:
            self._contract.check(method, path.partition("?")[0], status, received, content)
        return Answer(status, message, content)

    def get(self, path: str, **headers: str) -> Answer:
        """A GET."""
        return self.request("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """A POST of JSON."""
        return self.request("POST", path, body, **headers)

    def new_game(self, variant: str, number: int | None = None, **more: Any) -> "Player":
        """A player at a new game: of a numbered deal, or of a random one."""
        deal = {"random": True} if number is None else {"number": str(number)}
        return self.begin({"variant": variant, "deal": deal, **more})

    def fair_game(self, variant: str, player_seed: str) -> "Player":
        """A player at a new game of a commitment and a seed that was brought."""
        id = self.post("/v1/commitments").json["commitment_id"]
        deal = {"commitment_id": id, "player_seed": player_seed}
        return self.begin({"variant": variant, "deal": deal})

    def begin(self, body: Any, **headers: str) -> "Player":
        """A player at the new game that `body` asks for."""
        answer = self.post("/v1/games", body, **headers)
        assert answer.status == 201, answer.body
        made = answer.json
        return Player(self, made["game"], made["play_token"], made.get("label_key"))


class Player:
    """Somebody who plays a game: knows its id, its token and how it stood at the last answer.

    `label_key` is that of the label, if the game is the first with it.
    """

    def __init__(self, api: Api, game: Any, token: str, label_key: str | None = None) -> None:
        self.api, self.game, self.token, self.label_key = api, game, token, label_key

    @property
    def path(self) -> str:
        """Where the game is."""
        return f"/v1/games/{self.game['id']}"

    @property
    def bearer(self) -> Headers:
        """The header that carries the play token."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def version(self) -> int:
        """The version of the game that the player knows."""
        return self.game["version"]

    def post(self, action: str, body: Any, **headers: str) -> Answer:
        """Posts `body` to the game, with the token; takes note of the game in the answer."""
        answer = self.api.post(f"{self.path}/{action}", body, **self.bearer | headers)
        if answer.status == 200:
            self.game = answer.json["game"]
        return answer

    def play(self, *moves: str, **headers: str) -> Answer:
        """Plays moves from the version that the player knows."""
        return self.post("moves", {"version": self.version, "moves": list(moves)}, **headers)

    def undo(self, steps: int = 1, **headers: str) -> Answer:
        """Takes moves back."""
        return self.post("undo", {"version": self.version, "steps": steps}, **headers)

    def redo(self, steps: int = 1, **headers: str) -> Answer:
        """Plays moves again."""
        return self.post("redo", {"version": self.version, "steps": steps}, **headers)

    def resign(self, **headers: str) -> Answer:
        """Gives the game up."""
        return self.post("resignation", {"version": self.version}, **headers)

    def delete(self, **headers: str) -> Answer:
        """Removes the game."""
        return self.api.request("DELETE", self.path, **self.bearer | headers)

    def read(self, **headers: str) -> Answer:
        """Reads the game anew."""
        answer = self.api.get(self.path, **headers)
        if answer.status == 200:
            self.game = answer.json
        return answer

    def pile(self, id: str) -> Any:
        """A pile of the game as the player knows it."""
        return next(pile for pile in self.game["piles"] if pile["id"] == id)


def in_process(app: Flask) -> Transport:
    """Sends requests to the application without a server."""
    client = app.test_client()

    def send(method: str, path: str, headers: Headers, body: bytes | None) -> Sent:
        with client.open(path, method=method, headers=headers, data=body) as response:
            return response.status_code, list(response.headers), response.data

    return send


@contextmanager
def over_http(port: int) -> Iterator[Transport]:
    """Sends requests to a server on loopback, over one lasting connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def send(method: str, path: str, headers: Headers, body: bytes | None) -> Sent:
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        except BaseException:
            connection.close()
            raise

    try:
        yield send
    finally:
        connection.close()


@contextmanager
def api_at(port: int, contract: Contract) -> Iterator[Api]:
    """A checked client of a server on loopback."""
    with over_http(port) as transport:
        yield Api(transport, contract)

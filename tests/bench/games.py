"""Games on the service to measure, and the requests that are made of them."""

import random
from collections.abc import Sequence
from functools import cache

from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.moves import DEAL
from tests.bench.serving import Connection

LONGEST_BATCH = 200
"""Moves in one request, at most."""


class Game:
    """A game on a server that is created and played to the end of `line`, again and again."""

    def __init__(self, variant: str, deal: int, line: Sequence[str]) -> None:
        self._new = {"variant": variant, "deal": {"number": str(deal)}}
        self._line = line

    @property
    def path(self) -> str:
        """Where the game is."""
        return f"/v1/games/{self._game['id']}"

    @property
    def version(self) -> int:
        """The version of the game that was answered last."""
        version: int = self._game["version"]
        return version

    def begin(self, connection: Connection) -> None:
        """Creates a game and plays the line, in as many requests as cards are turned, or more."""
        created = connection.request("POST", "/v1/games", self._new)
        self._game, self._token = created["game"], created["play_token"]
        line = self._line
        while line:
            line = line[self._play(connection, line[:LONGEST_BATCH]) :]

    def move(self, connection: Connection) -> None:
        """Plays the first legal move."""
        self._play(connection, self._game["legal_moves"][:1])

    def undo(self, connection: Connection, steps: int = 1) -> None:
        """Takes moves back."""
        self._post(connection, "undo", steps=steps)

    def undo_line(self, connection: Connection) -> None:
        """Takes the whole line back."""
        self.undo(connection, len(self._line))

    def play_line(self, connection: Connection) -> None:
        """Plays the line in one request."""
        applied = self._play(connection, self._line)
        assert applied == len(self._line)

    def hint(self, connection: Connection) -> None:
        """Asks what to play."""
        self._post(connection, "hint")

    def read(self, connection: Connection) -> None:
        """Reads the game."""
        connection.request("GET", self.path)

    def read_again(self, connection: Connection) -> None:
        """Asks whether the game has changed, which it has not."""
        assert connection.request("GET", self.path, known=f'"v{self.version}"') is None

    def _play(self, connection: Connection, moves: Sequence[str]) -> int:
        applied: int = self._post(connection, "moves", moves=moves)["applied"]
        return applied

    def _post(self, connection: Connection, action: str, **members: object):
        body = {"version": self.version, **members}
        answer = connection.request("POST", f"{self.path}/{action}", body, self._token)
        self._game = answer["game"]
        return answer


@cache
def random_line(variant: str, length: int) -> tuple[str, ...]:
    """A line of `length` legal moves of deal 1 after which more can be played."""
    for seed in range(1000):
        choice, position = random.Random(seed), start_position(PublicDeal(VARIANTS[variant], 1))
        line = []
        while len(line) < length and (moves := position.legal_moves()):
            move = choice.choice([move for move in moves if move != DEAL] or moves)
            line.append(move)
            position = position.after(move)
        if len(line) == length and len(position.legal_moves()) > 3:
            return tuple(map(str, line))
    raise RuntimeError(f"no line of {length} moves in {variant}")

"""Who comes to the service, what they do there, and how often: the mix that `make load` holds."""

import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from service.games import VARIANTS
from tests.load.client import Client, FailedError
from tests.load.game import Game
from tests.load.tally import Tally

WON = Path(__file__).parents[1] / "fixtures" / "astrocyte-won-line.json"

PLAYERS, BOTS, ADVISED, WATCHERS = 24, 4, 4, 24
"""How many come of each kind."""

A_MOVE, A_BOTS_MOVE, A_HINT, A_LOOK = 1.0, 0.2, 1.5, 5.0
"""Seconds of thought before a request, on average: of a player, a bot, one who takes hints, and
one who comes to watch."""


class Hall:
    """What all who come share: the service's port, the tally, the games in play, and the end."""

    def __init__(self, port: int, tally: Tally) -> None:
        self.port, self.tally = port, tally
        self.over = threading.Event()
        self._games: dict[threading.Thread, Game] = {}
        self._lock = threading.Lock()

    def begun(self, game: Game) -> None:
        """The caller's thread plays this game from now on, and no other."""
        with self._lock:
            self._games[threading.current_thread()] = game

    def some_game(self, choice: random.Random) -> Game | None:
        """A game in play, if there is one."""
        with self._lock:
            games = [game for game in self._games.values() if not game.over]
        return choice.choice(games) if games else None


class Visitor:
    """One who comes, in a thread: does something again and again, at a pace of one's own.

    The moments at which requests are due are set by the clock, not by the answers, so that a
    slow service is asked as often as a fast one. Whatever fails is noted, and begun anew.
    """

    def __init__(self, hall: Hall, seed: int, pause: float) -> None:
        self.hall, self.choice, self._pause = hall, random.Random(seed), pause
        self.client = Client(hall.port, hall.tally)
        self._due = time.monotonic() + self.choice.uniform(0, pause)
        self._thread = threading.Thread(target=self._come)

    def start(self) -> None:
        """Lets the visitor come."""
        self._thread.start()

    def wait(self) -> None:
        """Waits until the visitor has gone."""
        self._thread.join()

    def visit(self) -> None:
        """Does what this one has come for, once."""
        raise NotImplementedError

    def turns(self) -> Iterator[float]:
        """The moments at which something is due, each when it has come; none after the end."""
        while not self.hall.over.wait(max(0.0, self._due - time.monotonic())):
            due = self._due
            self._due += self.choice.uniform(0.5, 1.5) * self._pause
            yield due

    def _come(self) -> None:
        while not self.hall.over.is_set():
            try:
                self.visit()
            except FailedError:
                pass
            except Exception as error:
                self.hall.tally.fault(f"{type(self).__name__}: {error!r}")


class Player(Visitor):
    """Plays at random, takes back, plays again, looks; leaves some games in the middle."""

    def visit(self) -> None:
        turns = self.turns()
        for due in turns:
            game = Game(self.client, due, self.new())
            self.hall.begun(game)
            self._play(game, turns)

    def new(self) -> dict[str, Any]:
        """What game to play."""
        return {"variant": self.choice.choice(list(VARIANTS))}

    def patience(self) -> int:
        """The ply at which this game is given up, if it lasts so long."""
        return self.choice.randrange(20, 80)

    def turn(self, game: Game, due: float) -> None:
        """Does one thing in a game."""
        lot = self.choice.random()
        if lot < 0.1:
            game.read(due)
        elif lot < 0.2 and game.now["can"]["undo"]:
            game.undo(due, 1)
        elif lot < 0.25 and game.now["can"]["redo"]:
            game.redo(due)
        else:
            game.move(due, self.choice.choice(game.now["legal_moves"]))

    def _play(self, game: Game, turns: Iterator[float]) -> None:
        """Plays to the end; without one, the game is resigned or left as it is. Then it is read."""
        patience = self.patience()
        for due in turns:
            if not game.is_running or game.now["ply"] >= patience:
                break
            self.turn(game, due)
        if game.now["status"] == "in_progress" and self.choice.random() < 0.5:
            game.resign(time.monotonic())
        game.leave(time.monotonic())


class Bot(Player):
    """Plays a recorded game to its win, some moves a request."""

    recorded = json.loads(WON.read_text(encoding="utf-8"))

    def new(self) -> dict[str, Any]:
        return {"variant": self.recorded["variant"], "deal": {"number": self.recorded["deal"]}}

    def patience(self) -> int:
        return len(self.recorded["moves"])

    def turn(self, game: Game, due: float) -> None:
        ply = game.now["ply"]
        game.move(due, *self.recorded["moves"][ply : ply + self.choice.randint(1, 4)])


class Advised(Player):
    """Asks before each move and plays what the hint says, up to the win where there is one."""

    def patience(self) -> int:
        return 500

    def turn(self, game: Game, due: float) -> None:
        hint = game.hint(due)
        if hint is None:
            return
        if hint["move"]:
            game.move(time.monotonic(), hint["move"])
        elif hint.get("undo_steps"):
            game.undo(time.monotonic(), hint["undo_steps"])
        else:
            game.move(time.monotonic(), self.choice.choice(game.now["legal_moves"]))


class Watcher(Visitor):
    """Watches one game after the other, each until its end or until its player has left it."""

    def visit(self) -> None:
        for _ in self.turns():
            game = self.hall.some_game(self.choice)
            if game is not None:
                self._watch(game)

    def _watch(self, game: Game) -> None:
        began, last = time.monotonic(), None
        for message in self.client.listen(f"{game.path}/events"):
            if message is not None:
                self._hear(message, last)
                if (sent := game.sent[message["version"]]) > began:
                    self.hall.tally.answered("told", 200, time.monotonic() - sent)
                last = message
            if game.over or self.hall.over.is_set():
                return
        if last is None or last["game"]["status"] == "in_progress":
            self.hall.tally.fault(f"the stream of {game.path} ended before the game, at {last}")

    def _hear(self, message: Any, last: Any) -> None:
        """Each message follows the one before; nothing is left out."""
        if last is not None and message["version"] != last["version"] + 1:
            self.hall.tally.fault(f"told of {message['version']} after {last['version']}")


def company(hall: Hall) -> list[Visitor]:
    """Everybody who comes."""
    kinds = [
        *[(Player, A_MOVE)] * PLAYERS,
        *[(Bot, A_BOTS_MOVE)] * BOTS,
        *[(Advised, A_HINT)] * ADVISED,
        *[(Watcher, A_LOOK)] * WATCHERS,
    ]
    return [kind(hall, seed, pause) for seed, (kind, pause) in enumerate(kinds)]

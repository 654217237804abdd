"""A game as its player knows it: what was sent, what was told, and whether the two add up."""

import time
from typing import Any

from tests.load.client import Client


class Game:
    """A game in play; after each accepted request its version and ply are held against what was
    sent.
    """

    def __init__(self, client: Client, due: float, new: dict[str, Any]) -> None:
        self._client = client
        self.sent = {1: time.monotonic()}
        self.over = False
        created = client.ask("create", due, "POST", "/v1/games", new)
        self.now, self._token = created["game"], created["play_token"]
        self._ply = 0
        self._hold(self.now)

    @property
    def path(self) -> str:
        """Where the game is."""
        return f"/v1/games/{self.now['id']}"

    @property
    def is_running(self) -> bool:
        """Whether its player can still move or take something back to any use."""
        return self.now["status"] == "in_progress" and not self.now["stuck"]

    def move(self, due: float, *moves: str) -> int:
        """Plays moves; how many of them were played."""
        return self._write("move", "moves", due, {"moves": moves})["applied"]

    def undo(self, due: float, steps: int) -> None:
        """Takes moves back."""
        self._ply -= steps
        self._write("undo", "undo", due, {"steps": steps})

    def redo(self, due: float) -> None:
        """Plays a move again."""
        self._ply += 1
        self._write("redo", "redo", due, {"steps": 1})

    def hint(self, due: float) -> Any:
        """Asks for advice; None when it was put off."""
        return self._write("hint", "hint", due, {})

    def resign(self, due: float) -> None:
        """Gives the game up."""
        self._write("resign", "resignation", due, {})

    def read(self, due: float) -> None:
        """Reads the game, which must be as it was told last."""
        read = self._client.ask("read", due, "GET", self.path)
        if read != self.now:
            self._client.tally.fault(f"{self.path} is not as it was told: {read} != {self.now}")

    def leave(self, due: float) -> None:
        """Looks at the game for the last time."""
        self.over = True
        self.read(due)
        how = "left in mid-play" if self.now["status"] == "in_progress" else self.now["status"]
        self._client.tally.ended(how)

    def _write(self, kind: str, action: str, due: float, body: dict[str, Any]) -> Any:
        version = self.now["version"]
        self.sent[version + 1] = time.monotonic()
        path, whole = f"{self.path}/{action}", {"version": version, **body}
        answer = self._client.ask(kind, due, "POST", path, whole, self._token)
        if answer is not None:
            self._ply += answer.get("applied", 0)
            self._hold(answer["game"])
        return answer

    def _hold(self, told: Any) -> None:
        """Takes note of the game as it is told; its version counts the requests accepted."""
        self.now, expected = told, (len(self.sent), self._ply)
        if (told["version"], told["ply"]) != expected:
            self._client.tally.fault(
                f"{self.path} is at version {told['version']}, ply {told['ply']}, not at {expected}"
            )

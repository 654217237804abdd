"""Plays on the page as people do: by mouse, finger and keyboard."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from service.games.moves import parse_move

POINT = """([pile, depth]) => {
  const table = document.querySelector("card-table");
  const box = table.getBoundingClientRect(), place = table.geometry.piles.get(pile);
  const from = place.offsets[place.offsets.length - depth] ?? 0;
  const next = place.offsets[place.offsets.length - depth + 1] ?? from + table.geometry.card.height;
  return [box.left + place.x + place.width / 2, box.top + place.y + (from + next) / 2];
}"""
"""The middle of what is seen of a card, `depth` cards from the top of its pile."""

FOCUSED = "document.activeElement?.dataset?.pile ?? null"


class Player:
    """A page at which somebody plays."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.game: dict[str, Any] = {}
        self.token = ""

    def start(self, variant: str, number: str | int, moves: list[str] | None = None) -> None:
        """Goes to a new game of a numbered deal that this device knows, after these moves."""
        answer = self.post("/v1/games", {"variant": variant, "deal": {"number": str(number)}})
        self.game, self.token = answer["game"], answer["play_token"]
        for move in moves or []:
            self.play_elsewhere(move)
        self.page.goto("/play")
        stored = {**self.game, "token": self.token}
        self.page.evaluate(
            "([key, value]) => localStorage.setItem(key, value)",
            [f"asterism/game/{self.game['id']}", json.dumps(stored)],
        )
        self.go(f"#/game/{self.game['id']}")
        self.wait_for_cards()

    def go(self, fragment: str) -> None:
        """Goes to a view."""
        self.page.goto(f"/play{fragment}")

    def wait_for_cards(self) -> None:
        """Waits until a table is drawn."""
        self.page.locator("card-table .card:not(.covered)").first.wait_for()

    def post(self, path: str, body: object) -> Any:
        """The answer of the API to a request of another client with the same token."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        response = self.page.request.post(path, data=body, headers=headers)
        assert response.ok, response.text()
        return response.json()

    def play_elsewhere(self, move: str) -> None:
        """Another client plays a move."""
        path = f"/v1/games/{self.game['id']}"
        self.game = self.page.request.get(path).json()
        body = {"version": self.game["version"], "moves": [move]}
        self.game = self.post(f"{path}/moves", body)["game"]

    def read(self) -> Any:
        """The game as the server has it."""
        return self.page.request.get(f"/v1/games/{self.game['id']}").json()

    def expect_ply(self, ply: int, timeout: float = 15_000) -> None:
        """Waits until the page shows the answer to move `ply`."""
        expect(self.page.locator("game-view")).to_have_attribute(
            "data-ply", str(ply), timeout=timeout
        )

    @property
    def line(self) -> Any:
        """The line under the table."""
        return self.page.locator(".line")

    def point(self, pile: str, depth: int = 1) -> tuple[float, float]:
        """Where to point at a card, counted from the top of its pile."""
        x, y = self.page.evaluate(POINT, [pile, depth])
        return x, y

    def drag(self, move: str) -> None:
        """Makes a move with the mouse button held down."""
        source, target, count = self._parts(move)
        mouse = self.page.mouse
        mouse.move(*self.point(source, count))
        mouse.down()
        mouse.move(*self.point(target), steps=3)
        mouse.up()
        self._agree(move)

    def click(self, move: str) -> None:
        """Makes a move with two clicks."""
        source, target, count = self._parts(move)
        self.page.mouse.click(*self.point(source, count))
        self.page.mouse.click(*self.point(target))
        self._agree(move)

    def tap(self, move: str) -> None:
        """Makes a move with two taps."""
        source, target, count = self._parts(move)
        self.page.touchscreen.tap(*self.point(source, count))
        self.page.touchscreen.tap(*self.point(target))
        self._agree(move)

    def type(self, move: str) -> None:
        """Makes a move with the keyboard."""
        if move == "deal":
            return self.page.keyboard.press("d")
        source, target, count = self._parts(move)
        self._walk(source)
        self.page.keyboard.press("Enter")
        picked = self.page.locator(".card.lifted").count()
        for _ in range(abs(count - picked)):
            self.page.keyboard.press("+" if count > picked else "-")
            if self.page.locator(".card.lifted").count() == count:
                break
        self._walk(target)
        self.page.keyboard.press("Enter")
        return self._agree(move)

    def deal(self) -> None:
        """Deals a row with a click on the stock."""
        self.page.mouse.click(*self.point("s"))

    def _walk(self, pile: str) -> None:
        if not self.page.evaluate(FOCUSED):
            self.page.locator(".pile[tabindex='0']").focus()
        for _ in range(40):
            if self.page.evaluate(FOCUSED) == pile:
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError(f"the arrows do not lead to {pile}")

    def _agree(self, move: str) -> None:
        """Says yes if the page asks before it takes a card back from a foundation."""
        source, target, _ = self._parts(move)
        if source.startswith("f") and not target.startswith("f"):
            self.page.get_by_role("button", name="Take back").click()

    @staticmethod
    def _parts(text: str) -> tuple[str, str, int]:
        move = parse_move(text)
        return str(move.source), str(move.target), move.count

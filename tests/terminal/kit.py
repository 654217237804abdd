"""What the tests of the terminal share: a running application, its table, and boards to play."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import httpx
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from service.cli.terminal.app import TerminalApp
from service.cli.terminal.colours import Role
from service.cli.terminal.game_screen import GameScreen
from service.cli.terminal.geometry import places
from service.cli.terminal.hand import Spot
from service.cli.terminal.local import LocalHost, LocalTable
from service.cli.terminal.remote import RemoteHost
from service.cli.terminal.table import Host, State, Table
from service.cli.terminal.table_view import TableView
from service.deals.deal import PublicDeal
from service.games import VARIANTS
from service.games.boards import parse_position
from service.records.game import Game, Outcome, Receipt
from tests.support import awaiting

SMALL, LARGE = (80, 24), (120, 40)
QUIET_TURNS = 20
"""Turns of the event loop without a message, after which nothing more is to be expected."""
URL = "http://service.test"


def played(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that runs in an event loop."""

    def run() -> None:
        awaiting.run(test())

    run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
    return run


class Player:
    """Somebody at the terminal."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Presses keys, one after the other, and waits for what they do."""
        for key in keys:
            await self.type_ahead(key)

    async def type_ahead(self, *keys: str) -> None:
        """Presses keys faster than anything can be shown."""
        for key in keys:
            self.pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await self.settle()

    async def settle(self) -> None:
        """Waits until nothing is under way; how busy the machine is does not matter."""
        quiet = 0
        async with asyncio.timeout(60):
            while quiet < QUIET_TURNS:
                await asyncio.sleep(0 if self._is_quiet() else 0.005)
                quiet = quiet + 1 if self._is_quiet() else 0
        await self.pilot.pause()

    def _is_quiet(self) -> bool:
        app = self.pilot.app
        pumps = (app, *app.screen_stack, *app.screen.walk_children())
        return not list(app.workers) and not any(pump.message_queue_size for pump in pumps)

    async def resize(self, columns: int, lines: int) -> None:
        """Gives the terminal another size."""
        await self.pilot.resize_terminal(columns, lines)
        async with asyncio.timeout(60):
            while self.view.size.width != columns:
                await self.pilot.pause()

    async def click(self, pile: str, depth: int | None = 1) -> None:
        """Clicks on a card, or on the label of a pile."""
        await self.pilot.click("TableView", offset=self.where(pile, depth))
        await self.settle()

    def where(self, pile: str, depth: int | None = 1) -> tuple[int, int]:
        """Where a card, or else the label of a pile, is on the table."""
        spots = self.view.canvas.spots
        return next(xy for xy, spot in sorted(spots.items()) if spot == Spot(pile, depth))

    @property
    def view(self) -> TableView:
        """The table on the screen, or below a dialog."""
        screens = (one for one in self.pilot.app.screen_stack if isinstance(one, GameScreen))
        return next(screens).view

    @property
    def state(self) -> State:
        """The game as it is shown."""
        assert self.view.state is not None
        return self.view.state

    @property
    def told(self) -> str:
        """What the status line says."""
        return str(self.view.screen.query_one("#status", Static).content)

    def marked(self, role: Role) -> set[str]:
        """The piles whose labels show this role."""
        lines = self.table_text.splitlines()
        return {
            place.pile
            for row in places(self.state.variant.layout, *self.view.size)
            for place in row
            if lines[place.y][place.x] == role.value
        }

    @property
    def table_text(self) -> str:
        """The table as it is drawn."""
        return self.view.canvas.text()

    @property
    def screen(self) -> str:
        """Everything that is on the screen, as a picture."""
        return self.pilot.app.export_screenshot()


@asynccontextmanager
async def at(
    table: Table | None = None, host: Host | None = None, size: tuple[int, int] = SMALL
) -> AsyncIterator[Player]:
    """Somebody at `table`, or else where the application begins."""
    app = TerminalApp(host or LocalHost(), None, table)
    async with app.run_test(size=size) as pilot:
        player = Player(pilot)
        await player.settle()
        if table is not None:
            assert isinstance(app.screen, GameScreen)
        yield player


async def deal(variant: str, number: int) -> LocalTable:
    """The table of a numbered deal."""
    return await LocalHost().new_table(VARIANTS[variant], number)


def board(text: str, variant: str = "astrocyte") -> LocalTable:
    """A table that stands as `text` shows; its first moves cannot be undone."""
    position = parse_position(VARIANTS[variant], text)
    given = PublicDeal(VARIANTS[variant], 1)
    return LocalTable(Game("", given, position, 0, 0, Receipt("", Outcome())))


class InProcess(httpx.AsyncBaseTransport):
    """Answers from an application in this process, while it is `up` and `open`."""

    def __init__(self, app: Any) -> None:
        self._wsgi = httpx.WSGITransport(app)
        self.up = True
        self.open = asyncio.Event()
        self.open.set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not self.up:
            raise httpx.ConnectError("Connection refused", request=request)
        await self.open.wait()
        await request.aread()
        answer = self._wsgi.handle_request(request)
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.read())


@asynccontextmanager
async def service(
    app: Any, label: str | None = None
) -> AsyncIterator[tuple[RemoteHost, InProcess]]:
    """A host at the service that `app` is, and the way to it; its games are under `label`."""
    way = InProcess(app)
    host = RemoteHost(URL, label, transport=way, patience=0)
    try:
        yield host, way
    finally:
        await host.close()

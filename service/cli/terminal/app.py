"""The application: it opens tables of a host, and leads from one screen to the next."""

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from service.cli.terminal.colours import THEME
from service.cli.terminal.game_screen import GameScreen
from service.cli.terminal.start_screen import StartScreen
from service.cli.terminal.table import DealChoice, Host, Table
from service.errors import AsterismError
from service.games.base import Variant


class TerminalApp(App[None]):
    """Plays at the tables of `host`: at `table` first, or at one that the player chooses.

    `again` says afterwards how to come back to the last table; empty if there was none.
    """

    TITLE = "Asterism"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS = """
    Button, Button:hover { background: #27327a; color: #eceefa; text-style: bold; }
    Button:focus, Button.-style-default:focus {
        background: $accent; color: #1b1502; text-style: bold; background-tint: $accent 0%;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True)
    ]

    def __init__(
        self,
        host: Host,
        variant: Variant | None = None,
        table: Table | None = None,
    ) -> None:
        super().__init__()
        self._host, self._variant, self._table = host, variant, table

    @property
    def again(self) -> str:
        """How to come back to the last table, in a line for the shell."""
        return self._table.again if self._table else ""

    def on_mount(self) -> None:
        """Opens the first screen."""
        self.register_theme(THEME)
        self.theme = THEME.name
        self.animation_level = "none"  # a terminal may be far away
        if self._table is not None:
            self.push_screen(GameScreen(self._table))
        else:
            self.action_new_game()

    def on_start_screen_chosen(self, choice: StartScreen.Chosen) -> None:
        """Opens the chosen table."""
        laying_out = self._lay_out(choice.variant, choice.deal)
        self.run_worker(laying_out, group="lay out", exclusive=True)

    def action_new_game(self) -> None:
        """Asks for the next game; the present one stays below."""
        self.push_screen(StartScreen(self._host.place, self._host.has_daily, self._variant))

    async def action_back(self) -> None:
        """Goes back to the table, or leaves if there is none."""
        if self._table is None:
            return await self.action_leave()
        self.pop_screen()
        return None

    async def action_leave(self) -> None:
        """Ends the program; a game on a service goes on there."""
        self.workers.cancel_all()
        self.exit()

    async def _lay_out(self, variant: Variant, deal: DealChoice) -> None:
        self._variant = variant
        try:
            self._table = await self._host.new_table(variant, deal)
        except AsterismError as error:
            if isinstance(self.screen, StartScreen):
                self.screen.fail(str(error))
            return
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(GameScreen(self._table))

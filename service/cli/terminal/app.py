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
    """Plays at the tables of `host`: at `table`, at a new one, or at one that the player chooses.

    `again` says afterwards how to come back to the last table; empty if there was none.
    """

    TITLE = "Asterism"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True)
    ]

    def __init__(
        self,
        host: Host,
        variant: Variant | None = None,
        deal: DealChoice = "random",
        table: Table | None = None,
    ) -> None:
        super().__init__()
        self._host, self._variant, self._deal, self._table = host, variant, deal, table

    @property
    def again(self) -> str:
        """How to come back to the last table, in a line for the shell."""
        return self._table.again if self._table else ""

    def on_mount(self) -> None:
        """Opens the first screen."""
        self.register_theme(THEME)
        self.theme = THEME.name
        if self._table is not None:
            self.push_screen(GameScreen(self._table))
        elif self._variant is not None:
            self._open(self._variant, self._deal)
        else:
            self.action_new_game()

    def on_start_screen_chosen(self, choice: StartScreen.Chosen) -> None:
        """Opens the chosen table."""
        self._open(choice.variant, choice.deal)

    def action_new_game(self, fault: str = "") -> None:
        """Asks for the next game; the present one stays below."""
        self.push_screen(StartScreen(self._host.place, self._host.has_daily, self._variant, fault))

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

    def _open(self, variant: Variant, deal: DealChoice) -> None:
        self.run_worker(self._lay_out(variant, deal), group="open", exclusive=True)

    async def _lay_out(self, variant: Variant, deal: DealChoice) -> None:
        self._variant = variant
        try:
            self._table = await self._host.new_table(variant, deal)
        except AsterismError as error:
            if isinstance(self.screen, StartScreen):
                return self.screen.fail(str(error))
            return self.action_new_game(str(error))
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(GameScreen(self._table))
        return None

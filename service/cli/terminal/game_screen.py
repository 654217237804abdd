"""The screen of a game: heading, table, status line and keys."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import ClassVar, Literal, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer, Static
from typing_extensions import override

from service.cli.terminal import words
from service.cli.terminal.dialogs import EndScreen, HelpScreen
from service.cli.terminal.table import State, Table, UnansweredError
from service.cli.terminal.table_view import TableView
from service.errors import AsterismError, IllegalMoveError
from service.games.moves import DEAL, Move
from service.records.hint import Hint

T = TypeVar("T")
Tone = Literal["quiet", "good", "warning", "error", "hint"]

PATIENCE = 0.3
"""Seconds after which a request that is still under way shows."""

_HELLO = "Arrows and Enter, or clicks, take cards and bring them on.  ? tells all."
_WATCHING = "You watch this game: whoever has its play token plays."
_STUCK = "Stuck: no move leads on.  u takes a move back, n starts a new game."


class GameScreen(Screen[None]):
    """Plays at a table. One request at a time is under way; the screen never waits for it."""

    CSS = """
    GameScreen { background: #0b1030; }
    #heading { height: 1; background: $surface; }
    #heading Static { width: auto; }
    #game { color: $accent; text-style: bold; padding: 0 1; }
    #heading #far { width: 1fr; text-align: right; color: #aab2d4; padding: 0 1; }
    #status { height: 2; padding: 0 1; background: $panel; color: #c6cce8; }
    #status.good { color: $success; text-style: bold; }
    #status.warning { color: $warning; }
    #status.error { color: $error; text-style: bold; }
    #status.hint { color: #e0c6ff; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u,backspace", "undo", "Undo", key_display="u"),
        Binding("r", "redo", "Redo"),
        Binding("h", "hint", "Hint"),
        Binding("d", "deal", "Deal a row"),
        Binding("n", "app.new_game", "New game"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "app.leave", "Quit"),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.view = TableView(table.state, self.play, self.tell, self.accept)
        self._offer: Callable[[], Awaitable[None]] | None = None
        self._busy = False

    @override
    def compose(self) -> ComposeResult:
        with Horizontal(id="heading"):
            yield Static(id="game", markup=False)
            yield Static(id="far", markup=False)
        yield self.view
        yield Static(id="status", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Shows the table, and follows it if it is only watched."""
        self.view.focus()
        self._show(self.table.state, _WATCHING if self.table.is_watched else _HELLO)
        if self.table.is_watched:
            self.run_worker(self._watch())

    @override
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "deal":
            return bool(self.table.state.view.kind("stock"))
        return True

    def tell(self, text: str, tone: Tone = "quiet") -> None:
        """Says `text` in the status line; what it offered before is off."""
        self._offer = None
        status = self.query_one("#status", Static)
        status.set_classes(tone)
        status.update(words.with_suits(text))

    async def accept(self) -> bool:
        """Does what the status line offers; False if it offers nothing."""
        offer, self._offer = self._offer, None
        if offer is not None:
            await offer()
        return offer is not None

    async def play(self, move: Move) -> None:
        """Plays `move`, or tells why not."""
        before = self.table.state
        await self._ask(
            partial(self.table.play, move),
            lambda after: self._show(after, words.effect(before, after, move)),
        )

    async def action_undo(self, steps: int = 1) -> None:
        """Takes moves back."""
        if not self.table.state.ply:
            return self.tell("There is nothing to take back.")
        await self._ask(
            partial(self.table.undo, steps),
            lambda after: self._show(after, "Taken back.  r plays it again."),
        )
        return None

    async def action_redo(self) -> None:
        """Plays the move again that was taken back last."""
        if not self.table.state.can_redo:
            return self.tell("There is nothing to play again.")
        await self._ask(self.table.redo, lambda after: self._show(after, "Played again."))
        return None

    async def action_deal(self) -> None:
        """Deals a row."""
        await self.play(DEAL)

    async def action_hint(self) -> None:
        """Marks a good move, and says why."""
        if self.table.state.status == "in_progress":
            await self._ask(self.table.hint, self._advise)

    def action_help(self) -> None:
        """Opens the keys and the rules."""
        self.app.push_screen(HelpScreen(self.table.state.variant))

    def _advise(self, hint: Hint) -> None:
        self.view.drop()
        self.view.advice = hint.move
        self.tell(words.advice(self.table.state.view, hint), "hint")
        if hint.move is not None:
            self._offer = partial(self.play, hint.move)
        elif hint.undo_steps:
            self._offer = partial(self.action_undo, hint.undo_steps)

    def _show(self, state: State, told: str) -> None:
        game, far = words.heading(state)
        self.query_one("#game", Static).update(f"✦ {game}")
        self.query_one("#far", Static).update(far)
        self.view.show(state)
        if state.status == "won":
            self.tell("The game is won.  n starts a new one.", "good")
            self.app.push_screen(EndScreen(state))
        elif state.status == "resigned":
            self.tell("The game was resigned.  n starts a new one.", "warning")
        elif state.stuck:
            self.tell(_STUCK, "warning")
        else:
            self.tell(told)

    async def _ask(self, request: Callable[[], Awaitable[T]], done: Callable[[T], None]) -> None:
        """Makes a request beside the screen, and waits for it as long as nobody notices."""
        if self.table.is_watched:
            return self.tell(_WATCHING)
        if self._busy:
            return None
        self._busy, answered = True, asyncio.Event()
        self.run_worker(self._answer(request, done, answered), exit_on_error=True)
        try:
            await asyncio.wait_for(answered.wait(), PATIENCE)
        except TimeoutError:
            self.tell("One moment …")
        return None

    async def _watch(self) -> None:
        try:
            async for state in self.table.changes():
                self._show(state, _WATCHING)
        except AsterismError as error:
            self.tell(str(error), "error")

    async def _answer(
        self,
        request: Callable[[], Awaitable[T]],
        done: Callable[[T], None],
        answered: asyncio.Event,
    ) -> None:
        try:
            result = await request()
        except IllegalMoveError as refusal:
            self.view.drop()
            self.tell(f"{refusal.rule}: {refusal.detail}", "warning")
        except UnansweredError as error:
            self.view.drop()
            self.tell(f"{error}  Enter tries again.", "error")
            self._offer = partial(self._ask, request, done)
        except AsterismError as error:
            self._show(self.table.state, "")
            self.tell(str(error), "warning")
        else:
            done(result)
        finally:
            self._busy = False
            answered.set()

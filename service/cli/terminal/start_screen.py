"""The screen to choose a game and a deal on."""

from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, OptionList, Static
from textual.widgets.option_list import Option
from typing_extensions import override

from service.cli.terminal.table import DealChoice
from service.deals.shuffle import deal_number
from service.errors import InputError
from service.games import VARIANTS
from service.games.base import Variant


class StartScreen(Screen[None]):
    """Asks which game and which deal."""

    CSS = """
    StartScreen { background: #0b1030; align: center middle; }
    #start { width: 66; height: auto; }
    #sky { width: 100%; text-align: center; color: #6f79a8; }
    #title { width: 100%; text-align: center; color: $accent; text-style: bold; }
    #place { width: 100%; text-align: center; color: #aab2d4; padding: 0 0 1 0; }
    #games { height: auto; background: $surface; border: round #48538a; padding: 0 1; }
    #games:focus { border: round $accent; }
    StartScreen Input { background: $surface; border: round #48538a; }
    StartScreen Input:focus { border: round $accent; }
    StartScreen Horizontal { height: auto; align-horizontal: center; padding: 1 0 0 0; }
    StartScreen Button { margin: 0 1; }
    #deal { margin: 0; }
    #fault { width: 100%; height: auto; text-align: center; color: $error; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.back", "Back"),
        Binding("ctrl+q", "app.leave", "Quit"),
    ]

    class Chosen(Message):
        """A game and a deal are chosen."""

        def __init__(self, variant: Variant, deal: DealChoice) -> None:
            super().__init__()
            self.variant, self.deal = variant, deal

    def __init__(self, place: str, has_daily: bool, variant: Variant | None) -> None:
        super().__init__()
        self._place, self._has_daily = place, has_daily
        self._first = variant or next(iter(VARIANTS.values()))

    @override
    def compose(self) -> ComposeResult:
        with Vertical(id="start"):
            yield Static("·   ✦      .        ★      ·      ✦     .", id="sky", markup=False)
            yield Static("A S T E R I S M", id="title")
            yield Static(self._place or "two solitaires under one sky", id="place", markup=False)
            games = OptionList(*map(_option, VARIANTS.values()), id="games", markup=False)
            games.border_title = "Game"
            games.highlighted = list(VARIANTS.values()).index(self._first)
            yield games
            deal = Input(
                placeholder="random, or a deal number",
                id="deal",
                max_length=20,
                select_on_focus=False,
            )
            deal.border_title = "Deal"
            yield deal
            with Horizontal():
                yield Button("Play", id="play", compact=True)
                if self._has_daily:
                    yield Button("Deal of the day", id="daily", compact=True)
            yield Static(id="fault", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begins at the games."""
        for button in self.query(Button):
            button.active_effect_duration = 0
        self.query_one("#games").focus()

    def on_key(self, event: events.Key) -> None:
        """Lets a deal number be written at once."""
        deal = self.query_one("#deal", Input)
        if event.character and event.character.isdecimal() and self.focused is not deal:
            event.stop()
            deal.focus()
            deal.value = event.character
            deal.action_end()

    @on(OptionList.OptionSelected, "#games")
    @on(Button.Pressed, "#play")
    @on(Input.Submitted, "#deal")
    def play(self) -> None:
        """Starts the chosen game with the deal that is written, or a random one."""
        text = self.query_one("#deal", Input).value.strip()
        try:
            self._choose(deal_number(text) if text else "random")
        except InputError as error:
            self.fail(str(error))

    @on(Button.Pressed, "#daily")
    def play_daily(self) -> None:
        """Starts the deal of the day."""
        self._choose("daily")

    def fail(self, fault: str) -> None:
        """Says why the choice failed."""
        self.query_one("#fault", Static).update(fault)

    def _choose(self, deal: DealChoice) -> None:
        self.fail("")
        highlighted = self.query_one("#games", OptionList).highlighted or 0
        self.post_message(self.Chosen(list(VARIANTS.values())[highlighted], deal))


def _option(variant: Variant) -> Option:
    """The title of a game, and what its rules begin with."""
    text = Text(variant.title, "bold").append(f"\n{variant.rules.splitlines()[2]}", "not bold")
    return Option(text, id=variant.name)

"""What opens over a table: the keys and the rules, and the end of a won game."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Markdown, Static
from typing_extensions import override

from service.cli.terminal.table import State
from service.games.base import Variant
from service.records.hint import count_moves

KEYS = """\
arrows, Tab     move the cursor; up takes more of a run
Enter, click    take cards, then bring them to a pile;
                twice on a card makes its obvious move
3 5  t12  c1    point at piles by their ids: 3 5 moves
                from t3 to t5
drag            bring cards to a pile with the mouse
Escape          let the cards go
h               a hint and why; Enter plays it
u  r            undo and redo, as often as you like
d               deal a row; or click on the stock
n  ?  q         new game, this help, quit

▸ cursor   ● taken   ▾ can go there   ★ hint
"""


STARS = """\
·   ✦       ·    ★        ·       ✦    ·
  ★     ·       ✦    ·  ★      ·     ★
·     ✦    ·  ★        ✦    ·      ✦   ·"""


class HelpScreen(ModalScreen[None]):
    """The keys, and the rules of a game."""

    CSS = """
    HelpScreen { align: center middle; }
    HelpScreen VerticalScroll {
        width: 90%; max-width: 92; height: 90%; padding: 0 2;
        background: $surface; border: round $accent; border-title-color: $accent;
    }
    #keys { padding: 1 1 0 1; color: #dfe4f5; }
    HelpScreen Markdown { background: $surface; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "dismiss", "Back", show=False)
    ]

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        self._variant = variant

    @override
    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = f"{self._variant.title}: keys and rules"
            box.border_subtitle = "Escape: back to the table"
            yield Static(KEYS, id="keys", markup=False)
            yield Markdown(self._variant.rules, open_links=False)


class EndScreen(ModalScreen[None]):
    """Joy at a won game, and what next."""

    CSS = """
    EndScreen { align: center middle; }
    EndScreen > Vertical {
        width: 56; height: auto; padding: 1 2; background: $surface; border: round $accent;
    }
    EndScreen Static { width: 100%; text-align: center; }
    #stars { color: $accent; }
    #won { text-style: bold; color: $accent; padding: 1 0 0 0; }
    #how { color: #c6cce8; padding: 0 0 1 0; }
    EndScreen Horizontal { height: auto; align-horizontal: center; }
    EndScreen Button { margin: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Look at the table"),
        Binding("n", "new", "New game"),
        Binding("q", "app.leave", "Quit"),
    ]

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    @override
    def compose(self) -> ComposeResult:
        state = self._state
        with Vertical():
            yield Static(STARS, id="stars", markup=False)
            yield Static("Y O U   W O N", id="won")
            yield Static(
                f"{state.variant.title}, {state.deal}, in {count_moves(state.ply)}", id="how"
            )
            with Center(), Horizontal():
                yield Button("New game", id="new", compact=True)
                yield Button("Look", id="look", compact=True)
                yield Button("Quit", id="leave", compact=True)

    @on(Button.Pressed, "#new")
    async def action_new(self) -> None:
        """Goes on to a new game."""
        self.dismiss()
        await self.app.run_action("app.new_game")

    @on(Button.Pressed, "#look")
    def look(self) -> None:
        """Goes back to the table."""
        self.dismiss()

    @on(Button.Pressed, "#leave")
    async def leave(self) -> None:
        """Quits."""
        await self.app.run_action("app.leave")

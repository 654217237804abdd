"""The viewer of `asterism replay`: steps through a replay on a terminal."""

from typing import TYPE_CHECKING, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.reactive import var
from textual.widgets import Footer, Static
from typing_extensions import override

from service.cli.terminal.colours import THEME
from service.records.record import LONGEST_LINE

if TYPE_CHECKING:
    from service.cli.replay import ReplayViewer


class ReplayApp(App[None]):
    """Shows the table after `ply` moves, which keys choose."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    VerticalScroll { scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    #verdict { color: $success; text-wrap: nowrap; text-overflow: ellipsis; }
    #verdict.wrong { color: $error; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,backspace,p", "step(-1)", "Back", key_display="←", priority=True),
        Binding("right,space,enter,n", "step(1)", "Forward", key_display="→", priority=True),
        Binding("q,escape,ctrl+d,ctrl+c", "quit", "Quit", key_display="q", priority=True),
        Binding("home,g", f"step({-LONGEST_LINE})", "Start", key_display="Home", priority=True),
        Binding("end,G", f"step({LONGEST_LINE})", "End", key_display="End", priority=True),
        Binding("down,j", "scroll(1)", "Scroll", key_display="↑↓", priority=True),
        Binding("up,k", "scroll(-1)", show=False, priority=True),
    ]
    ply = var(0, init=False)

    def __init__(self, viewer: "ReplayViewer") -> None:
        super().__init__()
        self._viewer = viewer
        self.register_theme(THEME)
        self.theme = THEME.name

    @override
    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(id="table")
        verdict, is_wrong = self._viewer.verdict.plain, self._viewer.fault is not None
        yield Static(verdict, id="verdict", markup=False, classes="wrong" if is_wrong else None)
        yield Footer()

    def on_resize(self) -> None:
        """Arranges the table anew."""
        self.watch_ply()

    def watch_ply(self) -> None:
        """Shows the table, beside a scroll bar."""
        self.query_one("#table", Static).update(self._viewer.table(self.ply, self.size.width - 1))

    def action_step(self, moves: int) -> None:
        """Goes so many moves on, or back, as far as there are any."""
        self.ply = max(0, min(self.ply + moves, self._viewer.last))

    def action_scroll(self, lines: int) -> None:
        """Moves the table up by so many lines."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

"""`asterism replay`: shows a replay move by move."""

from functools import partial
from typing import BinaryIO

import click
from rich.console import Console, ConsoleDimensions
from rich.screen import Screen
from rich.text import Text

from service.cli.keyboard import open_keyboard, pressed_keys
from service.cli.parameters import read_replay
from service.cli.render import changed_places, render_card, render_view
from service.games.moves import format_move
from service.play.referee import Followed, play_through
from service.records.replay import Replay

FORWARD = {"\x1b[C", "\x1bOC", " ", "\r", "n"}
BACK = {"\x1b[D", "\x1bOD", "\x7f", "p"}
FIRST = {"\x1b[H", "\x1bOH", "\x1b[1~", "g"}
LAST = {"\x1b[F", "\x1bOF", "\x1b[4~", "G"}
UP = {"\x1b[A", "\x1bOA", "k"}
DOWN = {"\x1b[B", "\x1bOB", "j"}
QUIT = {"\x1b", "\x04", "q"}
"""Keys as terminals send them: arrows, Home and End, with letters as alternatives."""

_KEYS = "← → step   Home End jump   q quit"
_SCROLL = "↑ ↓ scroll   "


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option(
    "--ply", type=click.IntRange(min=0), help="Show only the table after this many moves."
)
def replay(file: BinaryIO, ply: int | None) -> None:
    """Show a replay move by move, and check it.

    FILE is the response of a game's /replay, as JSON or text, - for stdin. On a terminal the arrow
    keys step through it; elsewhere all of it is printed. Exits with 1 if the replay is wrong.
    """
    given = read_replay(file)
    viewer = ReplayViewer(given, play_through(given))
    console = Console(highlight=False, soft_wrap=True)
    if ply is not None:
        if ply > viewer.last:
            raise click.UsageError(f"There are {viewer.last} legal moves, and no ply {ply}.")
        console.print(viewer.table(ply, console.width))
    elif console.is_terminal:
        step_through(viewer, console)
    else:
        console.print(viewer.whole(console.width))
    console.print(viewer.verdict)
    if viewer.fault is not None:
        raise click.exceptions.Exit(1)


class ReplayViewer:
    """Renders a replay: its tables, its moves, and whether it is right."""

    def __init__(self, replay: Replay, play: Followed) -> None:
        self._replay = replay
        self._positions = play.positions
        self.fault = play.fault

    @property
    def last(self) -> int:
        """The number of legal moves."""
        return max(0, len(self._positions) - 1)

    @property
    def verdict(self) -> Text:
        """That the replay is right and how the game ended, or its first error."""
        if self.fault is not None:
            move = "" if self.fault.move is None else f"{format_move(self.fault.move)}: "
            return Text(f"wrong at ply {self.fault.ply}: {move}{self.fault.detail}", "red")
        won = self._positions[-1].view.won
        status = "won" if won else (self._replay.status or "in_progress").replace("_", " ")
        return Text(f"right: {status} after {self.last} moves", "green")

    def table(self, ply: int, width: int) -> Text:
        """The table after `ply` moves, with a heading; the cards moved last are highlighted."""
        heading = Text(f"{self._replay.variant.title}, ply {ply} of {self.last}", "bold")
        if not self._positions:
            return heading
        view = self._positions[ply].view
        marked = changed_places(self._positions[ply - 1].view, view) if ply else frozenset()
        move = [self._move(ply)] if ply else []
        return Text("\n").join([heading, *move, Text(), render_view(view, marked, width)])

    def whole(self, width: int) -> Text:
        """The first table, every move with the cards it turned, and the last table."""
        moves = [self._move(ply) for ply in range(1, self.last + 1)]
        end = [Text(), self.table(self.last, width)] if moves else []
        return Text("\n").join([self.table(0, width), *moves, *end])

    def _move(self, ply: int) -> Text:
        move = self._replay.moves[ply - 1]
        line = Text(f"{ply:4}  {format_move(move)}")
        for pile, card in self._positions[ply - 1].play(move).reveals:
            line.append(f"  {pile} ", "dim").append_text(render_card(card))
        return line


def step_through(viewer: ReplayViewer, console: Console) -> None:
    """Shows the tables one at a time, as the keys choose, until one quits."""
    ply = top = 0
    with console.screen(hide_cursor=True), open_keyboard() as keyboard:
        while True:
            size = console.size
            page, top = _page(viewer, ply, top, size)
            console.update_screen(Screen(page))
            for key in pressed_keys(keyboard, partial(_is_resized, console, size)):
                if key in QUIT:
                    return
                if key in FORWARD:
                    ply = min(ply + 1, viewer.last)
                elif key in BACK:
                    ply = max(ply - 1, 0)
                elif key in FIRST:
                    ply = 0
                elif key in LAST:
                    ply = viewer.last
                elif key in UP | DOWN:
                    top += 1 if key in DOWN else -1


def _is_resized(console: Console, size: ConsoleDimensions) -> bool:
    return console.size != size


def _page(viewer: ReplayViewer, ply: int, top: int, size: ConsoleDimensions) -> tuple[Text, int]:
    """What fits a terminal: the table from its line `top` on, and the line that it begins with."""
    heading, *table = viewer.table(ply, size.width).split("\n")
    room = max(size.height - 3, 1)
    top = max(0, min(top, len(table) - room))
    keys = Text(_KEYS if len(table) <= room else f"{_SCROLL}{_KEYS}", "dim")
    lines = [heading, *table[top : top + room], viewer.verdict, keys]
    return Text("\n", no_wrap=True, overflow="crop").join(lines), top

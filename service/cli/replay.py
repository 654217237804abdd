"""`asterism replay`: a game that was handed on, shown move by move."""

from typing import BinaryIO

import click
from rich.console import Console
from rich.text import Text

from service.cli.parameters import read_replay
from service.cli.render import changed, face, render_view
from service.games.moves import format_move
from service.play.referee import Followed, play_through
from service.records.replay import Replay

FORWARD = {"\x1b[C", "\x1bOC", " ", "\r", "n"}
BACK = {"\x1b[D", "\x1bOD", "\x7f", "p"}
FIRST = {"\x1b[H", "\x1bOH", "\x1b[1~", "g"}
LAST = {"\x1b[F", "\x1bOF", "\x1b[4~", "G"}
QUIT = {"\x1b", "\x04", "q"}
"""The keys that step through a replay: arrows, Home and End, and letters for those without."""

_KEYS = "← → step   Home End jump   q quit"


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--ply", type=click.IntRange(min=0), help="Show the table after this move alone.")
def replay(file: BinaryIO, ply: int | None) -> None:
    """Show a game that was handed on, move by move.

    FILE is the answer of a game's /replay, as JSON or as text, - for stdin. On a terminal the arrow
    keys step through it; anywhere else it is printed whole. The exit status is 0 if the replay is
    right, else 1.
    """
    told = read_replay(file)
    film = ReplayViewer(told, play_through(told))
    console = Console(highlight=False, soft_wrap=True)
    if ply is not None:
        if ply > film.last:
            raise click.UsageError(f"There are {film.last} right moves, and no ply {ply}.")
        console.print(film.still(ply, console.width))
    elif console.is_terminal:
        step_through(film, console)
    else:
        console.print(film.whole(console.width))
    console.print(film.verdict)
    if film.fault is not None:
        raise click.exceptions.Exit(1)


class ReplayViewer:
    """A replay as it is shown: each table of it, and what is said beside."""

    def __init__(self, told: Replay, play: Followed) -> None:
        self._told = told
        self._positions = play.positions
        self.fault = play.fault

    @property
    def last(self) -> int:
        """How many moves there are to be shown."""
        return max(0, len(self._positions) - 1)

    @property
    def verdict(self) -> Text:
        """That the replay is right, and how the game ended; or what is wrong first."""
        if self.fault is not None:
            move = "" if self.fault.move is None else f"{format_move(self.fault.move)}: "
            return Text(f"wrong at ply {self.fault.ply}: {move}{self.fault.detail}", "red")
        won = self._positions[-1].view.won
        status = "won" if won else (self._told.status or "in_progress").replace("_", " ")
        return Text(f"right: {status} after {self.last} moves", "green")

    def still(self, ply: int, width: int) -> Text:
        """The table after `ply` moves under a heading; what was moved last stands out."""
        heading = Text(f"{self._told.variant.title}, ply {ply} of {self.last}", "bold")
        if not self._positions:
            return heading
        view = self._positions[ply].view
        marked = changed(self._positions[ply - 1].view, view) if ply else frozenset()
        move = [self._move(ply)] if ply else []
        return Text("\n").join([heading, *move, Text(), render_view(view, marked, width)])

    def whole(self, width: int) -> Text:
        """The table at the start, every move with what it turned, and the table at the end."""
        moves = [self._move(ply) for ply in range(1, self.last + 1)]
        end = [Text(), self.still(self.last, width)] if moves else []
        return Text("\n").join([self.still(0, width), *moves, *end])

    def _move(self, ply: int) -> Text:
        move = self._told.moves[ply - 1]
        line = Text(f"{ply:4}  {format_move(move)}")
        for pile, card in self._positions[ply - 1].play(move).reveals:
            line.append(f"  {pile} ", "dim").append_text(face(card))
        return line


def step_through(film: ReplayViewer, console: Console) -> None:
    """Shows one table after another, as the keys say, until they say that it is enough."""
    ply = 0
    with console.screen(hide_cursor=True) as screen:
        while True:
            keys = Text(_KEYS, "dim")
            screen.update(Text("\n").join([film.still(ply, console.width), film.verdict, keys]))
            key = click.getchar()
            if key in QUIT:
                return
            if key in FORWARD:
                ply = min(ply + 1, film.last)
            elif key in BACK:
                ply = max(ply - 1, 0)
            elif key in FIRST:
                ply = 0
            elif key in LAST:
                ply = film.last

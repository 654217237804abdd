"""`asterism replay`: shows a replay move by move."""

import os
import sys
from typing import BinaryIO

import click
from rich.console import Console
from rich.text import Text

from service.cli.parameters import read_replay
from service.cli.render import changed_places, render_card, render_view
from service.games.moves import format_move
from service.play.referee import Followed, play_through
from service.records.replay import Replay


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
    elif console.is_terminal and sys.stderr.isatty():
        from service.cli.replay_app import ReplayApp  # noqa: PLC0415 - textual is slow to load

        if not sys.stdin.isatty():  # which the replay came from
            os.dup2(os.open("/dev/tty", os.O_RDWR), sys.stdin.fileno())
        ReplayApp(viewer).run()
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

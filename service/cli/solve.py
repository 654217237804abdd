"""`asterism solve` and `asterism catalogue`: solve deals or boards, and compile the results."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import click
import orjson

from service.cli.json_lines import echo_search_form, write_lines
from service.cli.line_files import out_option, read_lines
from service.cli.parameters import Deals, board_option, read_board
from service.deals.catalogue import LETTERS, Row, compile_rows
from service.deals.deal import PublicDeal, start_position
from service.games import find_variant
from service.games.base import Position
from service.games.moves import format_move
from service.records.statistics import wilson
from service.solvers import SOLVERS
from service.solvers.verdict import Solved, count_transfers


@click.command()
@click.argument("name", type=click.Choice(tuple(SOLVERS)), required=False)
@click.option("--deal", "numbers", type=Deals(), help="A deal, or deals as in 1..1000.")
@board_option
@click.option("--budget", type=click.IntRange(min=1), help="Positions to look at before giving up.")
@out_option
@click.option("--line", is_flag=True, help="Include the winning moves.")
def solve(  # noqa: PLR0913, PLR0917 - one per option
    name: str | None,
    numbers: range | None,
    board: BinaryIO | None,
    budget: int | None,
    out: Path | None,
    line: bool,
) -> None:
    """Decide deals or a board: winnable, unwinnable, or unknown.

    Writes one JSON line per deal, in order: variant, deal, budget, verdict, moves, transfers,
    positions and CPU seconds. The variant of a board need not be named.
    """
    if (numbers is None) == (board is None):
        raise click.UsageError("Give either --deal or --board.")
    if board is not None:
        game, position = read_board(board, tuple(SOLVERS) if name is None else (name,))
        click.echo(orjson.dumps(_decide(game, None, position, budget, line)))
    elif name is None:
        raise click.UsageError("Name the variant whose deals are to be solved.")
    elif numbers is not None:
        echo_search_form(name)
        write_lines(
            partial(decide_deal, name, budget=budget, line=line),
            lambda row: [row["variant"], row["budget"], "line" in row] == [name, budget, line],
            numbers,
            out,
        )


@click.command()
@click.argument("name", type=click.Choice(tuple(SOLVERS)))
@click.argument("file", type=click.File("rb"))
@click.option(
    "--played",
    "runs",
    type=click.File("rb"),
    multiple=True,
    help="Output of `asterism bot` for the same deals; may be repeated.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The catalogue file; without it, only the counts are printed.",
)
def catalogue(name: str, file: BinaryIO, runs: Sequence[BinaryIO], out: Path | None) -> None:
    """Make the catalogue of deals 1, 2, 3 … from the output of `asterism solve`.

    With --played, the difficulty of a deal is how often the bot lost; without, it follows from
    the positions that the solver looked at. Prints the counts with 95 % intervals.
    """
    rows = _read_rows(name, file, "solve", _is_solved_row)
    played = [_read_rows(name, run, "bot", _is_played_row) for run in runs]
    if any(len(run) != len(rows) for run in played):
        raise click.UsageError("The played deals are not the solved ones.")
    if out is not None:
        out.write_bytes(compile_rows(name, rows, played))
    kinds = [_kind(row) for row in rows]
    for kind in ("won without transfers", "rescued by transfers", "proven lost", "undecided"):
        count = kinds.count(kind)
        low, high = wilson(count, len(rows))
        click.echo(f"{kind:<22}{count:>7}  {count / len(rows):8.3%}   [{low:.3%}, {high:.3%}]")


def decide_deal(name: str, number: int, budget: int | None, line: bool) -> Row:
    """The verdict on one numbered deal, as a JSON row."""
    return _decide(
        name, number, start_position(PublicDeal(find_variant(name), number)), budget, line
    )


def _decide(
    name: str, number: int | None, position: Position, budget: int | None, line: bool
) -> Row:
    began = time.process_time()
    verdict = SOLVERS[name](position) if budget is None else SOLVERS[name](position, budget)
    seconds = round(time.process_time() - began, 4)
    moves = verdict.moves if isinstance(verdict, Solved) else None
    row = {
        "variant": name,
        "deal": None if number is None else str(number),
        "budget": budget,
        "verdict": verdict.name,
        "moves": None if moves is None else len(moves),
        "transfers": None if moves is None else count_transfers(moves),
        "positions": verdict.positions,
        "seconds": seconds,
    }
    return {**row, "line": moves and [format_move(move) for move in moves]} if line else row


def _is_solved_row(row: Row) -> bool:
    """Whether `row` has a verdict and, for a winnable deal, the counts."""
    if row.get("verdict") not in LETTERS:
        return False
    counts = ("moves", "transfers", "positions") if row["verdict"] == "winnable" else ()
    return all(type(row.get(count)) is int for count in counts)


def _is_played_row(row: Row) -> bool:
    kinds = {"won": bool, "bot": str, "seed": int}
    return all(type(row.get(name)) is kind for name, kind in kinds.items())


def _read_rows(name: str, file: BinaryIO, verb: str, is_valid: Callable[[Row], bool]) -> list[Row]:
    """The rows of `asterism <verb>` about deals 1, 2, 3 … of one variant, or a `UsageError`."""
    rows = read_lines(file)
    for number, row in enumerate(rows, start=1):
        if row.get("variant") != name or row.get("deal") != str(number):
            raise click.UsageError(
                f"{file.name}, line {number} is not about deal {number} of {name}."
            )
        if not is_valid(row):
            raise click.UsageError(
                f"{file.name}, line {number} is not output of `asterism {verb}`."
            )
    if not rows:
        raise click.UsageError(f"{file.name} has no lines.")
    return rows


def _kind(row: Row) -> str:
    if row["verdict"] == "winnable":
        return "rescued by transfers" if row["transfers"] else "won without transfers"
    return "proven lost" if row["verdict"] == "unwinnable" else "undecided"

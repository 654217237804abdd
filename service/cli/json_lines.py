"""JSON lines about many deals: worked out on all cores, written in order, gone on with later."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click
import orjson
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from service.deals.catalogue import Row
from service.solvers import FORMS

out_option = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write here, and go on after what stands here already.",
)


def write_lines(
    decide: Callable[[int], Row], variant: str, numbers: Sequence[int], out: Path | None
) -> None:
    """Writes what `decide` gives for each deal number, a JSON line each, in their order.

    The lines go to `out`, after those that stand there from an earlier run that was cut short,
    or to the standard output. The form of the searches is told on the standard error, and a
    progress bar shows on a terminal. Raises click's errors if `out` holds other lines, or is a
    device, which may be read without an end.
    """
    click.echo(f"Searches run in their {FORMS[variant]} form.", err=True)
    with _opened(out, variant, numbers) as (file, done):
        for row in _in_order(decide, numbers[done:], len(numbers)):
            file.write(orjson.dumps(row) + b"\n")
            file.flush()


def read_lines(file: BinaryIO) -> list[Row]:
    """The rows in `file`; click's `UsageError` names the first line that is none."""
    rows = []
    for number, written in enumerate(file, start=1):
        try:
            row = orjson.loads(written)
        except orjson.JSONDecodeError:
            row = None
        if not isinstance(row, dict):
            raise click.UsageError(f"Line {number} is no JSON object.")
        rows.append(row)
    return rows


def _in_order(decide: Callable[[int], Row], left: Sequence[int], total: int) -> Iterator[Row]:
    """What `decide` gives for each number, in their order, from all cores."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with (
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
        multiprocessing.Pool(_cores(), _ignore_interrupts) as pool,
    ):
        task = progress.add_task("deals", total=total, completed=total - len(left))
        for row in pool.imap(decide, left, chunksize=max(1, min(16, len(left) // 64))):
            yield row
            progress.advance(task)


@contextmanager
def _opened(
    out: Path | None, variant: str, numbers: Sequence[int]
) -> Iterator[tuple[BinaryIO, int]]:
    """Where the lines go, and how many stand there already."""
    if out is None:
        yield sys.stdout.buffer, 0
        return
    if out.exists() and not out.is_file():
        raise click.ClickException(
            f"{out} is no ordinary file. Write to one, or without --out to the standard output."
        )
    with out.open("a+b") as file:
        yield file, _lines_kept(file, out, variant, numbers)


def _lines_kept(file: BinaryIO, out: Path, variant: str, numbers: Sequence[int]) -> int:
    """How many lines stand in `file`; a last one that was not written whole is cut off."""
    file.seek(0)
    done, end = 0, 0
    for written in file:
        if not written.endswith(b"\n"):
            break
        try:
            row = orjson.loads(written)
            fits = (row["variant"], row["deal"]) == (variant, str(numbers[done]))
        except (ValueError, KeyError, TypeError, IndexError):
            fits = False
        if not fits:
            raise click.ClickException(
                f"{out} is not the beginning of these deals: line {done + 1} is another. "
                "Write to another file, or ask for the same deals again."
            )
        done, end = done + 1, end + len(written)
    file.truncate(end)
    return done


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ignore_interrupts() -> None:
    """Leaves Ctrl-C to the process that writes, which then ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

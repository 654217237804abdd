"""Computes JSON rows for many deals on all cores, and writes them in order, resumably."""

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
from rich.progress import track

from service.cli.text_files import read_text
from service.deals.catalogue import Row
from service.server.with_parent import end_with_parent
from service.solvers import search_form

out_option = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The output file; an interrupted run continues after the lines in it.",
)


def write_lines(
    decide: Callable[[int], Row],
    is_ours: Callable[[Row], bool],
    numbers: Sequence[int],
    out: Path | None,
) -> None:
    """Writes `decide(number)` for each deal number as a JSON line, in order.

    Appends to `out`, continuing an interrupted run, or writes to standard output; a terminal gets a
    progress bar on standard error. Raises click's errors if `out` has lines about other deals or
    lines that are not `is_ours`, or if it is a device, which might be read endlessly.
    """
    with _opened(out, is_ours, numbers) as (file, done):
        for row in _in_order(decide, numbers[done:], len(numbers)):
            file.write(orjson.dumps(row) + b"\n")
            file.flush()


def echo_search_form(variant: str) -> None:
    """Says on standard error how the search of a game runs, if that makes a difference."""
    if form := search_form(variant):
        click.echo(form, err=True)


def read_lines(file: BinaryIO) -> list[Row]:
    """The rows in `file`; raises click's `UsageError` for a line that is no JSON object."""
    rows = []
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            row = None
        if not isinstance(row, dict):
            raise click.UsageError(f"Line {number} is not a JSON object.")
        rows.append(row)
    return rows


def _in_order(decide: Callable[[int], Row], remaining: Sequence[int], total: int) -> Iterator[Row]:
    """`decide(number)` for each number, in order, computed on all cores."""
    console = Console(stderr=True)
    with multiprocessing.Pool(_cores(), _start_worker) as pool:
        yield from track(
            pool.imap(decide, remaining, chunksize=max(1, min(16, len(remaining) // 64))),
            "deals",
            total,
            total - len(remaining),
            console=console,
            disable=not console.is_terminal,
        )


@contextmanager
def _opened(
    out: Path | None, is_ours: Callable[[Row], bool], numbers: Sequence[int]
) -> Iterator[tuple[BinaryIO, int]]:
    """The output file, and the number of complete lines in it."""
    if out is None:
        yield sys.stdout.buffer, 0
        return
    if out.exists() and not out.is_file():
        raise click.ClickException(
            f"{out} is not a regular file. Omit --out to write to standard output."
        )
    with out.open("a+b") as file:
        yield file, _lines_kept(file, out, is_ours, numbers)


def _lines_kept(
    file: BinaryIO, out: Path, is_ours: Callable[[Row], bool], numbers: Sequence[int]
) -> int:
    """The number of lines in `file`, after cutting off an incomplete last one."""
    file.seek(0)
    done, end = 0, 0
    for line in file:
        if not line.endswith(b"\n"):
            break
        try:
            row = orjson.loads(line)
            fits = row["deal"] == str(numbers[done]) and is_ours(row)
        except (ValueError, KeyError, TypeError, IndexError):
            fits = False
        if not fits:
            raise click.ClickException(
                f"{out} is not from this run: line {done + 1} has another deal or option. "
                "Write to another file, or repeat the command that wrote it."
            )
        done, end = done + 1, end + len(line)
    file.truncate(end)
    return done


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start_worker() -> None:
    """Leaves Ctrl-C to the main process, which then ends the workers, or ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()

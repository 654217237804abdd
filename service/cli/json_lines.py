"""Writes the rows of a job as JSON lines, in order, and continues the lines of an earlier run."""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import click
import orjson
from rich.console import Console
from rich.progress import track
from typing_extensions import override

from service.bots.asking import Monitor
from service.cli.text_files import read_text
from service.cli.workers import Done, Job, done, started
from service.deals.catalogue import Row
from service.solvers import search_form

out_option = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The output file; an interrupted run continues after the lines in it.",
)

Place = Callable[[Row, int], int]
"""Takes a row and the number of its line, from 0; gives the index of the task that made it.

Raises `LookupError`, `TypeError` or `ValueError` if no task of the job did.
"""


@dataclass(frozen=True)
class _Numbered(Job):
    """A job that decides numbered deals."""

    decide: Callable[[int], Row]
    numbers: Sequence[int]

    @override
    def __len__(self) -> int:
        return len(self.numbers)

    @override
    def do(self, index: int, monitor: Monitor) -> Row:
        return self.decide(self.numbers[index])

    @override
    def name(self, index: int) -> str:
        return f"deal {self.numbers[index]}"

    @override
    def abandon(self, game: str, token: str) -> None:
        raise NotImplementedError


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

    def place(row: Row, line: int) -> int:
        if not is_ours(row):
            raise ValueError
        return place_of(numbers, row, line)

    job = _Numbered(decide, numbers)
    if out is None:
        do_job(job, (), write_to(sys.stdout.buffer), "deals", cores())
        return
    with continued(out, place, lambda row: None) as (write, kept):
        do_job(job, kept, write, "deals", cores())


def place_of(numbers: Sequence[int], row: Row, line: int) -> int:
    """The index in `numbers` of the deal of `row`, most likely `line`; see `Place`."""
    number = int(row["deal"])
    if row["deal"] != str(number):
        raise ValueError
    return line if line < len(numbers) and numbers[line] == number else numbers.index(number)


def do_job(  # noqa: PLR0913, PLR0917
    job: Job,
    kept: Collection[int],
    write: Callable[[Row], None],
    what: str,
    processes: int,
    timeout: float | None = None,
) -> None:
    """Does the tasks of `job` that are not `kept`, and writes their rows in order.

    Whatever ends it, every row that has been computed is written, after a gap if need be. Raises
    what `done` raises. `what` the tasks are is said at the progress bar.
    """
    remaining = [n for n in range(len(job)) if n not in kept] if kept else range(len(job))
    console = Console(stderr=True)
    with started(job, min(processes, len(remaining))) as workers:
        _write_in_order(
            remaining,
            track(
                done(job, workers, remaining, timeout),
                what,
                len(job),
                len(kept),
                console=console,
                disable=not console.is_terminal,
            ),
            write,
        )


def _write_in_order(
    indices: Iterable[int], results: Iterable[Done], write: Callable[[Row], None]
) -> None:
    """Writes each row as soon as those before it are written; at the end all that are left."""
    due, early = iter(indices), dict[int, Row]()
    following = next(due, None)
    try:
        for index, row in results:
            early[index] = row
            while following in early:
                write(early.pop(following))
                following = next(due, None)
    finally:
        for index in sorted(early):
            write(early[index])


def write_to(file: BinaryIO) -> Callable[[Row], None]:
    """What writes rows to `file`, each as a whole line at once."""

    def write(row: Row) -> None:
        file.write(orjson.dumps(row) + b"\n")
        file.flush()

    return write


@contextmanager
def continued(
    out: Path, place: Place, note: Callable[[Row], None]
) -> Iterator[tuple[Callable[[Row], None], set[int]]]:
    """What appends rows to the file `out`, and the indices of those that it has already.

    An incomplete last line is cut off, and `note` is called with each row that is kept. Lines that
    an interrupted run left behind a gap are put in their place when the block ends well. Raises
    click's `ClickException` for a device, and for lines that have no place in the job.
    """
    if out.exists() and not out.is_file():
        raise click.ClickException(f"{out} is not a regular file. Omit --out to do without one.")
    with out.open("a+b") as file:
        indices = _indices(file, out, place, note)
        yield write_to(file), set(indices)
    if indices != list(range(len(indices))):
        _sort(out, place)


def _indices(file: BinaryIO, out: Path, place: Place, note: Callable[[Row], None]) -> list[int]:
    """The index of each complete line in `file`, after cutting off an incomplete last one."""
    file.seek(0)
    found, end = dict[int, None](), 0
    for line in file:
        if not line.endswith(b"\n"):
            break
        try:
            row = orjson.loads(line)
            index = place(row, len(found))
            fits = index not in found
        except (ValueError, LookupError, TypeError):
            fits = False
        if not fits:
            raise click.ClickException(
                f"{out} is not from this run: line {len(found) + 1} has another deal or option. "
                "Write to another file, or repeat the command that wrote it."
            )
        note(row)
        found[index] = None
        end += len(line)
    file.truncate(end)
    return list(found)


def _sort(out: Path, place: Place) -> None:
    """Puts the lines of a file into the order of the job."""
    lines = out.read_bytes().splitlines(keepends=True)
    order = sorted(range(len(lines)), key=lambda n: place(orjson.loads(lines[n]), n))
    sorted_file = out.with_name(f"{out.name}.sorted")
    sorted_file.write_bytes(b"".join(lines[n] for n in order))
    sorted_file.replace(out)


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


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

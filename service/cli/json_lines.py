"""Does jobs on all cores and writes their rows as JSON lines, in order."""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from typing_extensions import override

from service.bots.asking import Monitor
from service.cli.line_files import continued, place_of, write_to
from service.cli.workers import Done, Job, done, started
from service.deals.catalogue import Row


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
    from rich.console import Console  # noqa: PLC0415 - slow to load
    from rich.progress import track  # noqa: PLC0415

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


def echo_search_form(variant: str) -> None:
    """Says on standard error how the search of a game runs, if that makes a difference."""
    from service.solvers import search_form  # noqa: PLC0415 - slow to load

    if form := search_form(variant):
        click.echo(form, err=True)


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

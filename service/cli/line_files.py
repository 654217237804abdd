"""Files of JSON lines: they are read, written, and continued after an interrupted run."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click
import orjson

from service.cli.text_files import read_text
from service.deals.catalogue import Row

out_option = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The output file; an interrupted run continues after the lines in it.",
)

Place = Callable[[Row, int], int]
"""Takes a row and the number of its line, from 0; gives the index of the task that made it.

Raises `LookupError`, `TypeError` or `ValueError` if no task of the job did.
"""


def place_of(numbers: Sequence[int], row: Row, line: int) -> int:
    """The index in `numbers` of the deal of `row`, most likely `line`; see `Place`."""
    number = int(row["deal"])
    if row["deal"] != str(number):
        raise ValueError
    return line if line < len(numbers) and numbers[line] == number else numbers.index(number)


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

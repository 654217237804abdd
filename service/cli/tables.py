"""The tables in which scores of bots are shown."""

from collections.abc import Sequence

import click
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from service.cli.scores import Pair, Score

_UNBOUNDED = 10_000
"""More columns than any table has."""


def show_scores(scores: Sequence[Score], title: str) -> None:
    """Prints a row for each bot: games, wins, win rate, moves and times."""
    remote = any(score.requests for score in scores)
    table = _table("bot", title)
    headings = ["games", "won", "win rate (95 %)", "moves", "CPU\na move"]
    for heading in [*headings, *(("requests", "round\ntrip") if remote else ())]:
        table.add_column(heading, justify="right", no_wrap=True, vertical="bottom")
    for score in scores:
        rate = score.rate
        cells = [
            score.bot,
            f"{score.games:,}",
            f"{score.won:,}",
            f"{rate.share:.1%} ({rate.low * 100:.1f}–{rate.high * 100:.1f})",
            f"{score.moves / score.games:.0f}",
            time_text(score.move_seconds),
        ]
        if remote:
            cells += [f"{score.requests:,}", time_text(score.request_seconds)]
        table.add_row(*cells)
    _show(table)


def show_pairs(pairs: Sequence[Pair]) -> None:
    """Prints a row for each pair, and below what the test says of it; nothing if there is none."""
    if not pairs:
        return
    table = _table("deals won by", "")
    for heading in ("first\nalone", "second\nalone", "both", "neither", "p"):
        table.add_column(heading, justify="right", no_wrap=True, vertical="bottom")
    for pair in pairs:
        counts = (pair.one_alone, pair.other_alone, pair.both, pair.neither)
        table.add_row(
            f"{pair.one}, {pair.other}", *(f"{count:,}" for count in counts), f"{pair.p:.2g}"
        )
    _show(table)
    for pair in pairs:
        click.echo(f" {pair.verdict}")
    if len(pairs) > 1:
        click.echo(f" (p is that of each exact paired test; the verdicts allow for {len(pairs)}.)")


def time_text(seconds: float | None) -> str:
    """A time in the unit that suits it, with two digits at least: `0.34 ms`, `120 ms`."""
    if seconds is None:
        return "-"
    value, unit = next(
        (seconds * factor, unit)
        for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"))
        if seconds * factor >= 1 or unit == "µs"
    )
    return f"{value:.{0 if value >= 100 else 1}f} {unit}"


def _table(first: str, title: str) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title=title or None,
        title_justify="left",
        title_style="bold",
    )
    table.add_column(first, overflow="fold", min_width=8)
    return table


def _show(table: Table) -> None:
    """Prints a table as wide as the terminal, or wider where figures would be cut off."""
    names, *figures = table.columns
    for column in figures:
        texts = [str(column.header), *map(str, column.cells)]
        column.min_width = max(cell_len(line) for text in texts for line in text.splitlines())
    console = Console()
    names.max_width = names.min_width  # names are folded
    unbounded = console.options.update(width=_UNBOUNDED)
    least = Measurement.get(console, unbounded, table).minimum
    names.max_width = None
    (console if least <= console.width else Console(width=least)).print(table)

"""Options that `asterism bot` and `asterism arena` share, and how their games are run."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields
from functools import reduce, wraps
from pathlib import Path
from typing import Any

import click

from service.bots.loading import find_bot
from service.cli.contest_job import Contest, Remote
from service.cli.json_lines import cores, do_job, echo_search_form
from service.cli.line_files import continued, out_option, write_to
from service.cli.parameters import Deals, label_key_option, new_label_key
from service.deals.catalogue import Row
from service.games import VARIANTS

_AT_ONCE = 8
"""Games that are played at once on a service, if nothing else is said."""

_LONGEST_TIMER = 1e6
"""Seconds that a timer of the system can surely be set to."""

_OPTIONS = (
    click.option("--variant", type=click.Choice(tuple(VARIANTS)), required=True, help="The game."),
    click.option("--deal", "numbers", type=Deals(), help="Numbered deals, as in 1..1000."),
    click.option("--url", help="The service to play on, as in http://127.0.0.1:8000."),
    click.option("--label", help="The label of the games on a service."),
    label_key_option,
    click.option(
        "--parallel",
        type=click.IntRange(1, 64),
        help=f"Games at once: by default one a core, and {_AT_ONCE} on a service.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, 2**32 - 1),
        default=0,
        show_default=True,
        help="Seed of the bots; for fair and strong, any but 0 adds a little noise.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=60,
        show_default=True,
        help="Seconds that a bot may think about a move.",
    ),
    out_option,
    click.option(
        "--json", "as_json", is_flag=True, help="Print a JSON line per game, and no table."
    ),
)


@dataclass(frozen=True)
class Options:
    """What the shared options of a command are given."""

    variant: str
    numbers: range | None
    url: str | None
    label: str | None
    label_key: str | None
    parallel: int | None
    seed: int
    timeout: float
    out: Path | None
    as_json: bool


def contest_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the shared options to a command, which gets them as `options`."""

    @wraps(command)
    def with_options(**given: Any) -> None:
        shared = {field.name: given.pop(field.name) for field in fields(Options)}
        command(options=Options(**shared), **given)

    return reduce(lambda made, option: option(made), reversed(_OPTIONS), with_options)


def play_contest(
    bots: tuple[str, ...],
    games: int | None,
    options: Options,
    show: Callable[[list[Row]], None],
) -> None:
    """Plays the games that the options ask for, `games` of them if the deals are random.

    At the end, `show` is called with the rows of all that are finished, however it ends. With
    `--json` they are printed; with `--out` they are written to that file, after those that it has.
    Raises click's `UsageError` for options that contradict each other, what `find_bot` and `check`
    of a service raise, and what `do_job` raises.
    """
    contest = _contest(bots, games, options)
    processes = options.parallel or (cores() if contest.remote is None else _AT_ONCE)
    rows: list[Row] = []
    try:
        with _output(contest, options, rows) as (write, kept):
            claimed, key = contest.claimed(kept)
            if key is not None:
                click.echo(new_label_key(options.label, key), err=True)
            do_job(claimed, kept, write, "games", processes, options.timeout)
    finally:
        if rows:
            show(rows)


def _contest(bots: tuple[str, ...], games: int | None, options: Options) -> Contest:
    numbers, url = options.numbers, options.url
    if numbers is None and (games is None or url is None):
        raise click.UsageError(
            "Give --deal, as in 1..100." if url is None else "Give --games, or --deal as in 1..100."
        )
    if numbers is not None and games not in (None, len(numbers)):
        raise click.UsageError(f"--deal names {len(numbers)} games, --games {games}: give one.")
    if url is None and options.label is not None:
        raise click.UsageError("A label is for games on a service: give --url too.")
    if options.label is None and options.label_key is not None:
        raise click.UsageError("A label key is for a label: give --label too.")
    if options.out is not None and options.as_json:
        raise click.UsageError("Give either --out, for lines in a file, or --json.")
    for bot in bots:
        with _loading(options.timeout):
            spec = find_bot(bot)
        if options.variant not in spec.variants:
            raise click.UsageError(f"{bot} does not play {VARIANTS[options.variant].title}.")
    if any(find_bot(bot).searches for bot in bots):
        echo_search_form(options.variant)
    remote = None
    if url is not None:
        from service.bots import over_http  # noqa: PLC0415 - httpx is slow to load

        over_http.check(url, options.variant)
        remote = Remote(url, options.label, options.label_key)
    count = games if numbers is None else len(numbers)
    assert count is not None
    return Contest(options.variant, bots, numbers, count, options.seed, remote)


@contextmanager
def _loading(seconds: float) -> Iterator[None]:
    """Raises `TimeoutError` where the code of a bot is after so many seconds of loading."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"no end within {seconds:g} s; allow more with --timeout")

    former = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, min(_LONGEST_TIMER, seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


@contextmanager
def _output(
    contest: Contest, options: Options, rows: list[Row]
) -> Iterator[tuple[Callable[[Row], None], set[int]]]:
    """What takes the rows, and the indices of those that there are. All get into `rows`, too."""
    lines: Any = nullcontext((write_to(sys.stdout.buffer) if options.as_json else None, set[int]()))
    if options.out is not None:
        lines = continued(options.out, contest.place, rows.append)
    with lines as (write_line, kept):

        def write(row: Row) -> None:
            rows.append(row)
            if write_line is not None:
                write_line(row)

        yield write, kept

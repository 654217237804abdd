"""`asterism arena`: sets bots against each other on the same deals."""

import os
from pathlib import Path

import click

from service.cli.bot import WHO_PLAYS_WHAT
from service.cli.contest import Options, contest_options, play_contest
from service.cli.scores import pairs, scores
from service.deals.catalogue import Row
from service.games import VARIANTS


@click.command(epilog=f"\b\nWho plays what:\n{WHO_PLAYS_WHAT}")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT …]")
@contest_options
@click.option(
    "--plot",
    "picture",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="An SVG file for a plot of win rate against time a move.",
)
def arena(bots: tuple[str, ...], picture: Path | None, options: Options) -> None:
    """Set bots against each other on the same deals, here or on a service.

    Bots are named as for `asterism bot`. Prints the score of each, and for each two of them the
    deals that one won alone, both and neither, with the exact paired test (McNemar, two-sided) of
    whether the difference is more than chance.
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise click.UsageError("Name two bots or more, each once.")
    if options.numbers is None:
        raise click.UsageError("Give the deals that all bots play: --deal, as in 1..1000.")
    if picture is not None:
        _check(picture)

    def show(rows: list[Row]) -> None:
        found, title = scores(rows, bots), VARIANTS[options.variant].title
        if not options.as_json:
            from service.cli.tables import show_pairs, show_scores  # noqa: PLC0415 - loads rich

            show_scores(found, title)
            show_pairs(pairs(rows, bots))
        if picture is not None:
            from service.cli.plot import plot  # noqa: PLC0415 - seldom needed

            picture.write_text(plot(found, title), encoding="utf-8")

    play_contest(bots, None, options, show)


def _check(picture: Path) -> None:
    """Raises click's `UsageError` unless a plot can be written there; better now than later."""
    folder = picture.absolute().parent
    if picture.suffix.lower() != ".svg":
        raise click.UsageError(f"A plot is an SVG file: call it {picture.with_suffix('.svg')}.")
    if not folder.is_dir():
        raise click.UsageError(f"There is no folder {folder} for the plot.")
    if not os.access(folder, os.W_OK):
        raise click.UsageError(f"No plot can be written to the folder {folder}.")

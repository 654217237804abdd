"""`asterism play`: a table for people, in the terminal."""

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import click

from service.cli.parameters import DealNumber, label_key_option, new_label_key
from service.games import VARIANTS

if TYPE_CHECKING:
    from service.cli.terminal.table import DealChoice, Table

_NEEDS_URL = ("daily", "game", "token", "label", "label_key")


@click.command()
@click.argument("name", type=click.Choice(tuple(VARIANTS)), required=False)
@click.option("--deal", "number", type=DealNumber(), help="A deal number; a random one otherwise.")
@click.option("--daily", is_flag=True, help="The deal of the day; with --url.")
@click.option("--url", help="Play at this service instead of here.")
@click.option("--label", help="The name to play under at the service.")
@label_key_option
@click.option("--game", metavar="ID", help="Go on with this game of the service.")
@click.option("--token", help="The play token of the game; without it you watch.")
@click.pass_context
def play(  # noqa: PLR0913, PLR0917 - a parameter for each option
    ctx: click.Context,
    name: str | None,
    number: int | None,
    daily: bool,
    url: str | None,
    label: str | None,
    label_key: str | None,
    game: str | None,
    token: str | None,
) -> None:
    """Play in the terminal, with keys or the mouse.

    Undo and hints are free. Games are played here, or at a service with --url.
    """
    for option in _NEEDS_URL:
        if ctx.params[option] and url is None:
            raise click.UsageError(f"--{option.replace('_', '-')} needs --url, a service.")
    if game is not None and (name or number or daily):
        raise click.UsageError("--game names the game: leave out variant, --deal and --daily.")
    if label_key is not None and label is None:
        raise click.UsageError("A label key is for a label: give --label too.")
    if token is not None and game is None:
        raise click.UsageError("--token needs --game.")
    if daily and number:
        raise click.UsageError("Give --deal or --daily, not both.")
    if (number or daily) and name is None:
        raise click.UsageError(f"Which game? Name one of {', '.join(VARIANTS)}.")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError("This needs a terminal; asterism bot plays without one.")
    if os.environ.get("TERM") == "dumb":
        raise click.UsageError("This terminal cannot move its cursor (TERM=dumb).")
    deal: DealChoice = "daily" if daily else number or "random"
    again = asyncio.run(_play(name, deal, url, label, label_key, game, token))
    if again:
        click.echo(f"Again: {again}")


async def _play(  # noqa: PLR0913, PLR0917 - as the command
    name: str | None,
    deal: "DealChoice",
    url: str | None,
    label: str | None,
    label_key: str | None,
    game: str | None,
    token: str | None,
) -> str:
    """Plays until the player leaves; gives a line that says how to come back.

    Raises `TableError` if the service cannot be reached at the start.
    """
    from service.cli.terminal.app import TerminalApp  # noqa: PLC0415 - textual is slow to load
    from service.cli.terminal.local import LocalHost  # noqa: PLC0415
    from service.cli.terminal.remote import RemoteHost  # noqa: PLC0415

    host = LocalHost() if url is None else RemoteHost(url, label, label_key)
    try:
        table: Table | None = None
        variant = VARIANTS[name] if name else None
        if game is not None and isinstance(host, RemoteHost):
            table = await host.find_table(game, token)
        elif variant is not None:
            table = await host.new_table(variant, deal)
        else:
            await host.check()
        app = TerminalApp(host, variant, table)
        await app.run_async()
    finally:
        await host.close()
        if isinstance(host, RemoteHost) and host.new_label_key:
            click.echo(new_label_key(label, host.new_label_key))
    return app.again

"""`asterism sweep`: records results that a crash kept out of the statistics."""

import click


@click.command()
def sweep() -> None:
    """Record the results of all ended games again.

    Statistics are exact without it, unless a process crashed after it had saved a game and before
    it had recorded its result. It can be run at any time, and repeatedly. Warns of a store that may
    lose games. Reads REDIS_URL and ASTERISM_DATA.
    """
    from service.server.sweep import sweep as run  # noqa: PLC0415 - no other needs redis-py

    report = run(lambda text: click.echo(f"Warning: {text}", err=True))
    click.echo(f"{report.games} games, {report.ended} of them ended: their results are recorded")
    if report.unreadable:
        click.echo(f"unreadable games, left unchanged: {report.unreadable}")

"""`asterism sweep`: results that a crash has kept from the figures."""

import click


@click.command()
def sweep() -> None:
    """Enter the results of all ended games again.

    Figures are exact without it unless a process ended between keeping a game and entering its
    result. To sweep twice, or while games are played, changes nothing else. Heeds REDIS_URL and
    ASTERISM_DATA.
    """
    from service.server.sweep import sweep as run  # noqa: PLC0415 - redis, which no other needs

    swept = run()
    click.echo(f"{swept.games} games, {swept.ended} of them over: their results are entered")
    if swept.unreadable:
        click.echo(f"could not be read and have been left as they are: {swept.unreadable}")

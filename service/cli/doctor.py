"""`asterism doctor`: what is right and what is wrong with the set-up."""

import click

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.pass_context
def doctor(context: click.Context) -> None:
    """Check settings, secrets, folder, store, persistence, memory and clock.

    A line each: ok, warn or fail, and the way out. Heeds the environment that `serve` does, and
    changes nothing. Ends with 1 if something fails.
    """
    from service.server.doctor import diagnose_setup  # noqa: PLC0415 - redis and gunicorn, which are slow

    failed = False
    for level, about, words, way_out in diagnose_setup():
        failed |= level == "fail"
        click.echo(f"{click.style(f'{level:<5}', _COLOURS[level])} {about:<12} {words}")
        if way_out:
            click.echo(f"{'':<18} {way_out}")
    context.exit(failed)

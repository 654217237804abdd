"""`asterism doctor`: checks a set-up and says how to fix it."""

import click

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.pass_context
def doctor(context: click.Context) -> None:
    """Check settings, secrets, folder, store, persistence, memory and clock.

    Prints one line per check: ok, warn or fail, and how to fix it. Reads the environment as `serve`
    does, and changes nothing. Exits with 1 if a check fails.
    """
    from service.server.doctor import diagnose_setup  # noqa: PLC0415 - loads redis-py, slowly

    failed = False
    for level, topic, text, remedy in diagnose_setup():
        failed |= level == "fail"
        click.echo(f"{click.style(f'{level:<5}', _COLOURS[level])} {topic:<12} {text}")
        if remedy:
            click.echo(f"{'':<18} {remedy}")
    context.exit(failed)

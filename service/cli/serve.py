"""`asterism serve`: serves the games over HTTP."""

import click

from service.config import VARIABLES


@click.command(
    epilog="\b\nEnvironment variables  [default]:\n"
    + "\n".join(f"  {name:<32} {meaning}" for name, meaning in VARIABLES.items())
)
def serve() -> None:
    """Serve the games over HTTP."""
    from service.server.serve import serve as run  # noqa: PLC0415 - gunicorn is slow to load

    run()

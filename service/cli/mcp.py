"""`asterism mcp`: lets language models play, over the Model Context Protocol."""

import signal
import sys

import click

_DEFAULT_URL = "http://127.0.0.1:8000"


@click.command()
@click.option(
    "--url",
    envvar="ASTERISM_URL",
    default=_DEFAULT_URL,
    show_default=True,
    show_envvar=True,
    help="The service to play at.",
)
def mcp(url: str) -> None:
    """Serve tools for language models, on stdin and stdout.

    The tools play at a running service: they start games, show the board, list and play moves, undo
    and ask for hints. Programs that speak the Model Context Protocol start this command themselves.
    It needs `pip install 'asterism[mcp]'`.
    """
    from service.client import ClientError  # noqa: PLC0415 - httpx is slow to load

    try:
        from service.cli.mcp_server import serve  # noqa: PLC0415 - so is mcp, which may be missing
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "mcp":
            raise
        raise click.ClickException(
            "The Python SDK of the Model Context Protocol is missing: pip install 'asterism[mcp]'."
        ) from None
    if sys.stdin.isatty():
        click.echo(f"Waiting for a program that speaks MCP on stdin; plays at {url}.", err=True)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a thread that reads stdin would outlive Ctrl-C
    try:
        serve(url)
    except ClientError as error:
        raise click.ClickException(str(error)) from None

"""The command line: `asterism serve`, and commands that need no server."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from service import __version__
from service.cli.text_files import use_stand_ins
from service.errors import AsterismError, InputError

COMMANDS: Mapping[str, tuple[str, str]] = {
    "arena": (
        "arena:arena",
        "Set bots against each other on the same deals, here or on a service.",
    ),
    "board": ("board:board", "Print a numbered deal as a text board."),
    "bot": ("bot:bot", "Let a bot play, without undo: numbered deals here, or games on a service."),
    "catalogue": (
        "solve:catalogue",
        "Make the catalogue of deals 1, 2, 3 … from the output of `asterism solve`.",
    ),
    "doctor": (
        "doctor:doctor",
        "Check settings, secrets, folder, store, persistence, memory and clock.",
    ),
    "mcp": ("mcp:mcp", "Serve tools for language models, on stdin and stdout."),
    "perft": (
        "board:perft",
        "Count lines of legal moves, one count per depth, with all cards known.",
    ),
    "play": ("play:play", "Play in the terminal, with keys or the mouse."),
    "replay": ("replay:replay", "Show a replay move by move, and check it."),
    "serve": ("serve:serve", "Serve the games over HTTP."),
    "solve": ("solve:solve", "Decide deals or a board: winnable, unwinnable, or unknown."),
    "sweep": ("sweep:sweep", "Record the results of all begun games again."),
    "tune": (
        "tune:tune",
        "Play the training games of a fair bot, round by round, and fit its model to them.",
    ),
    "verify-deal": (
        "verify_deal:verify_deal",
        "Derive a revealed deal again, and check everything that it claims.",
    ),
}
"""Where in this package a command is, and the first sentence of its help, by its name."""


class _Commands(click.Group):
    """Loads a command when it is called; prints errors in one line; a traceback means a bug."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, which is loaded now."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"{__name__}.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes a line for each command, and loads none of them."""
        room = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=text).get_short_help_str(room))
                    for name, (_, text) in COMMANDS.items()
                ]
            )

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the command line, on a terminal of any encoding."""
        use_stand_ins()
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            return ctx.exit(130)  # as shells have it
        except BrokenPipeError:
            raise  # click ends quietly
        except InputError as error:
            raise click.UsageError(str(error)) from None
        except (AsterismError, OSError) as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="asterism")
def main() -> None:
    """Asterism, the game service for Binary Star and Astrocyte.

    The games are called binary-star and astrocyte here. `asterism serve` serves them over HTTP.
    `play`, `bot` and `arena` play here or, with --url, at a service; `mcp` needs one.
    """

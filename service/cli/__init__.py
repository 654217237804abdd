"""The command line: `asterism serve`, and commands that need no server."""

from typing import Any, BinaryIO

import click

from service import __version__
from service.cli.arena import arena
from service.cli.bot import bot
from service.cli.doctor import doctor
from service.cli.mcp import mcp
from service.cli.parameters import DealNumber, board_option, read_board
from service.cli.play import play
from service.cli.replay import replay
from service.cli.solve import catalogue, solve
from service.cli.sweep import sweep
from service.cli.text_files import use_stand_ins
from service.cli.tune import tune
from service.cli.verify_deal import verify_deal
from service.config import VARIABLES
from service.deals.deal import PublicDeal, start_position
from service.errors import AsterismError, InputError
from service.games import VARIANTS, find_variant
from service.games.base import Position
from service.games.boards import print_position, print_view


class _Commands(click.Group):
    """Prints errors in one line; a traceback means a bug."""

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


_variant = click.argument("name", type=click.Choice(tuple(VARIANTS)))
_number = DealNumber()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="asterism")
def main() -> None:
    """Asterism, the game service for Binary Star and Astrocyte.

    The games are called binary-star and astrocyte here. `asterism serve` serves them over HTTP.
    `play`, `bot` and `arena` play here or, with --url, at a service; `mcp` needs one.
    """


@main.command(
    epilog="\b\nEnvironment variables  [default]:\n"
    + "\n".join(f"  {name:<32} {meaning}" for name, meaning in VARIABLES.items())
)
def serve() -> None:
    """Serve the games over HTTP."""
    from service.server.serve import serve as run  # noqa: PLC0415 - no other needs gunicorn

    run()


@main.command()
@_variant
@click.option("--deal", "number", type=_number, help="A deal number.")
@click.option("--depth", type=click.IntRange(1, 12), required=True, help="The number of moves.")
@board_option
def perft(name: str, number: int | None, depth: int, board: BinaryIO | None) -> None:
    """Count lines of legal moves, one count per depth, with all cards known."""
    if board is not None and number is None:
        position = read_board(board, (name,))[1]
    elif number is not None and board is None:
        position = start_position(PublicDeal(find_variant(name), number))
    else:
        raise click.UsageError("Give either --deal or --board.")
    for length in range(1, depth + 1):
        click.echo(_count_lines(position, length))


@main.command()
@_variant
@click.option("--deal", "number", type=_number, required=True, help="A deal number.")
@click.option("--all-cards", is_flag=True, help="Show face-down cards, too.")
def board(name: str, number: int, all_cards: bool) -> None:
    """Print a numbered deal as a text board."""
    position = start_position(PublicDeal(find_variant(name), number))
    click.echo(print_position(position) if all_cards else print_view(position.view))


for command in (doctor, play, bot, arena, mcp, solve, catalogue, replay, verify_deal, sweep, tune):
    main.add_command(command)


def _count_lines(position: Position, length: int) -> int:
    """The number of lines of `length` legal moves."""
    moves = position.legal_moves()
    if length == 1:
        return len(moves)
    return sum(_count_lines(position.after(move), length - 1) for move in moves)

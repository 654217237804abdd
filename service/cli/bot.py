"""`asterism bot`: lets a bot play many games."""

from textwrap import indent

import click

from service.bots import BOTS
from service.cli.contest import Options, contest_options, play_contest
from service.cli.scores import scores
from service.deals.catalogue import Row
from service.games import VARIANTS

WHO_PLAYS_WHAT = "\n".join(f"  {bot:<8} {', '.join(spec.variants)}" for bot, spec in BOTS.items())

EXAMPLE = """\
class Bot:
    def choose(self, view):
        if view.stuck:
            return None

        def worth(move):
            return move.source[0] == "t", len(view[move.source].cards)

        return max(view.legal_moves(), key=worth)
"""
"""A bot of one's own."""

_OWN_BOTS = f"""\
A bot of one's own is a class with a method choose(view), in a file mine.py or
in a module that Python finds. It is made anew for each game. This one takes
from the longest pile of the tableau:

\b
{indent(EXAMPLE, "  ").replace(chr(10) * 2, chr(10))}
The view is a service.games.base.View: its piles, view["t1"].cards, and
view.legal_moves(). A move has source, target and count; a text such as "t3f1"
will do, too. None gives the game up. A class whose __init__ takes seed is given
a number there, another one for each deal. A method plan(view), in place of
choose, gives several moves; those up to the first that turns a card are played
at once, in one request.
"""


@click.command(epilog=f"{_OWN_BOTS}\n\b\nWho plays what:\n{WHO_PLAYS_WHAT}")
@click.option(
    "--bot",
    required=True,
    metavar="BOT",
    help="A name below, or one's own: package.module:Class, ./mine.py, ./mine.py:Class.",
)
@click.option(
    "--games", type=click.IntRange(1, 1_000_000), help="The number of random deals on a service."
)
@contest_options
def bot(bot: str, games: int | None, options: Options) -> None:
    """Let a bot play, without undo: numbered deals here, or games on a service.

    Prints a table of what the games came to. With --out or --json there is a JSON line per game, in
    the order of the deals: variant, deal, bot, seed, won, moves and CPU seconds; on a service also
    its game, requests and seconds waited. Games on a service that are not won are resigned. A game
    ends after 1000 moves.
    """

    def show(rows: list[Row]) -> None:
        if not options.as_json:
            from service.cli.tables import show_scores  # noqa: PLC0415 - rich is slow to load

            show_scores(scores(rows, (bot,)), VARIANTS[options.variant].title)

    play_contest((bot,), games, options, show)

"""`asterism play`: lets bots play numbered deals."""

import time
from functools import partial
from pathlib import Path

import click

from service.bots import BOTS, play_out
from service.cli.json_lines import echo_search_form, out_option, write_lines
from service.cli.parameters import Deals
from service.deals.catalogue import Row
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS, find_variant

MAX_MOVES = 1000
"""Games end after this many moves: random play could go on forever."""


@click.command(
    epilog="\b\nWho plays what:\n"
    + "\n".join(f"  {bot:<8} {', '.join(spec.variants)}" for bot, spec in BOTS.items())
)
@click.argument("name", type=click.Choice(tuple(VARIANTS)))
@click.option("--bot", type=click.Choice(tuple(BOTS)), required=True, help="The bot that plays.")
@click.option("--deal", "numbers", type=Deals(), required=True, help="Deals, as in 1..1000.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    show_default=True,
    help="Seed of the bot; for fair and strong, any but 0 adds a little noise.",
)
@out_option
def play(name: str, bot: str, numbers: range, seed: int, out: Path | None) -> None:
    """Let a bot play deals without undo.

    Writes one JSON line per game, in the order of the deals: variant, deal,
    bot, seed, won, moves, CPU seconds.
    """
    if name not in BOTS[bot].variants:
        raise click.UsageError(f"{bot} does not play {VARIANTS[name].title}.")
    if BOTS[bot].searches:
        echo_search_form(name)
    write_lines(
        partial(play_deal, name, bot, seed),
        lambda row: [row["variant"], row["bot"], row["seed"]] == [name, bot, seed],
        numbers,
        out,
    )


def play_deal(name: str, bot: str, seed: int, number: int) -> Row:
    """The result of the bot at one deal, as a JSON row."""
    began = time.process_time()
    player = BOTS[bot].make(seed, number)
    moves, position = play_out(
        player, start_position(PublicDeal(find_variant(name), number)), MAX_MOVES
    )
    return {
        "variant": name,
        "deal": str(number),
        "bot": bot,
        "seed": seed,
        "won": position.view.won,
        "moves": len(moves),
        "seconds": round(time.process_time() - began, 4),
    }

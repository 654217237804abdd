"""`asterism tune`: the fair bots' training, repeated from the games on."""

from functools import partial
from pathlib import Path
from typing import Any

import click
import orjson

from service.bots import TUNERS, Tuner
from service.cli.json_lines import read_lines, write_lines
from service.deals.catalogue import Row

_COMMAND = "asterism tune {}"


@click.command()
@click.argument("name", metavar="VARIANT", type=click.Choice(tuple(TUNERS)))
@click.option(
    "--games",
    type=click.Path(file_okay=False, path_type=Path),
    default="tuning",
    show_default=True,
    help="The folder that keeps the games played: a run that was cut short goes on from there.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default="chance.json",
    show_default=True,
    help="Where the fitted figures go.",
)
def tune(name: str, games: Path, out: Path) -> None:
    """Play the training games of a fair bot, round by round, and fit the chance to win to them.

    It plays many thousands of games, above deal 1,000,000; that takes hours in plain Python.
    """
    tuner = TUNERS[name]
    games.mkdir(parents=True, exist_ok=True)
    fitted: dict[str, Any] | None = None
    rounds: list[list[Row]] = []
    for number, deals in enumerate(tuner.rounds):
        file = games / f"round-{number}.jsonl"
        click.echo(f"Round {number}: {len(deals)} games", err=True)
        write_lines(partial(_played, name, number, fitted), name, deals, file)
        with file.open("rb") as lines:
            rounds.append(read_lines(lines))
        fitted, loss = tuner.fit(rounds)
        click.echo(f"Round {number}: log loss {loss:.4f} on games held out", err=True)
    kept = {"command": _COMMAND.format(name), **(fitted or {})}
    out.write_bytes(orjson.dumps(kept, option=orjson.OPT_APPEND_NEWLINE))


def _played(name: str, round: int, fitted: dict[str, Any] | None, number: int) -> Row:
    """One game, as a row: whether it was won, and the leaves played."""
    tuner: Tuner = TUNERS[name]
    return {"variant": name, "deal": str(number), **tuner.play(round, fitted, number)}

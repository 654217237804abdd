"""`asterism tune`: trains the model of a fair bot."""

from functools import partial
from pathlib import Path
from typing import Any

import click
import orjson

from service.bots import TUNERS, Tuner
from service.cli.json_lines import echo_search_form, write_lines
from service.cli.line_files import read_lines
from service.deals.catalogue import Row

_COMMAND = "asterism tune {}"


@click.command()
@click.argument("name", type=click.Choice(tuple(TUNERS)))
@click.option(
    "--games",
    type=click.Path(file_okay=False, path_type=Path),
    default="tuning",
    show_default=True,
    help="The folder for the training games; an interrupted run continues from it.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default="chance.json",
    show_default=True,
    help="The file for the fitted model.",
)
def tune(name: str, games: Path, out: Path) -> None:
    """Play the training games of a fair bot, round by round, and fit its model to them.

    Plays many thousands of games, above deal 1,000,000; that takes hours in plain Python.
    """
    echo_search_form(name)
    tuner = TUNERS[name]
    games.mkdir(parents=True, exist_ok=True)
    model: dict[str, Any] | None = None
    rounds: list[list[Row]] = []
    for number, deals in enumerate(tuner.rounds()):
        file = games / f"round-{number}.jsonl"
        click.echo(f"Round {number}: {len(deals)} games", err=True)
        is_ours = partial(_is_of_round, name, number)
        write_lines(partial(_play_row, name, number, model), is_ours, deals, file)
        with file.open("rb") as lines:
            rounds.append(read_lines(lines))
        model, loss = tuner.fit(rounds)
        click.echo(f"Round {number}: log loss {loss:.4f} on held-out games", err=True)
    content = {"command": _COMMAND.format(name), **(model or {})}
    out.write_bytes(orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE))


def _is_of_round(name: str, round: int, row: Row) -> bool:
    return [row["variant"], row["round"]] == [name, round]


def _play_row(name: str, round: int, model: dict[str, Any] | None, number: int) -> Row:
    """One training game, as a JSON row."""
    tuner: Tuner = TUNERS[name]
    return {
        "variant": name,
        "round": round,
        "deal": str(number),
        **tuner.play(round, model, number),
    }

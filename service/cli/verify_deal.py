"""`asterism verify-deal`: a revealed deal held against the seeds it was shuffled from, offline."""

from typing import BinaryIO

import click

from service.cli.parameters import read_json
from service.deals.verification import verify_reveal


@click.command("verify-deal")
@click.argument("file", type=click.File("rb"))
@click.option("--commitment", metavar="HEX", help="What you were shown before the cards were.")
@click.option("--player-seed", metavar="HEX", help="The seed that you brought.")
def verify_deal(file: BinaryIO, commitment: str | None, player_seed: str | None) -> None:
    """Derive a revealed deal again, and say whether it is what it claims to be.

    FILE is the answer of a game's /reveal, - for stdin. One line a claim: what it is, right or
    wrong, and what it was held against. The exit status is 0 if everything is right, else 1.
    """
    found = list(verify_reveal(read_json(file), commitment, player_seed))
    for claim, right, against in found:
        word = click.style("right", fg="green") if right else click.style("wrong", fg="red")
        click.echo(f"{claim:<17} {word}  {against}")
    if not all(check.ok for check in found):
        raise click.exceptions.Exit(1)

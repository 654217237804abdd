"""`asterism verify-deal`: checks a revealed deal against its seeds, offline."""

from typing import BinaryIO

import click

from service.cli.parameters import read_json
from service.deals.verification import verify_reveal


@click.command("verify-deal")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--commitment", metavar="HEX", help="The commitment that you were shown before the cards."
)
@click.option("--player-seed", metavar="HEX", help="The seed that you sent.")
def verify_deal(file: BinaryIO, commitment: str | None, player_seed: str | None) -> None:
    """Derive a revealed deal again, and check everything that it claims.

    FILE is the response of a game's /reveal, - for stdin. Prints one line per claim: what it is,
    right or wrong, and what it was compared with. Exits with 1 if something is wrong.
    """
    found = list(verify_reveal(read_json(file), commitment, player_seed))
    for claim, right, against in found:
        word = click.style("right", fg="green") if right else click.style("wrong", fg="red")
        click.echo(f"{claim:<17} {word}  {against}")
    if not all(check.ok for check in found):
        raise click.exceptions.Exit(1)

"""`asterism board` and `asterism perft`: print a deal, and count lines of legal moves."""

from typing import BinaryIO

import click

from service.cli.parameters import DealNumber, board_option, read_board
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS, find_variant
from service.games.base import Position
from service.games.boards import print_position, print_view

_variant = click.argument("name", type=click.Choice(tuple(VARIANTS)))
_number = DealNumber()


@click.command()
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


@click.command()
@_variant
@click.option("--deal", "number", type=_number, required=True, help="A deal number.")
@click.option("--all-cards", is_flag=True, help="Show face-down cards, too.")
def board(name: str, number: int, all_cards: bool) -> None:
    """Print a numbered deal as a text board."""
    position = start_position(PublicDeal(find_variant(name), number))
    click.echo(print_position(position) if all_cards else print_view(position.view))


def _count_lines(position: Position, length: int) -> int:
    """The number of lines of `length` legal moves."""
    moves = position.legal_moves()
    if length == 1:
        return len(moves)
    return sum(_count_lines(position.after(move), length - 1) for move in moves)

"""The text form of a game, for people and language models to read.

It has three parts, with empty lines between them: a header of `name: value` lines; the table as its
player sees it, a text board; and the legal moves, on one line.
"""

from service.games.boards import print_view
from service.games.moves import format_move
from service.records.game import Game


def print_game(game: Game) -> str:
    """The text form of `game`: made from the view, which contains no hidden card."""
    head = {
        "variant": game.variant.name,
        "status": game.status,
        "stuck": "yes" if game.is_stuck else "no",
        "ply": game.ply,
        "version": game.version,
    }
    moves = " ".join(format_move(move) for move in game.legal_moves)
    lines = [f"{name}: {value}" for name, value in head.items()]
    board = print_view(game.position.view)
    return "\n\n".join(("\n".join(lines), board, f"legal moves: {moves or '-'}")) + "\n"

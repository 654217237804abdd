"""How many lines of play there are: the published counts, and those of the plain reading."""

import pytest

from service.games import VARIANTS
from service.games.base import Position
from service.games.boards import print_position
from tests import reading
from tests.walks import fixture, start

every_variant = pytest.mark.parametrize("game", VARIANTS.values(), ids=VARIANTS)
PUBLISHED = fixture("perft.json")


def perft(position: Position, depth: int) -> int:
    """How many lines of `depth` listed moves there are."""
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(perft(position.after(m), depth - 1) for m in moves)


@every_variant
def test_there_are_published_counts(game):
    assert [row["variant"] for row in PUBLISHED].count(game.name) >= 3


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['variant']}-{row['deal']}")
def test_there_are_as_many_lines_as_published(row):
    first = start(VARIANTS[row["variant"]], int(row["deal"]))
    depths = range(1, len(row["perft"]) + 1)
    assert [perft(first, depth) for depth in depths] == row["perft"]


@every_variant
@pytest.mark.parametrize("number", [4, 5, 2**64 - 1])
def test_there_are_as_many_lines_as_in_the_plain_reading(game, number):
    first, as_read = start(game, number), reading.deal(game.name, number)
    assert [perft(first, depth) for depth in (1, 2, 3)] == [
        reading.perft(as_read, depth) for depth in (1, 2, 3)
    ]


@every_variant
@pytest.mark.parametrize("number", range(6, 16))
def test_the_first_two_moves_lead_to_the_tables_of_the_plain_reading(game, number):
    tables = [(start(game, number), reading.deal(game.name, number))]
    for _ in range(2):
        onwards = []
        for position, as_read in tables:
            moves = {str(move): move for move in position.legal_moves()}
            assert set(moves) == as_read.listed()
            onwards += [(position.after(moves[text]), as_read.after(text)) for text in moves]
        assert [print_position(position) for position, _ in onwards] == [
            as_read.show() for _, as_read in onwards
        ]
        tables = onwards

"""How many lines of play there are (perft): as published, and as the plain reading counts."""

import pytest

from service.games.base import Position
from tests.support import reading
from tests.support.walks import fixture, start

PUBLISHED = fixture("perft.json")


def perft(position: Position, depth: int) -> int:
    """How many lines of `depth` listed moves there are."""
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(perft(position.after(m), depth - 1) for m in moves)


def test_there_are_as_many_lines_as_published(game):
    rows = [row for row in PUBLISHED if row["variant"] == game.name]
    if not rows:
        counts = [perft(start(game, 1), depth) for depth in (1, 2, 3)]
        pytest.skip(f"count by hand, and write down in perft.json: {counts}?")
    for row in rows:
        first, depths = start(game, int(row["deal"])), range(1, len(row["perft"]) + 1)
        assert [perft(first, depth) for depth in depths] == row["perft"]


@pytest.mark.parametrize("number", [4, 5, 2**64 - 1])
def test_there_are_as_many_lines_as_in_the_plain_reading(twice_read, number):
    first, as_read = start(twice_read, number), reading.deal(twice_read.name, number)
    assert [perft(first, depth) for depth in (1, 2, 3)] == [
        reading.perft(as_read, depth) for depth in (1, 2, 3)
    ]

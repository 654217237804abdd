"""Recorded games, played to their wins."""

import pytest

from service.errors import IllegalMoveError
from service.games.boards import print_position
from tests.every_variant.test_counts import perft
from tests.support import reading


def test_every_position_of_a_won_game_is_reachable_and_none_is_stuck(won):
    for position in won.walk.positions:
        assert won.variant.why_unreachable(position) is None
        assert not position.view.stuck


def test_the_line_is_won_at_its_end_and_not_before(won):
    wins = [position.view.won for position in won.walk.positions]
    assert wins == [False] * len(won.line) + [True]


def test_there_are_as_many_lines_as_counted(won):
    for count in won.counts:
        position = won.walk.positions[count["ply"]]
        assert perft(position, 1) == count["legal_moves"]
        assert perft(position, 2) == count["perft2"]


def test_the_plain_reading_sees_the_same_table_after_every_move(won_twice_read):
    won = won_twice_read
    as_read = reading.read(won.variant.name, won.board)
    for move, position in zip(won.walk.moves, won.walk.positions[1:], strict=True):
        as_read.play(str(move))
        assert print_position(position) == as_read.show()
    assert as_read.won()


def test_a_win_is_the_end(won):
    end = won.walk.end
    assert end.legal_moves() == ()
    for move in won.variant.actions:
        with pytest.raises(IllegalMoveError) as caught:
            end.play(move)
        assert caught.value.rule == "game-over"

"""Kept games of every variant, played to their wins."""

import pytest

from service.errors import IllegalMoveError
from service.games import VARIANTS
from service.games.boards import print_position
from tests import reading
from tests.every_variant.test_perft import perft
from tests.walks import WON_GAMES, accepted

every_variant = pytest.mark.parametrize("game", VARIANTS.values(), ids=VARIANTS)
every_won_game = pytest.mark.parametrize(
    "won",
    [
        pytest.param(won, id=f"{name}-{n}")
        for name in VARIANTS
        for n, won in enumerate(WON_GAMES[name])
    ],
)


@every_variant
def test_there_is_a_won_game(game):
    assert len(WON_GAMES[game.name]) >= 1


@every_won_game
def test_the_game_starts_from_a_real_position_and_stays_real(won):
    assert {won.variant.why_unreachable(position) for position in won.walk.positions} == {None}


@every_won_game
def test_the_line_is_won_at_its_end_and_not_before(won):
    wins = [position.view.won for position in won.walk.positions]
    assert wins == [False] * len(won.line) + [True]


@every_won_game
def test_a_game_that_can_be_won_is_never_stuck(won):
    assert not any(position.view.stuck for position in won.walk.positions)


COUNTED = [
    pytest.param(won, count, id=f"{name}-{n}-ply-{count['ply']}")
    for name in VARIANTS
    for n, won in enumerate(WON_GAMES[name])
    for count in won.counts
]


@pytest.mark.parametrize(("won", "count"), COUNTED)
def test_there_are_as_many_lines_as_counted(won, count):
    position = won.walk.positions[count["ply"]]
    assert perft(position, 1) == count["legal_moves"]
    assert perft(position, 2) == count["perft2"]


def test_all_counts_of_the_kept_games_are_compared():
    assert len(COUNTED) == 27 + 26 + 24


@every_won_game
def test_the_plain_reading_sees_the_same_table_after_every_move(won):
    walk = won.walk
    as_read = reading.read(won.variant.name, won.board)
    for move, position in zip(walk.moves, walk.positions[1:], strict=True):
        as_read.play(str(move))
        assert print_position(position) == as_read.show()
    assert as_read.won()


@every_won_game
def test_the_plain_reading_judges_every_move_the_same_at_every_fifth_ply(won):
    for position in won.walk.positions[::5]:
        as_read = reading.read(won.variant.name, print_position(position))
        assert {str(move) for move in accepted(position)} == as_read.accepted()
        assert {str(move) for move in position.legal_moves()} == as_read.listed()


@every_won_game
def test_a_win_is_the_end(won):
    end = won.walk.end
    assert end.legal_moves() == ()
    assert not end.view.stuck
    for move in won.variant.actions:
        with pytest.raises(IllegalMoveError) as caught:
            end.play(move)
        assert caught.value.rule == "game-over"

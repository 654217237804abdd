"""A move that is taken back leaves the position before it, as if it had not been played."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.walks import dealt_walks


@settings(max_examples=100)
@given(data=st.data())
def test_a_move_taken_back_was_not_played(game, data):
    walk = data.draw(dealt_walks(of=st.just(game)))
    for ply, before in enumerate(walk.positions[:-1]):
        line = walk.moves[: ply + 1]
        assert game.take_back(walk.positions[ply + 1], line) == before


def test_the_moves_of_a_won_game_can_be_taken_back_to_its_deal(won):
    position, moves = won.walk.end, won.walk.moves
    for ply in range(len(moves), 0, -1):
        position = won.variant.take_back(position, moves[:ply])
    assert position == won.walk.positions[0]

"""A move that is taken back leaves the position before it, as if it had not been played."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.records.record import last_played, replayed
from tests.support.walks import dealt_walks


@settings(max_examples=100)
@given(data=st.data())
def test_a_move_taken_back_was_not_played(game, data):
    walk = data.draw(dealt_walks(of=st.just(game)))
    for ply, before in enumerate(walk.positions[:-1]):
        line = walk.moves[: ply + 1]
        assert game.take_back(walk.positions[ply + 1], line) == before


@settings(max_examples=50)
@given(data=st.data())
def test_the_last_moves_are_shown_as_they_were_played_from_any_checkpoint(game, data):
    walk = data.draw(dealt_walks(of=st.just(game)))
    begin, shown = (data.draw(st.integers(0, len(walk.moves))) for _ in range(2))
    begin, shown = min(begin, shown), max(begin, shown)
    moves, steps = walk.moves[begin:], len(walk.moves) - shown
    played = last_played(walk.end, moves, steps, walk.positions[begin].view)
    assert [position for position, _ in played] == list(walk.positions[shown:])
    assert played[1:] == list(replayed(walk.positions[shown], moves[shown - begin :]))[1:]


def test_the_moves_of_a_won_game_can_be_taken_back_to_its_deal(won):
    position, moves = won.walk.end, won.walk.moves
    for ply in range(len(moves), 0, -1):
        position = won.variant.take_back(position, moves[:ply])
    assert position == won.walk.positions[0]

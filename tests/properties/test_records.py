"""A record replayed, undone and redone gives the same cards every time."""

from hypothesis import given
from hypothesis import strategies as st

from service.records.record import Record
from tests.support.walks import Walk, dealt_walks


@given(dealt_walks())
def test_a_replay_comes_by_every_position_that_was_played(walk: Walk):
    record = Record(walk.deal, walk.moves, len(walk.moves))
    assert tuple(position for position, _ in record.replay()) == walk.positions
    assert record.position() == walk.end


@given(dealt_walks(most=50), st.data())
def test_undo_leads_back_and_redo_brings_the_same_cards_again(walk: Walk, data):
    steps = data.draw(st.integers(0, len(walk.moves)))
    record = Record(walk.deal, walk.moves, len(walk.moves))
    undone = record.undone(steps)
    assert undone.position() == walk.positions[len(walk.moves) - steps]
    assert list(undone.redone(steps).replay()) == list(record.replay())


@given(dealt_walks(most=50), st.data())
def test_undo_step_by_step_is_undo_at_once(walk: Walk, data):
    steps = data.draw(st.integers(0, len(walk.moves)))
    record = step_by_step = Record(walk.deal, walk.moves, len(walk.moves))
    for _ in range(steps):
        step_by_step = step_by_step.undone(1)
    assert step_by_step == record.undone(steps)

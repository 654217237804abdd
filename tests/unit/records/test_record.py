"""The record of a game: what `tests/properties/test_records.py` does not say of undo and redo."""

import pytest

from service.deals.deal import PublicDeal
from service.errors import GameUnreadableError, NothingToRedoError, NothingToUndoError
from service.games import VARIANTS
from service.games.moves import parse_move
from service.records.record import Record

FRESH = Record(PublicDeal(VARIANTS["astrocyte"], 1))
TEN_ONTO_JACK = "t2t5"
"""Turns the Two of Diamonds up on t2, in deal 1 of Astrocyte."""


def moves(*texts):
    return tuple(map(parse_move, texts))


def played(*texts):
    """The record of the deal after these moves."""
    return Record(FRESH.deal, moves(*texts), len(texts))


def test_a_record_with_a_move_against_the_rules_does_not_replay():
    with pytest.raises(GameUnreadableError, match="a move that the rules refuse"):
        played(TEN_ONTO_JACK, "c1t1").position()


def test_a_card_turned_by_a_move_is_face_down_again_after_undo_and_cannot_be_used():
    after, ace_onto_two = played(TEN_ONTO_JACK), parse_move("t8t2")
    assert after.position().why_not(ace_onto_two) is None
    undone = after.undone(1).position()
    assert (undone.view["t2"].hidden, undone.view["t2"].cards) == (7, ("TC",))
    assert undone.why_not(ace_onto_two).rule == "rank-not-one-lower"


def test_undo_keeps_the_moves_for_redo():
    record = played("t2t5", "t4t3", "t1c1").undone(2)
    assert record.line == moves("t2t5")
    assert record.redone(1).line == moves("t2t5", "t4t3")
    assert record.redone(2).line == moves("t2t5", "t4t3", "t1c1")


@pytest.mark.parametrize(("record", "asked"), [(FRESH, 1), (played("deal", "t4t3"), 3)])
def test_no_more_is_undone_or_redone_than_was_played_or_undone(record, asked):
    available = record.ply
    with pytest.raises(NothingToUndoError) as caught:
        record.undone(asked)
    assert (caught.value.asked, caught.value.available) == (asked, available)
    with pytest.raises(NothingToRedoError) as caught:
        record.undone(available).redone(asked)
    assert (caught.value.asked, caught.value.available) == (asked, available)


def test_no_more_is_redone_than_was_undone_though_more_was_played():
    with pytest.raises(NothingToRedoError) as caught:
        played("deal", "t4t3").undone(1).redone(2)
    assert (caught.value.asked, caught.value.available) == (2, 1)


@pytest.mark.parametrize("steps", [-1, -7])
def test_nothing_is_undone_or_redone_backwards(steps):
    record = played("deal")
    with pytest.raises(NothingToUndoError):
        record.undone(steps)
    with pytest.raises(NothingToRedoError):
        record.redone(steps)

"""The record of a game: its line of play, undone and redone."""

import pytest

from service.deals.deal import PublicDeal, SealedDeal, start_position
from service.errors import GameUnreadableError, NothingToRedoError, NothingToUndoError
from service.games import VARIANTS
from service.games.base import Reveal
from service.games.moves import parse_move
from service.records.record import Record
from tests.support.walks import wandered

BINARY_STAR, ASTROCYTE = VARIANTS["binary-star"], VARIANTS["astrocyte"]
FRESH = Record(PublicDeal(ASTROCYTE, 1))
TEN_ONTO_JACK = "t2t5"
"""Turns the Two of Diamonds up on t2, in deal 1 of Astrocyte."""


def moves(*texts):
    return tuple(map(parse_move, texts))


def played(*texts, deal=FRESH.deal):
    """The record of `deal` after these moves."""
    return Record(deal, moves(*texts), len(texts))


def turned(record):
    """The cards turned by the last move of the line."""
    *_, last = record.replay()
    return last.reveals


def test_a_record_begins_at_the_start_of_its_deal():
    assert FRESH.line == ()
    assert FRESH.position() == start_position(FRESH.deal)


def test_the_line_leads_to_the_position_that_its_moves_lead_to():
    record = played("t2t5", "t4t3")
    step_by_step = start_position(FRESH.deal).after(parse_move("t2t5")).after(parse_move("t4t3"))
    assert record.position() == step_by_step


def test_a_replay_shows_every_position_and_every_card_turned():
    shown = list(played("t2t5", "t5c1").replay())
    assert [reveals for _, reveals in shown] == [(), (Reveal("t2", "2D"),), ()]
    assert [position.view["t5"].cards for position, _ in shown] == [("JH",), ("JH", "TC"), ("JH",)]


def test_a_record_with_a_move_against_the_rules_does_not_replay():
    record = played("t2t5", "c1t1")
    with pytest.raises(GameUnreadableError, match="a move that the rules refuse"):
        record.position()


def test_one_undo_undoes_one_move():
    """A move that turned a card and a deal are one step each."""
    for move in (TEN_ONTO_JACK, "deal"):
        assert played(move).undone(1).position() == start_position(FRESH.deal)


def test_one_undo_takes_a_transfer_back():
    deal = PublicDeal(BINARY_STAR, 1)
    after = played("t5f1", "t6f2", "f1f2", deal=deal)
    assert after.position().view["f2"].cards == ("KS", "QC", "KD")
    assert after.undone(1).position() == played("t5f1", "t6f2", deal=deal).position()


def test_a_card_turned_by_a_move_is_face_down_again_after_undo():
    after = played(TEN_ONTO_JACK)
    assert turned(after) == (Reveal("t2", "2D"),)
    undone = after.undone(1).position().view
    assert (undone["t2"].hidden, undone["t2"].cards) == (7, ("TC",))
    assert undone == FRESH.position().view


def test_a_move_that_needs_a_card_that_undo_turned_back_is_refused():
    after, ace_onto_two = played(TEN_ONTO_JACK), parse_move("t8t2")
    assert after.position().why_not(ace_onto_two) is None
    assert after.undone(1).position().why_not(ace_onto_two).rule == "rank-not-one-lower"


def test_a_deal_undone_hides_its_eight_cards_and_brings_them_again():
    dealt = played("deal")
    undone = dealt.undone(1)
    assert undone.position().view == FRESH.position().view
    assert turned(dealt) == turned(undone.redone(1))
    assert " ".join(reveal.card for reveal in turned(dealt)) == "7S 5D 8C 2S QS 6S AH 5D"


def test_thirty_moves_undone_and_redone_lead_to_the_same_table():
    for variant in VARIANTS.values():
        deal = PublicDeal(variant, 1)
        walk = wandered(start_position(deal), range(17, 47), deal)
        record = Record(deal, walk.moves, len(walk.moves))
        assert record.ply == 30
        assert record.undone(30).position() == start_position(deal)
        assert record.undone(30).redone(30).position() == walk.end


def test_undo_keeps_the_moves_for_redo():
    record = played("t2t5", "t4t3", "t1c1").undone(2)
    assert record.line == moves("t2t5")
    assert record.redone(1).line == moves("t2t5", "t4t3")
    assert record.redone(2).line == moves("t2t5", "t4t3", "t1c1")


def test_nothing_is_undone_before_the_first_move():
    with pytest.raises(NothingToUndoError) as caught:
        FRESH.undone(1)
    assert (caught.value.asked, caught.value.available) == (1, 0)


def test_no_more_is_undone_than_was_played():
    record = played("t2t5", "t4t3")
    assert record.undone(2).ply == 0
    with pytest.raises(NothingToUndoError) as caught:
        record.undone(3)
    assert (caught.value.asked, caught.value.available) == (3, 2)


def test_no_more_is_redone_than_was_undone():
    record = played("t2t5", "t4t3").undone(1)
    with pytest.raises(NothingToRedoError) as caught:
        record.redone(2)
    assert (caught.value.asked, caught.value.available) == (2, 1)


def test_a_sealed_deal_is_recorded_like_a_public_one():
    record = played("deal", deal=SealedDeal(ASTROCYTE, bytes(32), b"mine"))
    assert record.undone(1).redone(1).position() == record.position()


@pytest.mark.parametrize("steps", [-1, -7])
def test_nothing_is_undone_or_redone_backwards(steps):
    record = played("deal")
    with pytest.raises(NothingToUndoError):
        record.undone(steps)
    with pytest.raises(NothingToRedoError):
        record.redone(steps)

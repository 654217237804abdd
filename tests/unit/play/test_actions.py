"""The plan of an earlier hint follows the moves that are played and undone."""

import pytest

from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.play.actions import RequestStamp, play_moves, undo
from service.records.game import Game, Outcome, Receipt
from service.records.record import Record
from service.solvers import SOLVERS

DEAL = PublicDeal(VARIANTS["binary-star"], 1)
START = start_position(DEAL)
LINE = SOLVERS["binary-star"](START).moves
STAMP = RequestStamp(2, "request")


def planned() -> Game:
    """A new game with a plan of its whole solution."""
    return Game("a" * 26, DEAL, START, 1, 1, Receipt("created", Outcome()), plan=LINE)


def test_a_plan_shrinks_by_the_moves_played():
    assert play_moves(planned(), LINE[:3], STAMP).game.plan == LINE[3:]


def test_a_move_that_departs_from_the_plan_drops_it():
    other = next(move for move in START.legal_moves() if move != LINE[0])
    assert play_moves(planned(), [other], STAMP).game.plan == ()


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_a_plan_grows_by_the_moves_undone(steps):
    game = play_moves(planned(), LINE[:3], STAMP).game
    back = undo(game, Record(DEAL, LINE[:3], 3), steps, STAMP).game
    assert back.plan == LINE[3 - steps :]

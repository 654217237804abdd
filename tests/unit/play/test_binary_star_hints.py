"""Hints for Binary Star win what can be won, and say where a lost game was still winnable."""

import json
import random
from pathlib import Path

import pytest

from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.boards import parse_position
from service.games.moves import parse_move
from service.play.hints import HINT_PROVIDERS
from service.play.hints.binary_star import POSITIONS_PER_HINT
from service.solvers import SOLVERS, Solved, Unwinnable

GAME = VARIANTS["binary-star"]
solve = SOLVERS["binary-star"]
FIXTURES = Path(__file__).parents[2] / "fixtures"
NEEDS_TRANSFERS = json.loads((FIXTURES / "binary-star-needs-transfers.json").read_text())

HARD = 1307, 3359, 15226, 34175, 49233, 51433
"""Deals that plain play wins late, if within a million positions, or that need transfers."""


def ask_hint(view, earlier=(), plan=()):
    return HINT_PROVIDERS["binary-star"](view, plan, lambda: earlier)


def deal(number):
    return start_position(PublicDeal(GAME, number))


def board(piles):
    lines = (f"{id}: {' '.join(cards) or '-'}" for id, cards in piles.items())
    return parse_position(GAME, "\n".join(lines))


def follow(position):
    """The number of hints that it takes to the win."""
    plan, count = (), 0
    while not position.view.won:
        hint, plan = ask_hint(position.view, plan=plan)
        assert (hint.verdict, hint.move) == ("winnable", plan[0])
        position, plan, count = position.after(hint.move), plan[1:], count + 1
    return count


def walk(number, length):
    """A random line of a deal: the positions, the start among them."""
    chance, positions = random.Random(number), [deal(number)]
    while len(positions) <= length and (moves := positions[-1].legal_moves()):
        positions.append(positions[-1].after(chance.choice(moves)))
    return positions


@pytest.mark.parametrize("number", [1, 2])
def test_following_the_hints_of_a_winnable_deal_wins_in_102_moves(number):
    assert follow(deal(number)) == 102


def test_following_the_hints_wins_a_deal_that_needs_transfers():
    assert follow(board(NEEDS_TRANSFERS["piles"])) > 102


@pytest.mark.parametrize("number", HARD)
def test_following_the_hints_wins_the_hardest_deals(number):
    assert follow(deal(number)) >= 102


def test_a_followed_plan_needs_no_further_search(monkeypatch):
    position = deal(1)
    hint, plan = ask_hint(position.view)
    monkeypatch.setattr("service.play.hints.binary_star.solve", None)
    assert ask_hint(position.after(hint.move).view, plan=plan[1:]).hint.move == plan[1]


def test_a_hint_is_a_transfer_where_only_a_transfer_opens_a_fan():
    position = parse_position(GAME, "t1: 4C\nf1: AH 2C 3C 2D\nf2: KS AC")
    assert position.legal_moves() == (parse_move("f1f2"), parse_move("f2f1"))
    hint, _ = ask_hint(position.view)
    assert (hint.verdict, hint.move) == ("winnable", parse_move("f1f2"))
    assert follow(position) == 2


def test_a_lost_deal_is_called_lost():
    hint, plan = ask_hint(deal(6).view)
    assert plan == ()
    assert (hint.move, hint.verdict, hint.undo_steps) == (None, "unwinnable", None)
    assert hint.why.startswith("Lost")
    assert hint.why.endswith("It was lost from the start.")


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_in_a_lost_game_the_hint_says_how_far_to_go_back(number):
    *earlier, last = walk(number, 200)
    assert not last.view.won
    hint, _ = ask_hint(last.view, [position.view for position in earlier])
    assert hint.verdict == "unwinnable"
    truth = [isinstance(solve(position, POSITIONS_PER_HINT), Solved) for position in earlier]
    if hint.undo_steps is None:
        assert not any(truth)
    else:
        assert truth[-hint.undo_steps]
        lost_since = [
            solve(position, POSITIONS_PER_HINT)
            for position in earlier[len(truth) - hint.undo_steps + 1 :]
        ]
        assert all(isinstance(verdict, Unwinnable) for verdict in lost_since)


@pytest.mark.parametrize(("number", "steps"), [(51, 19), (88, 1), (133, 14)])
def test_no_more_moves_are_to_be_undone_than_necessary(number, steps):
    """On the way lie positions that are too hard to decide, which do not hide the later ones."""
    *earlier, last = walk(number, 200)
    hint, _ = ask_hint(last.view, [position.view for position in earlier])
    assert hint.undo_steps == steps
    assert hint.why.endswith(" ago.")
    assert isinstance(solve(earlier[-steps], POSITIONS_PER_HINT), Solved)
    assert isinstance(solve([*earlier, last][1 - steps or -1], POSITIONS_PER_HINT), Unwinnable)


def test_a_hint_says_how_many_earlier_positions_are_undecided():
    *earlier, last = walk(1, 200)
    hint, _ = ask_hint(last.view, [position.view for position in earlier])
    assert hint.undo_steps == 20
    assert hint.why.endswith(
        "still winnable 20 moves ago; the 9 positions since then are undecided."
    )


def test_an_undecided_position_is_called_unknown(monkeypatch):
    monkeypatch.setattr("service.play.hints.binary_star.POSITIONS_PER_HINT", 20)
    hint, _ = ask_hint(deal(3).view)
    assert (hint.move, hint.verdict, hint.undo_steps) == (None, "unknown", None)
    assert "Unknown" in hint.why


def test_the_same_view_gets_the_same_hint():
    assert ask_hint(deal(9).view) == ask_hint(deal(9).view)

"""Hints for Binary Star win what can be won, and say where a lost game was still winnable."""

import random

import pytest

from service.games import VARIANTS
from service.games.boards import parse_position
from service.games.moves import parse_move
from service.play.hints import HINT_PROVIDERS
from service.play.hints.binary_star import POSITIONS_PER_HINT
from service.solvers import SOLVERS, Solved, Unwinnable
from tests.support.walks import WON_GAMES, start

GAME = VARIANTS["binary-star"]
solve = SOLVERS["binary-star"]

HARD = 1307, 3359, 15226, 34175, 49233, 51433
"""Deals that plain play wins late, if within a million positions, or that need transfers."""


def ask_hint(view, earlier=(), plan=()):
    return HINT_PROVIDERS["binary-star"](view, plan, lambda: earlier)


def follow(position):
    """The number of hints that it takes to the win."""
    plan, count = (), 0
    while not position.view.won:
        hint, plan = ask_hint(position.view, plan=plan)
        assert (hint.verdict, hint.move) == ("winnable", plan[0])
        position, plan, count = position.after(hint.move), plan[1:], count + 1
    return count


def lost(number):
    """A random line of a deal to its end: the positions before the last, and that."""
    chance, positions = random.Random(number), [start(GAME, number)]
    while moves := positions[-1].legal_moves():
        positions.append(positions[-1].after(chance.choice(moves)))
    return positions[:-1], positions[-1]


@pytest.mark.parametrize("number", [1, *HARD])
def test_following_the_hints_wins_winnable_deals(number):
    assert follow(start(GAME, number)) >= 102


def test_following_the_hints_wins_a_deal_that_needs_transfers():
    assert follow(WON_GAMES["binary-star"][0].walk.positions[0]) > 102


def test_a_followed_plan_needs_no_further_search(monkeypatch):
    position = start(GAME, 1)
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
    hint, plan = ask_hint(start(GAME, 6).view)
    assert plan == ()
    assert (hint.move, hint.verdict, hint.undo_steps) == (None, "unwinnable", None)
    assert hint.why.startswith("Lost")
    assert hint.why.endswith("It was lost from the start.")


@pytest.mark.parametrize(("number", "steps"), [(2, 2), (3, 1), (51, 19), (88, 1), (133, 14)])
def test_in_a_lost_game_the_hint_says_how_far_to_go_back(number, steps):
    """No further than necessary, though positions on the way are too hard to decide."""
    earlier, last = lost(number)
    hint, _ = ask_hint(last.view, [position.view for position in earlier])
    assert (hint.verdict, hint.undo_steps) == ("unwinnable", steps)
    assert hint.why.endswith(" ago.")
    assert isinstance(solve(earlier[-steps], POSITIONS_PER_HINT), Solved)
    assert isinstance(solve([*earlier, last][1 - steps or -1], POSITIONS_PER_HINT), Unwinnable)


def test_a_hint_says_how_many_earlier_positions_are_undecided():
    earlier, last = lost(1)
    hint, _ = ask_hint(last.view, [position.view for position in earlier])
    assert hint.undo_steps == 20
    assert hint.why.endswith(
        "still winnable 20 moves ago; the 9 positions since then are undecided."
    )


def test_an_undecided_position_is_called_unknown(monkeypatch):
    monkeypatch.setattr("service.play.hints.binary_star.POSITIONS_PER_HINT", 20)
    hint, _ = ask_hint(start(GAME, 3).view)
    assert (hint.move, hint.verdict, hint.undo_steps) == (None, "unknown", None)
    assert "Unknown" in hint.why

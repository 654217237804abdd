"""A move that the rules refuse changes nothing, and the refusal says why."""

import pytest

from service.errors import IllegalMoveError
from service.games.boards import print_position
from service.games.moves import DEAL, Move
from tests.support.walks import WON_GAMES, start


def tables(game):
    """Some positions, early and late."""
    return [start(game, 1), *(won.walk.positions[-20] for won in WON_GAMES[game.name])]


def every_move(game):
    ids = (*game.layout.ids, "t0", "t18", "t99", "c9", "f9", "x1", "")
    return [DEAL, *(Move(a, b, n) for a in ids for b in ids for n in (1, 2, 13))]


def test_a_refused_move_changes_nothing(game):
    for position in tables(game):
        printed = print_position(position)
        for move in every_move(game):
            if position.why_not(move):
                with pytest.raises(IllegalMoveError):
                    position.play(move)
        assert print_position(position) == printed


def test_a_played_move_leaves_the_position_it_was_played_from(game):
    for position in tables(game):
        printed, moves = print_position(position), position.legal_moves()
        for move in moves:
            position.play(move)
        assert print_position(position) == printed
        assert position.legal_moves() == moves


def test_a_refusal_is_a_code_a_sentence_and_the_piles_concerned(game):
    for position in tables(game):
        for move in every_move(game):
            refusal = position.why_not(move)
            if refusal is None:
                continue
            assert refusal.rule.replace("-", "").islower()
            assert refusal.detail.endswith(".")
            assert refusal.piles
            if move != DEAL:
                assert set(refusal.piles) <= {move.source, move.target}


def test_a_refusal_in_a_batch_keeps_all_it_says_and_gets_a_place(game):
    position, move = start(game, 1), Move("t1", "t1")
    with pytest.raises(IllegalMoveError) as caught:
        position.play(move)
    error, placed = caught.value, caught.value.at(4)
    assert (error.index, placed.index) == (0, 4)
    assert (placed.rule, placed.detail, placed.piles) == position.why_not(move)
    assert (placed.move, str(placed)) == ("t1t1", error.detail)

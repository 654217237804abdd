"""Stuck is exact in Binary Star and never a false alarm in Astrocyte."""

from hypothesis import given, settings

from service.games import VARIANTS
from service.games.boards import parse_position
from tests.support import reading
from tests.support.tables import few_fans, nearly_stuck
from tests.support.walks import choices, deal_numbers, late_walks, start, wandered

BINARY_STAR, ASTROCYTE = VARIANTS["binary-star"], VARIANTS["astrocyte"]


@settings(max_examples=300)
@given(few_fans())
def test_binary_star_is_stuck_when_trying_all_transfers_finds_no_play(board):
    by_trying = reading.read("binary-star", board).stuck()
    assert parse_position(BINARY_STAR, board).view.stuck == by_trying


@given(deal_numbers, choices(150))
def test_binary_star_is_stuck_in_a_whole_game_only_when_trying_finds_no_play(number, picked):
    walk = wandered(start(BINARY_STAR, number), picked)
    for position in walk.positions[:: max(1, len(walk.positions) // 8)]:
        piles = "\n".join(f"{id}: {' '.join(cards)}" for id, _, _, cards in position.view.piles)
        assert position.view.stuck == reading.read("binary-star", piles).stuck()


@settings(max_examples=200)
@given(nearly_stuck())
def test_astrocyte_is_stuck_when_trying_every_move_finds_none(board):
    by_trying = not reading.read("astrocyte", board).listed()
    assert parse_position(ASTROCYTE, board).view.stuck == by_trying


@given(late_walks())
def test_a_table_with_a_move_that_gets_on_is_not_called_stuck(walk):
    for position in walk.positions:
        plays = [m for m in position.legal_moves() if not (m.source[0] == m.target[0] == "f")]
        if plays:
            assert not position.view.stuck

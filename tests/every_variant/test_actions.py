"""The action table of a game: it never changes, and is neither too small nor too large."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.games.moves import parse_move
from tests.support.walks import accepted, walks_of

TABLES = {
    "binary-star": (36, "94bb6fe0226c08ea6a165c55aef7cc50295f22923095214b718f29bf16b06ede"),
    "astrocyte": (965, "85949b8b5cec8c9e8ed9e38ab114e0128176eeab7e28d1d92215ff4410f25b60"),
}
"""How many actions a game has, and SHA-256 of their texts joined by spaces."""


def test_the_action_table_never_changes(game):
    """Learners use the places in it: another order is another game to them."""
    texts = " ".join(map(str, game.actions))
    table = (len(game.actions), hashlib.sha256(texts.encode()).hexdigest())
    if game.name not in TABLES:
        pytest.skip(f"write down the table of {game.name}: {table}")
    assert table == TABLES[game.name]


def test_every_action_has_a_place_of_its_own(game):
    assert [game.action_index[move] for move in game.actions] == list(range(len(game.actions)))


def test_every_action_has_a_text_of_its_own(game):
    assert [parse_move(str(move)) for move in game.actions] == list(game.actions)


@settings(max_examples=30)
@given(data=st.data())
def test_every_listed_move_is_accepted_and_in_the_table(game, data):
    for position in data.draw(walks_of(game)).positions:
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves)
        assert set(moves) <= game.action_index.keys()
        assert [move for move in moves if position.why_not(move)] == []


@settings(max_examples=30)
@given(data=st.data())
def test_every_accepted_move_is_in_the_table(game, data):
    assert accepted(data.draw(walks_of(game)).end) <= game.action_index.keys()


def test_every_move_of_a_won_game_is_in_the_table(won):
    assert set(won.walk.moves) <= won.variant.action_index.keys()

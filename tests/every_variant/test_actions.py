"""The action table of every game: fixed for ever, and neither too small nor too large."""

import hashlib
from random import Random

import pytest

from service.games import VARIANTS
from service.games.moves import parse_move
from tests.walks import WON_GAMES, start, wandered

every_variant = pytest.mark.parametrize("game", VARIANTS.values(), ids=VARIANTS)
TABLES = {
    "binary-star": (36, "94bb6fe0226c08ea6a165c55aef7cc50295f22923095214b718f29bf16b06ede"),
    "astrocyte": (965, "85949b8b5cec8c9e8ed9e38ab114e0128176eeab7e28d1d92215ff4410f25b60"),
}
"""How many actions a game has, and SHA-256 of their texts joined by spaces."""


@every_variant
def test_the_action_table_never_changes(game):
    """Learners use the places in it: another order is another game to them."""
    texts = " ".join(map(str, game.actions))
    assert (len(game.actions), hashlib.sha256(texts.encode()).hexdigest()) == TABLES[game.name]


@every_variant
def test_every_action_has_a_place_of_its_own(game):
    assert [game.action_index[move] for move in game.actions] == list(range(len(game.actions)))


@every_variant
def test_every_action_has_a_text_of_its_own(game):
    assert [parse_move(str(move)) for move in game.actions] == list(game.actions)


@every_variant
@pytest.mark.parametrize("number", range(1, 6))
def test_every_legal_move_of_a_random_game_is_in_the_table(game, number):
    random = Random(number)
    walk = wandered(start(game, number), (random.randrange(2**16) for _ in range(200)))
    for position in walk.positions:
        assert set(position.legal_moves()) <= game.action_index.keys()


@every_variant
def test_every_move_of_a_won_game_is_in_the_table(game):
    for won in WON_GAMES[game.name]:
        assert set(won.walk.moves) <= game.action_index.keys()
        for position in won.walk.positions:
            assert set(position.legal_moves()) <= game.action_index.keys()

"""What every game deals: a whole, real position, the same one for the same number."""

from collections import Counter

import pytest

from service.errors import UnknownVariantError
from service.games import VARIANTS, find_variant
from service.games.boards import parse_position, print_position
from service.games.cards import TWO_PACKS
from tests import reading
from tests.walks import start

every_variant = pytest.mark.parametrize("game", VARIANTS.values(), ids=VARIANTS)


@every_variant
def test_a_game_is_found_under_its_name(game):
    assert find_variant(game.name) is game


@pytest.mark.parametrize("name", ["", "spider", "Astrocyte", "binary_star", "x" * 5000])
def test_no_game_is_found_under_another_name(name):
    with pytest.raises(UnknownVariantError) as caught:
        find_variant(name)
    assert caught.value.known == tuple(VARIANTS)
    assert len(str(caught.value)) < 200


@every_variant
def test_the_ruleset_is_the_name_and_an_edition(game):
    name, _, edition = game.ruleset.partition("/")
    assert (name, edition.isdecimal()) == (game.name, True)


@every_variant
@pytest.mark.parametrize("number", [1, 2, 4711, 2**64 - 1])
def test_all_104_cards_are_on_the_table(game, number):
    position = start(game, number)
    cards = [card for pile in position.view.piles for card in pile.cards]
    cards += [card for hidden in position.under for card in hidden]
    assert Counter(cards) == Counter(TWO_PACKS)


@every_variant
@pytest.mark.parametrize("number", range(1, 30))
def test_the_start_is_a_real_position_and_not_won(game, number):
    position = start(game, number)
    assert game.why_unreachable(position) is None
    assert not position.view.won


@every_variant
def test_the_piles_stand_in_the_order_of_the_layout(game):
    view = start(game, 1).view
    assert tuple(pile.id for pile in view.piles) == game.layout.ids
    assert tuple(pile.kind for pile in view.piles) == game.layout.kinds
    assert [view[id].id for id in game.layout.ids] == list(game.layout.ids)


@every_variant
def test_every_pile_counts_its_hidden_cards(game):
    position = start(game, 1)
    counts = [pile.hidden for pile in position.view.piles]
    assert counts == [len(hidden) for hidden in position.under]
    assert position.view.hidden == sum(counts)


@every_variant
@pytest.mark.parametrize("number", [1, 2, 3, 99, 10**9, 2**64 - 1])
def test_a_deal_is_laid_out_as_in_the_plain_reading(game, number):
    assert print_position(start(game, number)) == reading.deal(game.name, number).show()


@every_variant
def test_a_printed_start_is_read_back_as_it_was(game):
    position = start(game, 1)
    assert parse_position(game, print_position(position)) == position

"""A game is found under its name and under no other."""

import pytest

from service.errors import UnknownVariantError
from service.games import VARIANTS, find_variant


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_is_found_under_its_name(name):
    assert find_variant(name).name == name


@pytest.mark.parametrize("name", ["", "spider", "Astrocyte", "binary_star", "x" * 5000])
def test_no_game_is_found_under_another_name(name):
    with pytest.raises(UnknownVariantError) as caught:
        find_variant(name)
    assert all(known in str(caught.value) for known in VARIANTS)
    assert len(str(caught.value)) < 200

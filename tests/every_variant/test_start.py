"""What a game deals: a reachable position, the same one for the same number."""

import re
from collections import Counter
from pathlib import Path

import pytest

import service.games
from service.games.boards import print_position
from tests.support import reading
from tests.support.walks import start


def test_the_folder_of_a_game_holds_its_rules_and_no_more(game):
    folder = Path(service.games.__file__).parent / game.name.replace("-", "_")
    files = {file.name for file in folder.iterdir() if file.is_file() and file.suffix != ".pxd"}
    parts = {"table.py", "legal_moves.py"}
    assert files - parts == {"__init__.py", "rules.py", "RULES.md"}
    assert game.rules == (folder / "RULES.md").read_text(encoding="utf-8")


def test_the_rules_are_numbered_from_one_without_a_gap(game):
    assert game.rules.startswith(f"# {game.title}\n")
    numbers = re.findall(r"^- \*\*([A-Z]\d+)\*\* ", game.rules, re.M)
    assert numbers == [f"{numbers[0][0]}{n}" for n in range(1, len(numbers) + 1)]


def test_the_ruleset_is_the_name_and_an_edition(game):
    name, _, edition = game.ruleset.partition("/")
    assert (name, edition.isdecimal()) == (game.name, True)


@pytest.mark.parametrize("number", [1, 2, 2**64 - 1])
def test_the_start_has_the_whole_pack_is_reachable_and_not_won(game, number):
    position = start(game, number)
    cards = Counter(card for pile in position.view.piles for card in pile.cards)
    cards.update(card for under in position.under for card in under)
    assert Counter(game.pack) <= cards
    assert game.why_unreachable(position) is None
    assert not position.view.won


def test_another_number_is_another_deal(game):
    assert start(game, 7) == start(game, 7) != start(game, 8)


def test_piles_are_found_by_their_ids(game):
    view = start(game, 1).view
    assert [view[id].id for id in game.layout.ids] == list(game.layout.ids)


@pytest.mark.parametrize("number", [1, 2, 99, 2**64 - 1])
def test_a_deal_is_laid_out_as_in_the_plain_reading(twice_read, number):
    assert print_position(start(twice_read, number)) == reading.deal(twice_read.name, number).show()

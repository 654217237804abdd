"""What a table looks like: every card is there, in every size, and nothing of the hidden ones."""

import re

import pytest

from service.cli.render import GLYPHS
from service.cli.terminal.drawing import Canvas, Marks, draw
from service.cli.terminal.geometry import SMALLEST, places
from service.cli.text_files import use_stand_ins
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.base import View
from service.games.boards import parse_position
from tests.terminal.kit import LARGE, SMALL, at, board, deal, played

TABLES = {"of 80 by 24": (80, 20), "of 120 by 40": (120, 36), "of the smallest size": SMALLEST}
"""Columns and lines that a terminal leaves for the table."""

_SUITS = {glyph: suit for suit, glyph in GLYPHS.items()}
_NAME = re.compile(rf"(10|[A2-9JQK])([{''.join(_SUITS)}])")

LONG = "t1: [2C] KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH 9C KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"


def drawn(view: View, size: tuple[int, int]) -> Canvas:
    return draw(view, places(view.variant.layout, *size), Marks(), *size)


def cards_shown(canvas: Canvas) -> set[str]:
    """The cards that are named on the canvas."""
    return {rank.replace("10", "T") + _SUITS[suit] for rank, suit in _NAME.findall(canvas.text())}


@pytest.mark.parametrize("size", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_face_up_card_of_a_start_can_be_seen_and_clicked(variant, size):
    view = start_position(PublicDeal(VARIANTS[variant], 1)).view
    canvas = drawn(view, size)
    assert cards_shown(canvas) == {card for pile in view.piles for card in pile.cards}
    clickable = set(canvas.spots.values())
    for pile in view.kind("tableau"):
        assert {(pile.id, depth + 1) for depth in range(len(pile.cards))} <= clickable


def test_a_long_column_fits_24_lines_and_each_card_can_be_clicked():
    view = parse_position(VARIANTS["astrocyte"], LONG).view
    canvas = drawn(view, (80, 20))
    column = view["t1"]
    assert cards_shown(canvas) == set(column.cards)
    lines = canvas.text().splitlines()
    for depth in range(1, len(column.cards) + 1):
        x, y = min(xy for xy, spot in canvas.spots.items() if spot == ("t1", depth))
        rank, suit = _NAME.search(lines[y], x).groups()
        assert rank.replace("10", "T") + _SUITS[suit] == column.cards[-depth]


def test_cards_that_find_no_room_at_all_are_counted():
    view = parse_position(VARIANTS["astrocyte"], f"{LONG} {LONG[9:]} {LONG[9:]}").view
    canvas = drawn(view, SMALLEST)
    label = re.match(r" *t1 \+(\d+)", canvas.text().splitlines()[4])
    seen = {spot.depth for spot in canvas.spots.values() if spot.pile == "t1" and spot.depth}
    assert label is not None
    assert int(label[1]) + len(seen) == len(view["t1"].cards)


def test_the_canvas_can_be_shown_by_a_terminal_of_ascii():
    use_stand_ins()
    for variant in VARIANTS.values():
        text = drawn(start_position(PublicDeal(variant, 1)).view, (80, 20)).text()
        assert b"?" not in text.encode("ascii", "stand-ins")


@played
async def test_a_table_follows_the_size_of_its_terminal():
    async with at(await deal("binary-star", 1)) as player:
        small = player.table_text
        await player.resize(*LARGE)
        assert len(player.table_text.splitlines()) > len(small.splitlines())
        await player.resize(50, 10)
        assert player.table_text.startswith("The table needs a terminal of 60 columns")
        await player.press("right", "left")
        await player.resize(*SMALL)
        assert player.table_text == small


@played
async def test_nothing_on_the_screen_depends_on_a_face_down_card():
    below = ("2C 3C", "KD KH")
    screens = []
    for hidden in below:
        table = board(f"t1: [{hidden}] JD 8H / t2: [{hidden}] TS / t4: 9C / s: [{hidden}]")
        shown = []
        async with at(table) as player:
            for key in ("1", "4", "d", "2", "escape"):
                await player.press(key)
                shown.append(player.screen)
            assert player.state.ply == 1
        screens.append(shown)
    assert screens[0] == screens[1]

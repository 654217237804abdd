"""Whole games in the browser, from the deal to the win."""

from playwright.sync_api import expect

from tests.http.kit import WON_DEAL, WON_LINE
from tests.support.walks import fixture
from tests.web.conftest import PHONE, OpenPlayer


def test_binary_star_is_won_with_the_mouse(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    for ply, move in enumerate(WON_LINE, 1):
        (player.drag if ply % 2 else player.click)(move)
        player.expect_ply(ply)
    expect(player.page.get_by_role("dialog", name="Won!")).to_be_visible()
    assert player.read()["status"] == "won"


def test_astrocyte_is_won_with_the_mouse(new_player: OpenPlayer):
    won = fixture("astrocyte-won-line.json")
    player = new_player()
    player.start(won["variant"], won["deal"])
    for ply, move in enumerate(won["moves"], 1):
        if move == "deal":
            player.deal()
        else:
            (player.drag if ply % 2 else player.click)(move)
        player.expect_ply(ply)
    expect(player.page.get_by_role("dialog", name="Won!")).to_be_visible()
    assert player.read()["status"] == "won"


def test_binary_star_is_won_with_the_keyboard(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    for ply, move in enumerate(WON_LINE, 1):
        player.type(move)
        player.expect_ply(ply)
    expect(player.page.get_by_role("dialog", name="Won!")).to_be_visible()


def test_a_finger_plays_on_a_phone(new_player: OpenPlayer):
    player = new_player(viewport=PHONE, has_touch=True, is_mobile=True)
    player.start("binary-star", WON_DEAL)
    for ply, move in enumerate(WON_LINE[:20], 1):
        player.tap(move)
        player.expect_ply(ply)

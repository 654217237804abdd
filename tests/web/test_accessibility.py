"""The page for people who do not see it, or see it differently."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.http.kit import WON_DEAL, WON_LINE
from tests.web.conftest import DESKTOP, PHONE, OpenPlayer

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"


def findings(page: Page) -> list[str]:
    """What axe-core finds on the page, as it is now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run()")
    return [
        f"{violation['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_axe_finds_nothing_on_any_view(new_player: OpenPlayer, scheme: str, size: object):
    player = new_player(color_scheme=scheme, viewport=size)
    player.start("astrocyte", 8)
    assert findings(player.page) == []
    player.start("binary-star", WON_DEAL, WON_LINE[:5])
    assert findings(player.page) == []
    player.page.keyboard.press("h")
    expect(player.line).to_contain_text("that win")
    assert findings(player.page) == []
    for view, shown in {
        f"#/replay/{player.game['id']}": ".replay-words",
        "#/games": "table",
        "#/results": "table",
        "#/rules/astrocyte": ".rules li",
        "#/": ".game-card",
        f"#/game/{'a' * 26}": ".failure",
    }.items():
        player.go(view)
        player.page.locator(shown).first.wait_for()
        assert findings(player.page) == [], view


@pytest.mark.parametrize(("scheme", "size"), [("dark", DESKTOP), ("light", PHONE)])
def test_axe_finds_nothing_in_dialogs(new_player: OpenPlayer, scheme: str, size: object):
    player = new_player(color_scheme=scheme, viewport=size)
    player.start("binary-star", WON_DEAL, WON_LINE[:-1])
    player.page.keyboard.press("n")
    player.page.get_by_role("dialog").wait_for()
    assert findings(player.page) == []
    player.page.keyboard.press("Escape")
    player.page.get_by_role("button", name="More").click()
    assert findings(player.page) == []
    player.page.keyboard.press("Escape")
    player.drag(WON_LINE[-1])
    player.page.get_by_role("dialog", name="Won!").wait_for()
    assert findings(player.page) == []


def test_moves_are_announced_in_words(new_player: OpenPlayer):
    player = new_player()
    player.start("astrocyte", 1)
    player.type("t7t2")
    live = player.page.locator("#live")
    expect(live).to_contain_text("Nine of hearts to ten of clubs, column two")
    expect(live).to_contain_text("Turned up: king of diamonds")


def test_the_arrows_enter_the_table_from_anywhere(new_player: OpenPlayer):
    player = new_player()
    player.start("astrocyte", 1)
    player.page.keyboard.press("ArrowRight")
    player.page.keyboard.press("ArrowRight")
    expect(player.page.locator(".pile[data-pile=t2]")).to_be_focused()


def test_a_view_begins_at_its_heading(new_player: OpenPlayer):
    player = new_player()
    player.go("")
    player.page.get_by_role("link", name="My games").click()
    expect(player.page.get_by_role("heading", name="My games")).to_be_focused()


def test_a_pile_says_what_lies_on_it_and_what_it_hides(new_player: OpenPlayer):
    player = new_player()
    player.start("astrocyte", 1)
    expect(
        player.page.get_by_role("button", name="Column two: ten of clubs, seven face down")
    ).to_be_attached()


def test_the_table_is_used_at_twice_the_size(new_player: OpenPlayer):
    player = new_player(viewport={"width": 640, "height": 360})  # 1280 by 720 at 200 %
    player.start("astrocyte", 8)
    player.page.locator(".pile[data-pile=t2]").scroll_into_view_if_needed()
    player.click("t2t3")
    player.expect_ply(1)


def test_high_contrast_shows_what_can_be_done(new_player: OpenPlayer):
    player = new_player(forced_colors="active")
    player.start("binary-star", WON_DEAL)
    player.page.mouse.click(*player.point("t8"))
    target = player.page.locator(".pile[data-state=target]")
    assert target.evaluate("pile => getComputedStyle(pile).outlineStyle") == "solid"


def test_nothing_moves_for_those_who_do_not_want_it(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    player.drag(WON_LINE[0])
    assert player.page.evaluate("document.getAnimations().length") == 0

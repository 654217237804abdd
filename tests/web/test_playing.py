"""Single moves and what belongs to them: undo, hints, offers, the end, watching, replays."""

import random
import re
import time
from statistics import median

import pytest
from playwright.sync_api import expect

from tests.http.kit import WON_DEAL, WON_LINE
from tests.support.walks import fixture
from tests.web.conftest import PHONE, OpenPlayer

VARIANTS = {"binary-star": WON_DEAL, "astrocyte": 8}


def test_the_targets_of_what_is_picked_up_are_lit(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    player.page.mouse.click(*player.point("t8"))
    expect(player.page.locator(".pile[data-state=target]")).to_have_count(1)
    expect(player.page.locator(".card.lifted")).to_have_count(1)
    player.page.keyboard.press("Escape")
    expect(player.page.locator(".pile[data-state=target]")).to_have_count(0)


def test_a_double_click_makes_the_obvious_move(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    player.page.mouse.dblclick(*player.point("t8"))
    player.expect_ply(1)
    assert player.read()["piles"][-1]["cards"] == ["KS", "QD"]


def test_a_card_that_is_dropped_beside_all_targets_goes_back(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    x, y = player.point("t8")
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x + 20, y + 30, steps=3)
    player.page.mouse.up()
    expect(player.page.locator(".carried, .lifted")).to_have_count(0)
    assert player.point("t8") == (x, y)
    assert player.read()["version"] == 1


def test_moves_are_undone_and_redone_without_limit(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL, WON_LINE[:12])
    for _ in range(12):
        player.page.keyboard.press("u")  # faster than the answers
    player.expect_ply(0)
    for _ in range(12):
        player.page.get_by_role("button", name="Redo").click()
    player.expect_ply(12)


def test_a_reload_goes_on_where_the_game_is(new_player: OpenPlayer):
    player = new_player()
    player.start("astrocyte", 8)
    player.drag("t2t3")
    player.expect_ply(1)
    player.page.reload()
    player.wait_for_cards()
    player.expect_ply(1)
    player.drag("t4c1")
    player.expect_ply(2)


def test_a_hint_is_shown_on_the_table_with_its_reason(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    player.page.get_by_role("button", name="Hint").click()
    expect(player.line).to_contain_text("The first of 102 moves that win.")
    expect(player.page.locator(".card.hinted")).to_have_count(1)
    expect(player.page.locator(".pile[data-hint]")).to_have_count(1)
    player.page.get_by_role("button", name="Play it").click()
    player.expect_ply(1)


def test_a_whole_run_is_offered_and_not_taken(new_player: OpenPlayer):
    won = fixture("astrocyte-won-line.json")
    first = next(ply for ply, move in enumerate(won["moves"]) if "x13" in move)
    player = new_player()
    player.start("astrocyte", won["deal"], won["moves"][:first])
    expect(player.line).to_contain_text("A whole run is ready")
    player.page.get_by_role("button", name="Take it off").click()
    player.expect_ply(first + 1)


def test_a_card_is_taken_back_from_a_foundation_only_after_a_question(new_player: OpenPlayer):
    won = fixture("astrocyte-won-line.json")
    first = next(ply for ply, move in enumerate(won["moves"]) if "x13" in move) + 1
    player = new_player()
    player.start("astrocyte", won["deal"], won["moves"][:first])
    back = next(move for move in player.game["legal_moves"] if move.startswith("f"))
    source, target = re.findall("[a-z][0-9]+", back)
    for answer in ("Cancel", "Take back"):
        player.page.mouse.click(*player.point(source))
        player.page.mouse.click(*player.point(target))
        player.page.get_by_role("button", name=answer).click()
        player.expect_ply(first + (answer == "Take back"))


def test_stuck_is_said_plainly_with_how_many_undos_back_it_was_winnable(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    while not player.game["stuck"]:
        player.play_elsewhere(player.game["legal_moves"][0])
    expect(player.line).to_contain_text("Stuck: no move is left.")
    player.page.get_by_role("button", name="Where was it lost?").click()
    undo = player.line.get_by_role("button", name=re.compile("Undo [0-9]+"))
    steps = int(undo.inner_text().split()[1])
    ply = player.game["ply"]
    undo.click()
    player.expect_ply(ply - steps)
    player.page.get_by_role("button", name="Hint").click()
    expect(player.line).to_contain_text("moves that win")


def test_a_sealed_deal_is_verified_when_its_game_is_over(new_player: OpenPlayer):
    player = new_player()
    player.go("")
    player.page.locator("[data-variant=astrocyte]").get_by_role("button", name="New game").click()
    player.page.get_by_role("button", name="Deal the cards").click()
    player.wait_for_cards()
    player.page.get_by_role("button", name="More").click()
    player.page.get_by_role("button", name="Resign").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    with player.page.context.expect_page() as opened:
        player.page.get_by_role("link", name="Verify this deal").click()
    expect(opened.value.locator("#verdict")).to_have_text("The deal is correct.")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("kind", ["random", "daily", "winnable", "number", "fair"])
def test_a_new_game_is_dealt_as_it_was_asked_for(new_player: OpenPlayer, variant: str, kind: str):
    player = new_player()
    player.go("")
    page = player.page
    page.locator(f"[data-variant={variant}]").get_by_role("button", name="New game").click()
    page.locator(f"input[name=deal][value={kind}]").check()
    if kind == "number":
        page.get_by_label("Number of the deal").fill("4711")
    if kind == "winnable":
        page.get_by_label("Difficulty").select_option("1")
    if kind == "fair":
        page.get_by_label("Your seed: any text").fill("my own seed")
    page.get_by_role("button", name="Deal the cards").click()
    player.wait_for_cards()
    game = page.request.get(f"/v1/games/{page.url.rsplit('/', 1)[1]}")
    if kind == "daily":  # only its player may see it
        assert game.status == 401
        return
    deal = game.json()["deal"]
    assert deal["fairness"] == ("public" if kind in ("winnable", "number") else "sealed")
    if kind == "number":
        assert deal["number"] == "4711"
    if kind == "winnable":
        assert page.request.get(f"/v1/deals/{deal['id']}").json()["difficulty"] == 1


def test_a_variant_that_the_page_has_never_heard_of_is_drawn_and_played(new_player: OpenPlayer):
    player = new_player()

    def rename(route):
        answer = player.page.request.get("/v1/variants/astrocyte").json()
        route.fulfill(json={**answer, "name": "third", "title": "Third"})

    def pretend(route):
        route.fulfill(json={**route.fetch().json(), "variant": "third"})

    player.page.route("**/v1/variants/third", rename)
    player.page.route(re.compile("/v1/games/[a-z2-7]{26}$"), pretend)
    player.start("astrocyte", 8)
    expect(player.page.get_by_role("heading", name="Third")).to_be_visible()
    player.drag("t2t3")
    player.expect_ply(1)
    player.deal()
    player.expect_ply(2)


def test_a_second_browser_follows_within_a_second(new_player: OpenPlayer):
    player, watcher = new_player(), new_player()
    player.start("binary-star", WON_DEAL)
    watcher.go(f"#/game/{player.game['id']}")
    watcher.wait_for_cards()
    expect(watcher.line).to_contain_text("Watching.")
    delays = []
    for ply, move in enumerate(WON_LINE[:5], 1):
        player.drag(move)
        player.expect_ply(ply)
        shown = time.monotonic()
        watcher.expect_ply(ply)
        delays.append(time.monotonic() - shown)
    assert median(delays) < 1
    expect(watcher.page.get_by_role("button", name="Undo")).to_have_count(0)


def test_a_replay_is_scrubbed_and_shared_at_any_ply(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL, WON_LINE[:30])
    player.go(f"#/replay/{player.game['id']}/7")
    words = player.page.locator(".replay-words")
    expect(words).to_contain_text("7 of 30")
    player.page.get_by_role("button", name="Next").click()
    expect(words).to_contain_text("8 of 30")
    player.page.get_by_label("Move", exact=True).fill("30")
    expect(words).to_contain_text("30 of 30")
    tops = player.page.evaluate(
        "document.querySelector('card-table').piles.map(({cards}) => cards.at(-1))"
    )
    assert tops == [next(iter(pile["cards"][-1:]), None) for pile in player.game["piles"]]


def test_a_new_game_starts_from_any_ply_of_a_replay(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL, WON_LINE[:9])
    player.go(f"#/replay/{player.game['id']}/4")
    player.page.get_by_role("button", name="Play from here").click()
    player.expect_ply(4)


def test_games_are_listed_counted_exported_and_imported(new_player: OpenPlayer, tmp_path):
    player, other = new_player(accept_downloads=True), new_player()
    player.start("binary-star", WON_DEAL, WON_LINE)
    player.go("#/games")
    page = player.page
    expect(page.get_by_role("table", name="Statistics")).to_contain_text("102")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    download.value.save_as(tmp_path / "games.json")
    other.go("#/games")
    other.page.locator("input[type=file]").set_input_files(tmp_path / "games.json")
    expect(other.page.get_by_role("table", name="Games")).to_contain_text("Deal 2")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "size", [(1280, 720), (820, 1180), (360, 740), (320, 568)], ids=lambda size: f"{size[0]}"
)
def test_the_whole_table_is_seen_without_scrolling(new_player: OpenPlayer, variant, size):
    player = new_player(viewport={"width": size[0], "height": size[1]})
    player.start(variant, VARIANTS[variant])
    felt = player.page.locator(".felt")
    assert felt.evaluate("felt => felt.scrollHeight <= felt.clientHeight")
    assert felt.evaluate("felt => felt.scrollWidth <= felt.clientWidth")
    assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_tells_face_down_cards_apart(new_player: OpenPlayer):
    player = new_player()
    player.start("astrocyte", 8)
    for ply, move in enumerate(("t2t3", "t4c1"), 1):
        player.drag(move)
        player.expect_ply(ply)
    player.page.keyboard.press("u")
    player.page.keyboard.press("u")
    player.expect_ply(0)
    backs = player.page.evaluate(
        """[...document.querySelectorAll(".card.back")].map((card) => {
          card = card.cloneNode(true);
          card.removeAttribute("style");
          return card.outerHTML;
        })"""
    )
    assert len(backs) == 8 * 7 + 1
    assert set(backs) == {'<div class="card back"></div>'}


def test_the_page_plays_with_animations_and_input_does_not_wait_for_them(new_player: OpenPlayer):
    player = new_player(viewport=PHONE, has_touch=True, reduced_motion="no-preference")
    player.start("binary-star", WON_DEAL)
    for ply, move in enumerate(WON_LINE[:10], 1):
        player.tap(move)
        player.expect_ply(ply)


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_is_clicked_the_page_shows_the_table_of_the_server(
    new_player: OpenPlayer, variant: str
):
    """Clicks, drags and keys at random, faster than the answers and the animations."""
    player = new_player(reduced_motion="no-preference")
    player.start(variant, VARIANTS[variant])
    chance = random.Random(15)
    mouse = player.page.mouse
    for _ in range(80):
        x, y = player.point(chance.choice(player.game["piles"])["id"])
        act = chance.choice(["click", "dblclick", "drag", "key"])
        if act == "key":
            player.page.keyboard.press(chance.choice(["u", "r", "d", "Enter", "ArrowRight", "+"]))
        elif act == "drag":
            mouse.down()
            mouse.move(x, y, steps=4)
            mouse.up()
        else:
            (mouse.click if act == "click" else mouse.dblclick)(x, y)
        if player.page.locator("dialog").count():
            player.page.keyboard.press("Escape")
    player.page.wait_for_timeout(700)
    game = player.read()
    assert game["version"] > 1
    player.expect_ply(game["ply"])
    assert player.page.evaluate("document.querySelector('card-table').piles") == game["piles"]
    places = player.page.evaluate(
        """() => {
          const table = document.querySelector("card-table"), box = table.getBoundingClientRect();
          return [...table.querySelectorAll(".card:not(.covered)")].filter((card) => {
            const { left, top } = card.getBoundingClientRect();
            return ![...table.geometry.piles.values()].some((pile) =>
              Math.abs(pile.x + box.left - left) < 1 &&
              pile.offsets.some((offset) => Math.abs(pile.y + offset + box.top - top) < 6));
          }).length;
        }"""
    )
    assert places == 0, "a card lies where no pile has a place for it"


def test_a_name_in_the_results_is_owned_from_its_second_game_on(new_player: OpenPlayer):
    """The page keeps the key of the label, and goes without one that has lapsed."""
    player, name = new_player(), "ada of the page"
    page, owned = player.page, []

    def begin() -> None:
        player.go("")
        page.locator("[data-variant=astrocyte]").get_by_role("button", name="New game").click()
        page.locator("input[name=deal][value=random]").check()
        page.get_by_label("Name in the results").fill(name)
        page.get_by_role("button", name="Deal the cards").click()
        player.wait_for_cards()
        game = page.request.get(f"/v1/games/{page.url.rsplit('/', 1)[1]}").json()
        assert game["label"] == name
        owned.append(game["label_owned"])

    begin()
    begin()
    wrong = f'[["{name}", "{"x" * 43}"]]'
    page.evaluate("keys => localStorage.setItem('asterism/label-keys', keys)", wrong)
    begin()
    assert owned == [True, True, False]

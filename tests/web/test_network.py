"""What the page does when the network or the service does not: nothing is lost or doubled."""

import re

from playwright.sync_api import expect

from tests.http.kit import WON_DEAL, WON_LINE
from tests.support.servers import StoreServer
from tests.web.conftest import OpenPlayer


def test_one_move_is_one_request(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    requests: list[str] = []
    player.page.on("request", lambda request: requests.append(f"{request.method} {request.url}"))
    for ply, move in enumerate(WON_LINE[:3], 1):
        player.drag(move)
        player.expect_ply(ply)
    assert [request.rsplit("/", 1)[1] for request in requests] == ["moves"] * 3


FIRST_FRAME = """() => {
  const send = window.fetch;
  window.fetch = async (...request) => {
    const response = await send(...request);
    const read = response.json.bind(response);
    response.json = async () => {
      const body = await read();
      requestAnimationFrame(() => {
        window.firstFrame = document.querySelector("game-view").dataset.ply;
      });
      return body;
    };
    return response;
  };
}"""
"""Notes which ply the page shows in the first frame after an answer."""


def test_an_answer_is_on_the_screen_in_the_next_frame(new_player: OpenPlayer):
    player = new_player(reduced_motion="no-preference")
    player.start("binary-star", WON_DEAL)
    player.page.evaluate(FIRST_FRAME)
    player.drag(WON_LINE[0])
    player.page.wait_for_function("() => window.firstFrame !== undefined")
    assert player.page.evaluate("window.firstFrame") == "1"


def test_an_illegal_move_is_refused_with_a_link_to_the_rules(new_player: OpenPlayer):
    player = new_player()

    def lie(route):
        game = route.fetch().json()
        route.fulfill(json={**game, "legal_moves": ["t1f1"]})

    player.page.route(re.compile("/v1/games/[a-z2-7]{26}$"), lie)
    player.start("binary-star", WON_DEAL)
    player.page.unroute_all()
    player.drag("t1f1")
    expect(player.line).to_contain_text("Illegal move")
    assert player.read()["ply"] == 0
    player.line.get_by_role("link", name="The rules").click()
    expect(player.page.locator(".rules")).to_contain_text("Suits do not matter")


def test_a_page_that_is_hidden_for_long_ends_its_stream(new_player: OpenPlayer):
    player = new_player()
    player.page.clock.install()
    player.start("binary-star", WON_DEAL)
    page = player.page

    def be_hidden(hidden: bool) -> None:
        page.evaluate(
            """(hidden) => {
              Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
              document.dispatchEvent(new Event("visibilitychange"));
            }""",
            hidden,
        )

    with page.expect_event("requestfailed", lambda request: "/events?" in request.url):
        be_hidden(True)
        page.clock.fast_forward(61_000)
    player.play_elsewhere(WON_LINE[0])
    with page.expect_request(re.compile("/events[?]after=1$")):
        be_hidden(False)
    player.expect_ply(1)


def test_a_move_of_another_client_is_shown_and_a_stale_one_is_refused_with_the_reason(
    new_player: OpenPlayer,
):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    player.page.route("**/events?*", lambda route: route.abort())  # so that it does not know
    player.page.reload()
    player.wait_for_cards()
    player.play_elsewhere("t16f1")
    player.drag("t8f2")
    expect(player.line).to_contain_text("Version conflict")
    assert re.search(
        "/problems/version-conflict$", player.line.get_by_role("link").get_attribute("href")
    )
    player.expect_ply(1)
    assert player.read()["ply"] == 1
    player.drag("t8f2")
    player.expect_ply(2)
    expect(player.line).not_to_contain_text("conflict")


def test_a_slow_answer_doubles_nothing(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    devtools = player.page.context.new_cdp_session(player.page)
    slow = {"offline": False, "latency": 2000, "downloadThroughput": -1, "uploadThroughput": -1}
    devtools.send("Network.emulateNetworkConditions", slow)
    player.drag(WON_LINE[0])
    expect(player.page.locator("[data-face=QD].carried")).to_have_count(0)
    player.drag(WON_LINE[0])  # impatient
    player.page.mouse.dblclick(*player.point("t16"))
    player.expect_ply(1)
    player.page.wait_for_timeout(300)
    assert player.read()["counters"]["moves"] == 1


def test_offline_is_said_and_the_page_goes_on_by_itself(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    player.page.context.set_offline(True)
    player.drag(WON_LINE[0])
    expect(player.line).to_contain_text("Offline")
    expect(player.page.locator("#live")).to_contain_text("Offline")  # said once, however long
    player.page.context.set_offline(False)
    player.expect_ply(1)
    assert player.read()["counters"]["moves"] == 1


def test_a_move_whose_answer_was_lost_is_played_once_also_after_a_reload(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)

    def lose_the_answer(route):
        route.fetch()
        route.abort()

    player.page.route("**/moves", lose_the_answer)
    player.drag(WON_LINE[0])
    expect(player.line).to_contain_text("Offline")
    player.page.unroute("**/moves")
    player.page.reload()
    player.wait_for_cards()
    player.expect_ply(1)
    player.drag(WON_LINE[1])
    player.expect_ply(2)
    assert player.read()["counters"]["moves"] == 2


def test_an_outage_of_the_store_loses_nothing(new_player: OpenPlayer, valkey: StoreServer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    valkey.pause()
    try:
        player.drag(WON_LINE[0])
        expect(player.line).to_contain_text(re.compile("busy|Offline"), timeout=20_000)
    finally:
        valkey.resume()
    player.expect_ply(1, timeout=30_000)
    assert player.read()["counters"]["moves"] == 1


def test_too_many_requests_wait_as_they_are_told(new_player: OpenPlayer):
    player = new_player()
    player.start("binary-star", WON_DEAL)
    seen = []

    def refuse_once(route):
        seen.append(route.request.headers["idempotency-key"])
        if len(seen) > 1:
            return route.continue_()
        body = '{"code": "too-many-requests", "status": 429}'
        return route.fulfill(status=429, headers={"Retry-After": "1"}, body=body)

    player.page.route("**/moves", refuse_once)
    player.drag(WON_LINE[0])
    expect(player.line).to_contain_text("Trying again in 1 s")
    player.expect_ply(1)
    assert len(seen) == 2
    assert len(set(seen)) == 1


def test_a_game_that_is_gone_is_said_to_be(new_player: OpenPlayer):
    player = new_player()
    player.go(f"#/game/{'a' * 26}")
    expect(player.page.get_by_role("alert")).to_contain_text("Game not found")

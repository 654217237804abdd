"""The reference in a real browser, used by people who only press its buttons."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from tests.support.servers import Service, serving

pytestmark = pytest.mark.external

OPTIONAL = {
    *("idempotency-key", "if-match", "if-none-match", "last-event-id", "request-id"),
    *("traceparent", "tracestate", "baggage"),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running


class Visitor:
    """Somebody who opens the reference for the first time."""

    def __init__(self, chromium: Browser, service: Service, width: int = 1280) -> None:
        self.origin = f"http://127.0.0.1:{service.port}"
        self.page: Page = chromium.new_context(viewport={"width": width, "height": 740}).new_page()
        self.page.set_default_timeout(60_000)  # on a machine that others use too
        self.page.goto(f"{self.origin}/docs")
        self.page.wait_for_selector(".opblock")
        self.requests: list[Request] = []
        self.page.on("request", self.notes)

    def notes(self, request: Request) -> None:
        if "/v1/" in request.url:
            self.requests.append(request)

    def executes(self, operation: str) -> Any:
        """Unfolds the operation, presses *Try it out* and *Execute*, and returns the answer."""
        block = self.unfolds(operation)
        block.get_by_role("button", name="Try it out").click()
        with self.page.expect_response(lambda response: "/v1/" in response.url) as answered:
            block.get_by_role("button", name="Execute").click()
        assert answered.value.ok, f"{operation}: {answered.value.text()}"
        return answered.value.json()

    def unfolds(self, operation: str) -> Any:
        block = self.page.locator(f"#operations-{operation}")
        block.locator(".opblock-summary-control").click()
        return block


def test_two_visitors_play_two_games(chromium, service):
    ids = set()
    for visitor in (Visitor(chromium, service), Visitor(chromium, service)):
        created = visitor.executes("games-createGame")["game"]
        moved = visitor.executes("play-playMoves")["game"]
        undone = visitor.executes("play-undoMoves")["game"]
        hinted = visitor.executes("play-askHint")["game"]
        read = visitor.executes("games-readGame")
        games = [created, moved, undone, hinted, read]
        assert [game["version"] for game in games] == [1, 2, 3, 4, 4]
        assert len({game["id"] for game in games}) == 1
        ids.add(created["id"])
        sent = visitor.requests
        assert [set(request.headers) & OPTIONAL for request in sent] == [set()] * 5
        assert {request.url.partition("?")[2] for request in sent} == {""}
    assert len(ids) == 2


def test_operations_come_first_and_the_rest_is_folded(chromium, service):
    visitor = Visitor(chromium, service)
    first = visitor.page.locator(".opblock").first.bounding_box()
    assert first["y"] < 720 / 2
    block = visitor.unfolds("play-playMoves")
    assert block.get_by_text("At least one move has been played.").is_visible()
    problem = block.get_by_text("the play token is not this game's")
    assert not problem.is_visible()
    block.get_by_text("Errors: 400 401 403").click()
    assert problem.is_visible()


def test_the_introduction_names_the_address_of_this_service(chromium, service):
    visitor = Visitor(chromium, service)
    introduction = visitor.page.locator("details", has_text="Introduction").first
    assert not introduction.get_by_text("Quick start").last.is_visible()
    introduction.locator("summary").click()
    assert introduction.get_by_text("Quick start").last.is_visible()
    text = introduction.inner_text()
    assert f"{visitor.origin}/v1/games" in text
    assert "localhost" not in text


def test_the_filter_leaves_the_operations_of_a_path(chromium, service):
    visitor = Visitor(chromium, service)
    visitor.page.get_by_placeholder("Filter").fill("UNDO")
    visitor.page.locator(".opblock").nth(1).wait_for(state="detached")
    assert visitor.page.locator(".opblock").count() == 1
    assert "undo" in visitor.page.locator(".opblock").inner_text()


def test_the_reference_fits_a_telephone(chromium, service):
    visitor = Visitor(chromium, service, width=360)
    visitor.unfolds("play-playMoves")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") == 360

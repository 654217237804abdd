"""The service, and a real Chromium that looks at it; whatever it complains about fails the test."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.support.servers import Service, StoreServer, valkey_9
from tests.web.player import Player

expect.set_options(timeout=15_000)  # other tests run on the same machine
DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreServer]:
    """A Valkey server."""
    running = StoreServer(valkey_9(), tmp_path_factory.mktemp("valkey"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def service(valkey: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service, on that server."""
    running = Service(valkey.url, tmp_path_factory.mktemp("service") / "log")
    yield running
    running.stop()


OpenPlayer = Callable[..., Player]


@pytest.fixture
def new_player(chromium: Browser, service: Service) -> Iterator[OpenPlayer]:
    """Opens the page for a new player, without animations; takes options of a browser context.

    Afterwards nothing may have been logged as an error or warning, but for the responses that a
    test expects, and nothing may have been asked of another origin.
    """
    origin = f"http://127.0.0.1:{service.port}"
    complaints: list[str] = []
    contexts = []

    def listen(page: Page) -> None:
        def hear(message: ConsoleMessage) -> None:
            if (
                message.type in ("error", "warning")
                and "Failed to load resource" not in message.text
            ):
                complaints.append(message.text)

        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                request.url.startswith((origin, "blob:", "data:"))
                or complaints.append(f"a request to {request.url}")
            ),
        )

    def open_player(**options: object) -> Player:
        options = {"viewport": DESKTOP, "reduced_motion": "reduce", "base_url": origin, **options}
        context = chromium.new_context(**options)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        contexts.append(context)
        context.on("page", listen)
        return Player(context.new_page())

    yield open_player
    for context in contexts:
        context.close()
    assert complaints == []

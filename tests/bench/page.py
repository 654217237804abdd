"""What the first visit of the page to play on costs: bytes, requests, and time until one can play.

Run by `python -m tests.bench.page`. A real Chromium opens a table with an empty cache, its
processor slowed down to a quarter, as a middling phone's is; the network is that of this machine.
"""

import shutil
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.support.servers import Service, StoreServer, valkey_9
from tests.web.player import Player

SLOWDOWN = 4
VISITS = 5


class Visit(NamedTuple):
    """A visit with an empty cache: compressed bytes, requests, and milliseconds."""

    size: int
    requests: int
    shown: float
    playable: float


def visit(browser: Browser, origin: str) -> Visit:
    """Opens a game for the first time, and waits until its cards can be moved."""
    context = browser.new_context(base_url=origin, viewport={"width": 360, "height": 740})
    page = context.new_page()
    player = Player(page)
    answer = player.post("/v1/games", {"variant": "binary-star", "deal": {"number": "2"}})
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    finished: list[Any] = []
    devtools.on("Network.loadingFinished", lambda one: finished.append(one))  # noqa: PLW0108  # no bound method
    page.goto(f"/play#/game/{answer['game']['id']}")
    player.wait_for_cards()
    playable = page.evaluate("performance.now()")
    shown = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
    )
    context.close()
    size = sum(int(one["encodedDataLength"]) for one in finished)
    return Visit(size, len(finished), shown, playable)


def report() -> None:
    """Prints the medians of some visits."""
    path = shutil.which("chromium")
    assert path, "chromium is not installed"
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        store = StoreServer(valkey_9(), Path(folder))
        service = Service(store.url, Path(folder) / "log")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            visits = [visit(browser, f"http://127.0.0.1:{service.port}") for _ in range(VISITS)]
        finally:
            browser.close()
            service.stop()
            store.stop()
    print(f"The first visit of a table, the processor slowed down {SLOWDOWN} times:")
    print(f"  {median(v.size for v in visits) / 1000:6.1f} kB over the network")
    print(f"  {median(v.requests for v in visits):6.0f} requests")
    print(f"  {median(v.shown for v in visits):6.0f} ms until something is shown")
    print(f"  {median(v.playable for v in visits):6.0f} ms until the cards can be moved")


if __name__ == "__main__":
    report()

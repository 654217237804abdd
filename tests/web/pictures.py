"""Takes pictures of the page: `python -m tests.web.pictures` those of the README, and with a folder
behind it, into that folder, every main state at three sizes, light and dark.
"""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.http.kit import WON_DEAL, WON_LINE
from tests.support.servers import Service, StoreServer, valkey_9
from tests.support.walks import fixture
from tests.web.player import Player

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1280, 720)}
ASTROCYTE = fixture("astrocyte-won-line.json")


def binary_star(player: Player) -> None:
    """A card of Binary Star is picked up."""
    player.start("binary-star", WON_DEAL, WON_LINE[:30])
    pile = player.game["legal_moves"][0].partition("f")[0]
    player.page.mouse.click(*player.point(pile))


def astrocyte(player: Player) -> None:
    """Astrocyte after some moves, and a run is picked up."""
    player.start("astrocyte", ASTROCYTE["deal"], ASTROCYTE["moves"][:70])
    move = max(player.game["legal_moves"], key=lambda text: int((text + "x1").split("x")[1]))
    player.page.mouse.click(*player.point(move[:2], int((move + "x1").split("x")[1])))


def hint(player: Player) -> None:
    """A hint is shown."""
    player.start("astrocyte", ASTROCYTE["deal"], ASTROCYTE["moves"][:20])
    player.page.keyboard.press("h")
    player.line.get_by_text("Play it").wait_for()


def stuck(player: Player) -> None:
    """A game is stuck."""
    player.start("binary-star", WON_DEAL)
    while not player.game["stuck"]:
        player.play_elsewhere(player.game["legal_moves"][0])
    player.line.get_by_text("Where was it lost?").wait_for()


def won(player: Player) -> None:
    """A game is won."""
    player.start("binary-star", WON_DEAL, WON_LINE[:-1])
    player.click(WON_LINE[-1])
    player.page.get_by_role("dialog").wait_for()


def new_game(player: Player) -> None:
    """The dialog for a new game."""
    player.start("astrocyte", ASTROCYTE["deal"])
    player.page.keyboard.press("n")
    player.page.get_by_role("dialog").wait_for()


def replay(player: Player) -> None:
    """A replay, half-way."""
    player.start("astrocyte", ASTROCYTE["deal"], ASTROCYTE["moves"][:90])
    player.go(f"#/replay/{player.game['id']}/45")
    player.wait_for_cards()


def games(player: Player) -> None:
    """The games on this device."""
    won(player)
    player.go("#/games")
    player.page.locator("table").first.wait_for()


def results(player: Player) -> None:
    """Results and figures."""
    player.go("#/results")
    player.page.locator("table").first.wait_for()


def rules(player: Player) -> None:
    """The rules of a game."""
    player.go("#/rules/astrocyte")
    player.page.locator(".rules li").first.wait_for()


def home(player: Player) -> None:
    """The first view."""
    player.go("")
    player.page.locator(".game-card").first.wait_for()


STATES: tuple[Callable[[Player], None], ...] = (
    *(home, binary_star, astrocyte, hint, stuck, won, new_game, replay, games, results, rules),
)


def take(browser: Browser, origin: str, state: Callable[[Player], None], path: Path) -> None:
    """Takes one picture; its name ends with a size and a scheme."""
    *_, size, scheme = path.stem.split("-")
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=origin,
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    player = Player(context.new_page())
    state(player)
    player.page.wait_for_timeout(200)
    player.page.screenshot(path=path, type="jpeg", quality=80)
    context.close()


@contextmanager
def running() -> Iterator[tuple[Browser, str]]:
    """A browser, and the origin of a service."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        store = StoreServer(valkey_9(), Path(folder))
        service = Service(store.url, Path(folder) / "log")
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser, f"http://127.0.0.1:{service.port}"
        finally:
            browser.close()
            service.stop()
            store.stop()


def main() -> None:
    """Takes the pictures."""
    with running() as (browser, origin):
        if len(sys.argv) == 1:
            PICTURES.mkdir(exist_ok=True)
            take(browser, origin, binary_star, PICTURES / "binary-star-desktop-dark.jpg")
            take(browser, origin, astrocyte, PICTURES / "astrocyte-desktop-light.jpg")
            return
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        for state in STATES:
            for size in SIZES:
                for scheme in ("light", "dark"):
                    take(browser, origin, state, folder / f"{state.__name__}-{size}-{scheme}.jpg")


if __name__ == "__main__":
    main()

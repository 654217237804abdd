"""The page that verifies deals, opened in a browser: saved as a file, and without encryption."""

import json
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest

from service.records.replay_text import print_replay
from tests.browser.test_verify_deal_page import DEALS, kept_replay, revealed
from tests.http.kit import InMemoryService

DEAL = next(deal for deal in DEALS if deal.variant.name == "astrocyte" and deal.player_seed)
FILL = """<script type="module">
for (const [id, text] of Object.entries(%s)) {
  const field = document.getElementById(id);
  field.value = text;
  field.dispatchEvent(new Event("input"));
}
</script></body>"""


@pytest.fixture(scope="module")
def page():
    """The page as it is served."""
    return InMemoryService().api.get("/verify-deal").body.decode()


@pytest.fixture
def seen(tmp_path):
    """What a browser makes of a page, as HTML."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")

    def opened(url, *options):
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=5000",
        ]
        done = subprocess.run(
            [*command, f"--user-data-dir={tmp_path}", *options, "--dump-dom", url],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return done.stdout

    return opened


@pytest.mark.parametrize(
    ("altered", "verdict"),
    [
        ({}, "The deal is correct."),
        ({"brought": "0f" * 16}, "The deal is not correct."),
        ({"replay": "{}"}, "This is not a replay: it does not show the table at the start."),
        ({"told": "{}"}, "This is not a reveal: unknown scheme or variant."),
    ],
)
def test_a_saved_page_verifies_a_deal_and_what_one_kept_of_it(
    page, seen, tmp_path, altered, verdict
):
    kept = {
        "told": json.dumps(revealed(DEAL)),
        "noted": DEAL.commitment,
        "brought": DEAL.player_seed.hex(),
        "replay": print_replay(kept_replay(DEAL)),
    }
    file = tmp_path / "saved.html"
    file.write_text(page.replace("</body>", FILL % json.dumps({**kept, **altered})))
    dom = seen(file.as_uri())
    assert verdict in dom
    assert 'id="insecure" class="notice" hidden=""' in dom


def test_a_reveal_in_the_fragment_of_the_address_is_verified_at_once(page, seen, tmp_path):
    file = tmp_path / "saved.html"
    file.write_text(page)
    assert "The deal is correct." in seen(f"{file.as_uri()}#{quote(json.dumps(revealed(DEAL)))}")


def test_a_page_that_came_without_encryption_says_what_to_do(page, seen):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *words):
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        dom = seen(
            f"http://elsewhere.example:{server.server_port}/",
            "--host-resolver-rules=MAP elsewhere.example 127.0.0.1",
        )
        server.shutdown()
    assert 'id="insecure" class="notice">' in dom

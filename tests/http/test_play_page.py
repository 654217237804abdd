"""The page to play on, as it is served: cached for good by its content, and strict."""

import gzip
import re

import pytest

from service.api import play_page
from tests.support.api import Api

ASSET = re.compile(r'(?:href|src)="(/play/[^"]+)"')


@pytest.fixture
def page(api: Api) -> str:
    """The page."""
    return api.get("/play").body.decode()


def test_every_asset_that_the_page_names_is_there(api, page):
    assets = ASSET.findall(page)
    assert len(assets) > 20
    for path in assets:
        assert api.get(path).status == 200


def test_the_page_is_not_cached_and_its_assets_are_for_good(api, page):
    assert api.get("/play").headers["Cache-Control"] == "no-cache"
    for path in ASSET.findall(page):
        assert "immutable" in api.get(path).headers["Cache-Control"]


def test_an_asset_of_another_release_is_the_current_one_and_is_not_cached(api):
    answer = api.get("/play/another/look/base.css")
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")


def test_whoever_edits_a_file_sees_it_at_the_next_reload(api, tmp_path, monkeypatch):
    monkeypatch.setattr(play_page, "FOLDER", tmp_path)
    (tmp_path / "look").mkdir()
    (tmp_path / "index.html").write_text("{{ assets }}/look/a.css")
    (tmp_path / "look" / "a.css").write_text("p { color: red }")
    before = api.get("/play").body.decode()
    (tmp_path / "look" / "a.css").write_text("p { color: green }")
    after = api.get("/play").body.decode()
    assert after != before
    assert b"green" in api.get(after).body


def test_the_page_and_its_assets_are_compressed_for_those_who_take_it(app, page):
    client = app.test_client()
    for path in ("/play", *ASSET.findall(page)):
        plain = client.get(path)
        packed = client.get(path, headers={"Accept-Encoding": "br;q=0.5, gzip"})
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert client.get(path, headers={"Accept-Encoding": "gzip;q=0"}).data == plain.data
        assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"


def test_the_first_load_is_small(app, page):
    client, gzipped = app.test_client(), {"Accept-Encoding": "gzip"}
    paths = ("/play", *ASSET.findall(page))
    assert sum(len(client.get(path, headers=gzipped).data) for path in paths) < 150_000


def test_the_policy_admits_nothing_inline_and_nothing_from_elsewhere(api, page):
    policy = api.get("/play").headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not re.search(r"<style|<script(?! type=\"module\" src=)| style=| on[a-z]+=", page)


def test_there_is_nothing_beside_the_assets(api):
    for path in ("/play/x/look/nothing.css", "/play/x/..%2fapi/app.py", "/play/x/look/types.d.ts"):
        assert api.get(path).status == 404

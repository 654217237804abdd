"""Pages for people: contract and problems; and what there is to know of the games."""

import inspect
import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

import service
from service.api.html import refusal_codes
from service.api.problems import BY_CODE
from service.games import VARIANTS
from tests.contract.contract import FILE, document
from tests.http.kit import InMemoryService, every_variant, faults, known
from tests.support import reading

PATHS = set(document()["paths"])
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def headings(answer):
    return re.findall(r"<h1>(.*?)</h1>", answer.body.decode())


def links(page):
    """Every address that a page refers to."""
    return re.findall(r"""(?:src|href|action|data|url)\s*[=:(]\s*["']([^"']+)["']""", page)


def text(api, path):
    return api.get(path, Accept="text/html").body.decode()


def test_the_page_that_verifies_deals_holds_all_it_needs(api):
    """Saved as a file, it works without a network."""
    page = api.get("/verify-deal").body.decode()
    assert {link for link in links(page) if link[0] != "#"} <= PATHS
    assert not re.search(r"https?:|//[a-z]|import\s*[({\"']|fetch|XMLHttp|\bsrc=", page)
    templates = Path(service.__file__).parent / "api" / "templates"
    for script in ("verify_deal.mjs", "verify_claims.mjs"):
        assert (templates / script).read_text() in page


def test_the_page_that_verifies_deals_knows_every_game(api):
    page = api.get("/verify-deal").body.decode()
    games = json.loads(re.search(r"const GAMES = (.+);", page)[1])
    assert games.keys() == set(VARIANTS)
    for name, game in games.items():
        assert game["set_aside"] == sorted(reading.GAMES[name].laid_out_first)
        assert game["title"] == VARIANTS[name].title


def test_the_root_is_a_page_for_browsers_and_json_for_all_others(api):
    page = api.get("/", Accept=BROWSER)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f"http://localhost{api.get('/').json['games']}" in unescape(page.body.decode())
    for accept in ("*/*", "application/json", "text/html;q=0.5, */*", "image/png", ""):
        assert api.get("/", Accept=accept).json["service"] == "asterism"


@pytest.mark.parametrize(
    "path", ["/", "/problems", "/problems/illegal-move", "/verify-deal", "/rules/astrocyte", "/x"]
)
def test_every_link_of_a_page_leads_to_something(api, path):
    for link in links(api.get(path, Accept=BROWSER).body.decode()):
        there, _, anchor = link.partition("#")
        answer = api.get(there or path, Accept=BROWSER)
        assert answer.status == 200, link
        assert not anchor or f'id="{anchor}"' in answer.body.decode(), link


def test_what_is_not_there_is_told_to_browsers_on_a_page(api):
    for path, title in {"/nothing": "Not found", "/rules/klondike": "Variant not found"}.items():
        page = api.get(path, Accept=BROWSER)
        assert (page.status, headings(page)) == (404, [title])
        assert "/" in links(page.body.decode())
        assert api.get(path, Accept="*/*").json["title"] == title


def test_in_the_api_a_browser_too_is_told_by_a_problem(api):
    for path in ("/v1/games/nothing", "/v1/nothing", "/v1/variants/klondike"):
        assert api.get(path, Accept=BROWSER).json["status"] == 404


# The root and the page that verifies deals


def test_the_root_leads_to_everything(api):
    root = api.get("/").json
    assert (root.pop("service"), root.pop("version")) == ("asterism", service.__version__)
    games = root.pop("games")
    assert set(root) == {"contract", "docs", "problems", "verify_deal", "play", "variants"}
    for path in root.values():
        assert api.get(path).status == 200
    assert api.post(games, {"variant": "astrocyte"}).status == 201


# The contract and its reference


def test_the_contract_is_served_as_it_stands_in_the_file(api):
    answer = api.get("/openapi.yaml")
    assert answer.body == FILE.read_bytes()
    assert answer.headers["Content-Type"] == "application/yaml"


def test_the_contract_is_plain_text_for_whoever_prefers_that(api):
    answer = api.get("/openapi.yaml", Accept="text/plain, */*;q=0.1")
    assert answer.body == FILE.read_bytes()
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Vary"] == "Accept"


def test_the_reference_and_its_style_load_nothing_from_elsewhere(api):
    page, style = text(api, "/docs"), text(api, "/docs/swagger-ui.css")
    page = page.replace("http://localhost:8000", "")  # the address in the examples
    assert not re.search(r"https?:|//[a-z]", page)
    urls = [url.strip("\"'") for url in re.findall(r"url\(([^)]*)", style)]
    assert all(url.startswith("data:") for url in urls)
    assert "@import" not in style
    types = {"css": "text/css", "js": "text/javascript", "png": "image/png", "yaml": "application/"}
    found = set(links(page))
    assert {"/openapi.yaml", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"} <= found
    for link in found:
        answer = api.get(link)
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith(types[link.rpartition(".")[2]])
        assert len(answer.body) > 100


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/docs/swagger-ui.css", "public, max-age=3600"),
        *((f"/v1/variants{name}", "public, max-age=3600") for name in ("", "/astrocyte")),
    ],
)
def test_what_never_changes_is_cached_for_an_hour_and_not_sent_again(api, path, expected):
    first = api.get(path)
    etag = first.headers["ETag"]
    for known_etag in (etag, f"W/{etag}", "*", f'"x", {etag}'):
        again = api.get(path, If_None_Match=known_etag)
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", etag)
        assert again.headers["Cache-Control"] == first.headers["Cache-Control"] == expected
    assert api.get(path, If_None_Match='"x"').status == 200


def test_a_file_of_the_reference_is_sent_whole_unless_it_is_unmodified(api):
    path = "/docs/swagger-ui.css"
    for headers in (
        {"Range": "bytes=0-10"},
        {"Range": "bytes=999999999-"},
        {"If_Match": '"x"'},
        {"If_Unmodified_Since": "Sat, 01 Jan 2000 00:00:00 GMT"},
    ):
        answer = api.get(path, **headers)
        assert answer.status == 200
        assert int(answer.headers["Content-Length"]) == len(answer.body) > 100_000
    assert api.get(path, If_Modified_Since=answer.headers["Last-Modified"]).status == 304


@pytest.mark.parametrize(
    "asset",
    [
        *("nothing", "app.py", "..", "%2e%2e", "swagger-ui.css%00", "SWAGGER-UI.CSS", "a" * 5000),
        *("..%2f..%2f__init__.py", "%2fetc%2fpasswd", "..%5c..%5cx", "swagger-ui.css.", "%ff"),
    ],
    ids=lambda asset: asset[:20],
)
def test_no_other_file_is_served(api, asset):
    assert known(api.get(f"/docs/{asset}")) == (404, "not-found")


# Problems


def test_the_page_of_all_problems_leads_to_each(api):
    listed = api.get("/problems", Accept="application/json").json["items"]
    assert [problem["code"] for problem in listed] == list(BY_CODE)
    assert {f"/problems/{code}" for code in BY_CODE} <= set(links(text(api, "/problems")))


@pytest.mark.parametrize("code", BY_CODE)
def test_a_problem_is_explained_to_programs_and_to_people(api, code):
    problem = BY_CODE[code]
    assert api.get(f"/problems/{code}", Accept="application/json").json == {
        "type": f"http://localhost/problems/{code}",
        "code": code,
        "status": problem.status,
        "title": problem.title,
        "explanation": problem.explanation,
    }
    answer = api.get(f"/problems/{code}", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    page = unescape(answer.body.decode())
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f"<h1>{problem.title}</h1>" in page
    assert re.sub("`([^`]+)`", r"<code>\1</code>", problem.explanation) in page
    for text in (code, *problem.members):
        assert f"<code>{text}</code>" in page
    assert [link for link in links(page) if not link.startswith("/")] == []


def test_the_type_of_a_problem_is_the_address_of_its_page(api, player):
    for answer in (
        api.get("/nothing"),
        api.request("PUT", "/livez"),
        api.get("/livez", Accept="x"),
        api.request("POST", "/v1/games", raw=b"{"),
        player.play("t1t1"),
        player.resign(Authorization=""),
    ):
        page = api.get(answer.json["type"].removeprefix("http://localhost"))
        assert page.status == 200
        assert answer.json["title"] in unescape(page.body.decode())


HTML, JSON = "text/html", "application/json"
FORMS = {
    "": (HTML, JSON),
    "*/*": (HTML, JSON),
    "image/png": (HTML, JSON),
    f"{HTML}, {JSON}": (HTML, JSON),
    f"{HTML},application/xml;q=0.9,*/*;q=0.8": (HTML, HTML),
    f"{JSON};q=0.5, {HTML}": (HTML, HTML),
    JSON: (JSON, JSON),
    f"application/*, {HTML};q=0.2": (JSON, JSON),
}


@pytest.mark.parametrize(("accept", "forms"), FORMS.items())
def test_a_problem_is_a_page_and_their_list_is_json_unless_the_other_is_preferred(
    api, accept, forms
):
    for path, form in zip(("/problems/game-over", "/problems"), forms, strict=True):
        assert api.get(path, Accept=accept).headers["Content-Type"].startswith(form)


def test_a_problem_that_there_is_not_is_not_found(api):
    for code in ("nothing", "Illegal-Move", "404", "%00", "illegal-move%0a", "%ff", "a" * 5000):
        assert known(api.get(f"/problems/{code}")) == (404, "problem-not-found")
        page = api.get(f"/problems/{code}", Accept=BROWSER)
        assert (page.status, headings(page)) == (404, ["Problem not found"])


# Rules


@every_variant
def test_every_rule_and_every_refusal_has_an_anchor(api, variant):
    page = api.get(f"/rules/{variant}").body.decode()
    rules = VARIANTS[variant].rules
    numbers = re.findall(r"^- \*\*([AB]\d+)\*\*", rules, re.MULTILINE)
    assert len(numbers) > 10
    for anchor in (*numbers, *refusal_codes(VARIANTS[variant])):
        assert page.count(f'id="{anchor}"') == 1


@every_variant
def test_the_page_of_rules_explains_every_refusal_of_the_game_and_no_others(variant):
    source = inspect.getsource(inspect.getmodule(type(VARIANTS[variant])))
    refusals = set(re.findall(r'Refusal\(\s*"([a-z-]+)"', source))
    assert refusals == set(refusal_codes(VARIANTS[variant]))


def test_the_contract_lists_every_refusal_that_the_rules_explain():
    explained = {code for game in VARIANTS.values() for code in refusal_codes(game)}
    assert explained == set(document()["components"]["schemas"]["Rule"]["enum"])


def test_the_rule_of_a_refusal_leads_to_what_it_says(api):
    player = api.new_game("astrocyte", 1)
    rule = player.play("c1t1").json["rule"]
    page = api.get(f"/rules/astrocyte#{rule}").body.decode()
    assert f'id="{rule}"' in page
    assert f"/rules/astrocyte#{rule}" in links(api.get("/problems/illegal-move").body.decode())


# Variants


def test_every_variant_is_listed_and_found_where_the_list_says(api):
    listed = api.get("/v1/variants").json["items"]
    assert [variant["name"] for variant in listed] == list(VARIANTS)
    for summary in listed:
        whole = api.get(summary["url"]).json
        assert {name: whole[name] for name in summary} == summary


@every_variant
def test_a_variant_is_described_as_its_games_are(api, variant):
    shown, game = api.get(f"/v1/variants/{variant}").json, api.new_game(variant, 1).game
    assert (shown["ruleset"], shown["rules"]) == (game["ruleset"], VARIANTS[variant].rules)
    assert shown["actions"] == [str(move) for move in VARIANTS[variant].actions]
    assert [(id, group["kind"]) for group in shown["layout"] for id in group["piles"]] == [
        (pile["id"], pile["kind"]) for pile in game["piles"]
    ]
    notation = shown["notation"]
    assert re.search(notation["game_id"], game["id"])
    for pile in game["piles"]:
        assert re.search(notation["pile"], pile["id"])
        assert all(re.search(notation["card"], card) for card in pile["cards"])
    assert all(re.search(notation["move"], move) for move in shown["actions"])


@pytest.mark.parametrize(
    ("variant", "groups"),
    [
        ("binary-star", [("tableau", "fan", 17), ("foundation", "black hole", 2)]),
        (
            "astrocyte",
            [
                ("tableau", "column", 8),
                ("cell", "cell", 4),
                ("foundation", "foundation", 8),
                ("stock", "stock", 1),
            ],
        ),
    ],
)
def test_the_layout_is_the_table_of_the_game(api, variant, groups):
    layout = api.get(f"/v1/variants/{variant}").json["layout"]
    assert [(g["kind"], g["label"], len(g["piles"])) for g in layout] == groups


@every_variant
def test_the_limits_of_a_variant_are_enforced(api, variant):
    limits = api.get(f"/v1/variants/{variant}").json["limits"]
    player = api.new_game(variant, 1, label="x" * limits["label"])
    body = {"variant": variant, "label": "x" * (limits["label"] + 1)}
    assert faults(api.post("/v1/games", body)) == ["/label"]
    assert player.play(*["t1t1"] * limits["batch"]).status == 409
    assert faults(player.play(*["t1t1"] * (limits["batch"] + 1))) == ["/moves"]


@pytest.mark.parametrize(
    "name", ["klondike", "Astrocyte", "astrocyte%20", "..%2fgames", "a" * 5000]
)
def test_an_unknown_variant_is_not_found(api, name):
    answer = api.get(f"/v1/variants/{name}")
    assert answer.status == 404
    assert answer.code in ("variant-not-found", "not-found")


# What browsers may do with a page

every_page = pytest.mark.parametrize(
    "path",
    [
        *("/", "/docs", "/problems", "/problems/illegal-move", "/verify-deal", "/rules/astrocyte"),
        "/nothing",
    ],
)


@every_page
def test_a_page_runs_its_own_scripts_and_loads_nothing_from_elsewhere(api, path):
    answer = api.get(path, Accept="text/html")
    parts = (part.split() for part in answer.headers["Content-Security-Policy"].split("; "))
    policy = {name: sources for name, *sources in parts}
    page = answer.body.decode()
    own = [
        script for script in re.findall("<script[^>]*>(.*?)</script>", page, re.DOTALL) if script
    ]
    digests = {b64encode(sha256(script.encode()).digest()).decode() for script in own}
    allowed = set(policy["script-src"]) - {"'self'"}
    assert allowed - {"'none'"} == {f"'sha256-{digest}'" for digest in digests}
    assert not re.search(r"<[^>]* on[a-z]+=", page)
    assert policy["default-src"] == policy["frame-ancestors"] == ["'none'"]
    sources = {source for listed in policy.values() for source in listed} - allowed
    assert sources <= {"'none'", "'self'", "data:", "'unsafe-inline'"}
    if path == "/verify-deal":
        assert not {"connect-src", "img-src"} & policy.keys()


@pytest.mark.parametrize("path", ["/livez", "/docs", "/nothing", "/v1/variants"])
def test_a_service_with_an_https_address_asks_browsers_for_https(path):
    for url, header in {
        "https://play.example": "max-age=63072000",
        "http://play.example": None,
        None: None,
    }.items():
        answer = InMemoryService(public_url=url).api.get(path)
        assert answer.headers["Strict-Transport-Security"] == header

"""Pages for people: front door, contract and problems; and what there is to know of the games."""

import hashlib
import json
import random
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

import service
from service.api.problems import BY_CODE
from service.games import VARIANTS
from tests.contract.contract import FILE, document
from tests.http.kit import World, known
from tests.support import reading

every_code = pytest.mark.parametrize("code", BY_CODE)
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def links(page):
    """Every address that a page refers to."""
    return re.findall(r"""(?:src|href|action|data|url)\s*[=:(]\s*["']([^"']+)["']""", page)


# The front door


def test_the_page_that_verifies_deals_holds_all_it_needs(api):
    """Saved as a file, it works without a network."""
    page = api.get("/verify-deal").body.decode()
    assert {link for link in links(page) if link[0] != "#"} == {"/", "/docs"}
    assert not re.search(r"https?:|//[a-z]|import\s*[({\"']|fetch|XMLHttp|\bsrc=", page)
    derivation = Path(service.__file__).parent / "api" / "templates" / "verify_deal.mjs"
    assert derivation.read_text() in page


def test_the_page_that_verifies_deals_knows_every_game(api):
    page = api.get("/verify-deal").body.decode()
    games = json.loads(re.search(r"const GAMES = (.+);", page)[1])
    assert games.keys() == set(VARIANTS)
    for name, game in games.items():
        assert game["set_aside"] == sorted(reading.GAMES[name].laid_out_first)
        assert game["title"] == VARIANTS[name].title


def test_the_front_door_leads_to_everything(api):
    root = api.get("/").json
    assert root.pop("service") == "asterism"
    assert root.pop("version") == service.__version__
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


def test_the_reference_asks_for_nothing_from_elsewhere(api):
    page = api.get("/docs").body.decode()
    found = links(page)
    assert {"/openapi.yaml", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"} <= set(found)
    assert [link for link in found if not re.match(r"/[a-z]", link)] == []
    assert not re.search(r"https?:|//[a-z]", page)


def test_everything_that_the_reference_asks_for_is_there(api):
    types = {"css": "text/css", "js": "text/javascript", "png": "image/png", "yaml": "application/"}
    for link in set(links(api.get("/docs").body.decode())):
        answer = api.get(link)
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith(types[link.rpartition(".")[2]])
        assert len(answer.body) > 100


def test_the_style_of_the_reference_asks_for_nothing_from_elsewhere(api):
    style = api.get("/docs/swagger-ui.css").body.decode()
    assert [
        u for u in re.findall(r"url\(([^)]*)", style) if not u.strip("\"'").startswith("data:")
    ] == []
    assert "@import" not in style


def test_a_file_of_the_reference_is_not_sent_again_to_whoever_has_it(api):
    path = "/docs/swagger-ui.css"
    first = api.get(path)
    assert first.headers["Cache-Control"] == "public, max-age=3600"
    again = api.get(path, If_None_Match=first.headers["ETag"])
    assert (again.status, again.body) == (304, b"")
    since = api.get(path, If_Modified_Since=first.headers["Last-Modified"])
    assert since.status == 304


def test_a_file_of_the_reference_is_sent_whole(api):
    for headers in (
        {"Range": "bytes=0-10"},
        {"Range": "bytes=999999999-"},
        {"If_Match": '"x"'},
        {"If_Unmodified_Since": "Sat, 01 Jan 2000 00:00:00 GMT"},
        {"If_None_Match": '"x"'},
    ):
        answer = api.get("/docs/swagger-ui.css", **headers)
        assert answer.status == 200
        assert int(answer.headers["Content-Length"]) == len(answer.body) > 100_000


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


def test_the_problems_are_those_of_the_contract(api):
    listed = api.get("/problems", Accept="application/json").json["items"]
    codes = [problem["code"] for problem in listed]
    assert len(set(codes)) == len(codes)
    assert set(codes) == set(document()["components"]["schemas"]["ProblemCode"]["enum"])


def test_the_page_of_all_problems_leads_to_each(api):
    page = api.get("/problems", Accept="text/html").body.decode()
    assert {f"/problems/{code}" for code in BY_CODE} <= set(links(page))


@every_code
def test_a_problem_is_explained_to_programs_and_to_people(api, code):
    problem = BY_CODE[code]
    told = api.get(f"/problems/{code}", Accept="application/json").json
    assert told == {
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
    for text in (code, *problem.extra):
        assert f"<code>{text}</code>" in page
    assert [link for link in links(page) if not link.startswith("/")] == []


def test_the_type_of_a_problem_is_the_address_of_its_page(api, player):
    for answer in (
        api.get("/nothing"),
        api.get("/v1/variants/x"),
        api.request("PUT", "/livez"),
        api.get("/livez", Accept="x"),
        api.post("/v1/games", {}),
        api.request("POST", "/v1/games", raw=b"{"),
        player.play("t1t1"),
        player.undo(100),
        player.resign(Authorization=""),
        player.resign(If_Match='"v1"'),
    ):
        assert answer.status >= 400
        address = answer.json["type"].removeprefix("http://localhost")
        page = api.get(address)
        assert page.status == 200
        assert answer.json["title"] in unescape(page.body.decode())
        told = api.get(address, Accept="application/json").json
        assert (told["code"], told["title"]) == (answer.code, answer.json["title"])


FORMS = {
    None: ("text/html", "application/json"),
    "*/*": ("text/html", "application/json"),
    "image/png": ("text/html", "application/json"),
    "text/html, application/json": ("text/html", "application/json"),
    "text/html": ("text/html", "text/html"),
    "text/html,application/xml;q=0.9,*/*;q=0.8": ("text/html", "text/html"),
    "application/json;q=0.5, text/html": ("text/html", "text/html"),
    "application/json": ("application/json", "application/json"),
    "application/json, */*;q=0.1": ("application/json", "application/json"),
    "application/*, text/html;q=0.2": ("application/json", "application/json"),
}


@pytest.mark.parametrize(("accept", "forms"), FORMS.items())
def test_a_problem_is_a_page_and_their_list_is_json_unless_the_other_is_preferred(
    api, accept, forms
):
    headers = {} if accept is None else {"Accept": accept}
    for path, form in zip(("/problems/game-over", "/problems"), forms, strict=True):
        assert api.get(path, **headers).headers["Content-Type"].startswith(form)


def test_a_problem_that_there_is_not_is_not_found(api):
    for code in ("nothing", "Illegal-Move", "404", "%00", "illegal-move%0a", "%ff", "a" * 5000):
        for accept in ("text/html", "application/json"):
            answer = api.get(f"/problems/{code}", Accept=accept)
            assert known(answer) == (404, "problem-not-found")


# Variants


def test_every_variant_is_listed_and_found_where_the_list_says(api):
    listed = api.get("/v1/variants").json["items"]
    assert [variant["name"] for variant in listed] == list(VARIANTS)
    for summary in listed:
        whole = api.get(summary["url"]).json
        assert {name: whole[name] for name in summary} == summary


@every_variant
def test_the_layout_names_every_pile_of_a_game_in_its_order(api, variant):
    layout = api.get(f"/v1/variants/{variant}").json["layout"]
    piles = api.new_game(variant).game["piles"]
    assert [(id, group["kind"]) for group in layout for id in group["piles"]] == [
        (pile["id"], pile["kind"]) for pile in piles
    ]
    assert all(group["label"] for group in layout)


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
def test_the_actions_number_every_move_that_is_offered(api, variant):
    actions = api.get(f"/v1/variants/{variant}").json["actions"]
    player, choice = api.new_game(variant, 1), random.Random(variant)
    assert len(set(actions)) == len(actions)
    for _ in range(40):
        assert set(player.game["legal_moves"]) <= set(actions)
        if not player.game["legal_moves"]:
            break
        player.play(choice.choice(player.game["legal_moves"]))


@pytest.mark.parametrize(
    ("variant", "length", "digest"),
    [
        ("binary-star", 36, "94bb6fe0226c08ea"),
        ("astrocyte", 965, "85949b8b5cec8c9e"),
    ],
)
def test_the_actions_of_a_ruleset_never_change(api, variant, length, digest):
    told = api.get(f"/v1/variants/{variant}").json
    assert (told["ruleset"], len(told["actions"])) == (f"{variant}/1", length)
    assert hashlib.sha256(" ".join(told["actions"]).encode()).hexdigest()[:16] == digest


@every_variant
def test_every_action_is_a_move_and_none_is_malformed(api, variant):
    told = api.get(f"/v1/variants/{variant}").json
    player = api.new_game(variant, 1)
    for move in told["actions"]:
        assert re.search(told["notation"]["move"], move)
    for move in random.Random(1).sample(told["actions"], 30):
        answer = player.post("moves", {"version": player.version, "moves": ["t1t1", move]})
        assert known(answer) == (409, "illegal-move")


@every_variant
def test_the_notation_is_the_one_that_games_are_written_in(api, variant):
    notation = api.get(f"/v1/variants/{variant}").json["notation"]
    game = api.new_game(variant).game
    assert re.search(notation["game_id"], game["id"])
    for pile in game["piles"]:
        assert re.search(notation["pile"], pile["id"])
        assert all(re.search(notation["card"], card) for card in pile["cards"])
    assert all(re.search(notation["move"], move) for move in game["legal_moves"])


@every_variant
def test_the_rules_are_those_that_come_with_the_game(api, variant):
    told = api.get(f"/v1/variants/{variant}").json
    package = Path(service.__file__).parent / "games" / variant.replace("-", "_")
    assert told["rules"] == (package / "RULES.md").read_text(encoding="utf-8")
    assert told["rules"].startswith(f"# {told['title']}\n")


@every_variant
def test_the_limits_are_the_ones_that_are_kept(api, variant):
    limits = api.get(f"/v1/variants/{variant}").json["limits"]
    assert api.post("/v1/games", {"variant": variant, "label": "x" * limits["label"]}).status == 201
    too_long = api.post("/v1/games", {"variant": variant, "label": "x" * (limits["label"] + 1)})
    assert too_long.status == 422
    player = api.new_game(variant)
    assert player.play(*["t1t1"] * limits["batch"]).status == 409
    assert player.play(*["t1t1"] * (limits["batch"] + 1)).status == 422


def test_a_variant_that_there_is_not_is_not_found(api):
    for name in ("klondike", "Astrocyte", "astrocyte%20", "%00", "..%2fgames", "a" * 5000, "%ff"):
        answer = api.get(f"/v1/variants/{name}")
        assert answer.status == 404
        assert answer.code in ("variant-not-found", "not-found")


@pytest.mark.parametrize("path", ["/v1/variants", *(f"/v1/variants/{name}" for name in VARIANTS)])
def test_variants_are_kept_for_an_hour_and_not_sent_again(api, path):
    first = api.get(path)
    assert first.headers["Cache-Control"] == "public, max-age=3600"
    etag = first.headers["ETag"]
    for known_etag in (etag, f"W/{etag}", "*", f'"x", {etag}'):
        again = api.get(path, If_None_Match=known_etag)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == etag
        assert again.headers["Cache-Control"] == "public, max-age=3600"
    assert api.get(path, If_None_Match='"x"').status == 200


# Health


def test_a_service_is_alive(api):
    assert api.get("/livez").json == {"status": "ok"}


def test_health_is_not_kept_by_a_cache(api):
    for path in ("/livez", "/readyz"):
        assert api.get(path).headers["Cache-Control"] == "no-store"


# What browsers may do with a page

PAGES = ("/docs", "/problems", "/problems/illegal-move", "/verify-deal")


def policy_of(answer):
    """The sources that a page names, by what they are sources of."""
    policy = answer.headers["Content-Security-Policy"]
    return {words[0]: words[1:] for words in (part.split() for part in policy.split("; "))}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_its_own_scripts_and_no_others(api, path):
    answer = api.get(path, Accept="text/html")
    page = answer.body.decode()
    own = [text for text in re.findall("<script[^>]*>(.*?)</script>", page, re.DOTALL) if text]
    allowed = policy_of(answer)["script-src"]
    digests = {f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in own}
    assert digests == {source for source in allowed if source.startswith("'sha256-")}
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*"} & set(allowed)
    assert not re.search(r"<[^>]* on[a-z]+=", page)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_nobody_else_for_anything_and_is_in_nobody_s_frame(api, path):
    policy = policy_of(api.get(path, Accept="text/html"))
    assert policy["default-src"] == policy["frame-ancestors"] == ["'none'"]
    known_sources = r"'none'|'self'|data:|'unsafe-inline'|'sha256-.*'"
    for sources in policy.values():
        assert all(re.fullmatch(known_sources, source) for source in sources)


def test_the_page_that_verifies_deals_can_send_nothing_anywhere(api):
    assert set(policy_of(api.get("/verify-deal"))) & {"connect-src", "img-src"} == set()


@pytest.mark.parametrize("path", ["/livez", "/docs", "/nothing", "/v1/variants"])
@pytest.mark.parametrize(
    ("public_url", "told"),
    [("https://play.example", "max-age=63072000"), ("http://play.example", None), (None, None)],
)
def test_who_is_reached_by_https_is_reached_by_nothing_else(contract, path, public_url, told):
    api = World(contract, public_url=public_url).api
    assert api.get(path).headers["Strict-Transport-Security"] == told

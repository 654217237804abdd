"""The judge of answers accepts what the contract documents and refuses everything else."""

import copy
import json

import pytest

from tests.contract.contract import Contract, Documented, document
from tests.contract.conventions import EXPOSED, HANDLING, PREFLIGHT
from tests.contract.examples import example

OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(EXPOSED),
    "Request-Id": "4f0c7a52b9d14e6c",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    **HANDLING,
}
CREATED = example("CreatedNumbered")
GAME = CREATED["game"]
PLACE = f"/v1/games/{GAME['id']}"


@pytest.fixture
def contract():
    return Contract.load()


def headers(media_type="application/json", **more):
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return OPEN | {"Content-Type": media_type} | named


def of_a_game(**more):
    return headers(ETag='"v1"', Cache_Control="no-store", **more)


def of_a_problem(**more):
    return headers("application/problem+json", **more)


def text(body):
    return json.dumps(body).encode()


def changed(body, **changes):
    return text(copy.deepcopy(body) | changes)


def problem(code, status, **more):
    said = example("IllegalMove") | {"status": status, "code": code, **more}
    for member in {"move", "index", "rule", "piles"} - set(more):
        del said[member]
    return text(said | {"type": f"https://cards.example/problems/{code}"})


def test_it_accepts_what_is_documented(contract):
    contract.check("GET", PLACE, 200, of_a_game(), text(GAME))
    contract.check("get", f"{PLACE}?", 200, of_a_game(), text(GAME))
    contract.check("GET", f"http://localhost:8000{PLACE}", 200, of_a_game(), text(GAME))
    contract.check("POST", "/v1/games", 201, of_a_game(Location=PLACE), text(CREATED))
    contract.check("DELETE", PLACE, 204, OPEN, b"")
    contract.check("GET", PLACE, 304, OPEN | {"ETag": '"v1"', "Cache-Control": "no-store"}, b"")
    contract.check("GET", "/docs", 200, headers("text/html; charset=utf-8"), b"<p>")
    contract.check("GET", "/docs/a.css", 200, headers("text/css"), b"p {}")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (changed(GAME, version="1"), "at /version"),
        (changed(GAME, legal_moves=["t1t2x1"]), "at /legal_moves/0"),
        (changed(GAME, created_at="2026-13-30T18:04:05.250Z"), "at /created_at"),
        (changed(GAME, seed="00"), "seed"),
        (changed(GAME, deal=GAME["deal"] | {"server_seed": "00"}), "at /deal"),
        (changed(GAME, piles=[GAME["piles"][0] | {"cards_below": ["9H"]}]), "at /piles/0"),
        (text({name: GAME[name] for name in GAME if name != "stuck"}), "stuck"),
        (b'{"id": 1, "id": 2}', "comes twice"),
        (b'{"id": NaN}', "NaN"),
        (b"", "no application/json"),
    ],
)
def test_it_refuses_a_wrong_body(contract, body, told):
    with pytest.raises(AssertionError, match=told):
        contract.check("GET", PLACE, 200, of_a_game(), body)
    assert not contract.seen


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        *(
            ("GET", PLACE, 202),
            ("GET", PLACE, 401),
            ("POST", "/v1/games", 200),
            ("PUT", PLACE, 404),
        ),
        *(("GET", "/v1/nowhere", 200), ("OPTIONS", PLACE, 200), ("HEAD", PLACE, 302)),
    ],
)
def test_it_refuses_an_undocumented_status(contract, method, path, status):
    with pytest.raises(AssertionError, match=f"{method} {path} -> {status}"):
        contract.check(method, path, status, of_a_game(Location=PLACE, Allow="GET"), b"")


WRONG_HEADERS = {
    "ETag": '"v2"',
    "Location": "/v1/games/elsewhere",
    "Cache-Control": "public",
    "Request-Id": "no request id",
    "Content-Type": "text/html",
    "Access-Control-Allow-Origin": "null",
    "Access-Control-Expose-Headers": "ETag",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors *",
    **dict.fromkeys(HANDLING, "x"),
}


@pytest.mark.parametrize("name", WRONG_HEADERS)
def test_it_refuses_a_wrong_header_and_a_missing_one(contract, name):
    given = of_a_game(Location=PLACE)
    for wrong in (
        given | {name: WRONG_HEADERS[name]},
        {k: v for k, v in given.items() if k != name},
    ):
        with pytest.raises(AssertionError):
            contract.check("POST", "/v1/games", 201, wrong, text(CREATED))


def test_it_refuses_credentials_and_a_body_where_there_is_none(contract):
    given = of_a_game(Access_Control_Allow_Credentials="true")
    with pytest.raises(AssertionError):
        contract.check("GET", PLACE, 200, given, text(GAME))
    with pytest.raises(AssertionError, match="2 bytes"):
        contract.check("DELETE", PLACE, 204, OPEN, b"{}")
    with pytest.raises(AssertionError, match="no body"):
        contract.check("HEAD", PLACE, 200, of_a_game(), text(GAME))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (problem("game-not-found", 410), "status"),
        (problem("not-found", 404), "not-found"),
        (problem("game-not-found", 404, request_id="another"), "another request id"),
        (problem("game-not-found", 404, trace="File"), "trace"),
        (text(json.loads(problem("game-not-found", 404)) | {"type": "about:blank"}), "about:blank"),
    ],
)
def test_it_refuses_a_problem_that_is_not_the_documented_one(contract, body, told):
    with pytest.raises(AssertionError, match=told):
        contract.check("GET", PLACE, 404, of_a_problem(), body)


def test_a_path_in_no_document_is_not_found(contract):
    for method in ("GET", "PUT", "OPTIONS"):
        contract.check(method, "/v1/games/", 404, of_a_problem(), problem("not-found", 404))
    with pytest.raises(AssertionError):
        contract.check("GET", "/v2", 404, headers("text/plain"), b"Not found")


def test_a_method_that_a_path_has_not_is_not_allowed(contract):
    said = problem("method-not-allowed", 405)
    contract.check("PUT", PLACE, 405, of_a_problem(Allow="GET, HEAD, DELETE, OPTIONS"), said)
    for allow in ({"Allow": "GET, HEAD, OPTIONS"}, {}):
        with pytest.raises(AssertionError, match="Allow"):
            contract.check("PUT", PLACE, 405, of_a_problem(**allow), said)


def test_a_preflight_allows_what_other_origins_need(contract):
    allowing = OPEN | {name: ", ".join(values) for name, values in PREFLIGHT.items()}
    contract.check("OPTIONS", PLACE, 204, allowing, b"")
    for name in PREFLIGHT:
        with pytest.raises(AssertionError, match=name):
            contract.check("OPTIONS", PLACE, 204, allowing | {name: "GET"}, b"")


def test_it_tells_what_has_been_seen(contract):
    everything = len(contract.documented)
    assert contract.report().startswith(f"seen 0 of {everything} documented answers")
    contract.check("GET", PLACE, 200, of_a_game(), text(GAME))
    contract.check("GET", PLACE, 200, of_a_game(), text(GAME))
    assert contract.seen == {Documented("readGame", 200)}
    assert contract.report().startswith(f"seen 1 of {everything} documented answers")
    assert (
        "  not seen: readGame 304 401 403 404 406 422 429 500 503" in contract.report().splitlines()
    )
    contract.seen.update(contract.documented)
    assert contract.report() == f"seen {everything} of {everything} documented answers"


def test_every_operation_and_status_is_documented_once(contract):
    assert len(set(contract.documented)) == len(contract.documented)
    assert {answer.operation for answer in contract.documented} == {
        operation["operationId"]
        for item in document()["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
    }

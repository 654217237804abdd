"""The checker of answers accepts what the contract documents and refuses everything else."""

import json

import pytest

from tests.contract.contract import Contract, Documented
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
OF_A_GAME = OPEN | {
    "Content-Type": "application/json",
    "ETag": '"v1"',
    "Cache-Control": "no-store",
    "Location": PLACE,
}
OF_A_PROBLEM = OPEN | {"Content-Type": "application/problem+json"}


@pytest.fixture
def contract():
    return Contract.load()


def body(value, **changes):
    return json.dumps(value | changes).encode()


def problem(code, status, **changes):
    common = {
        name: value
        for name, value in example("IllegalMove").items()
        if name not in {"move", "index", "rule", "piles"}
    }
    address = f"https://cards.example/problems/{code}"
    return body(common, **{"status": status, "code": code, "type": address} | changes)


NOT_FOUND = problem("not-found", 404)
NOT_ALLOWED = problem("method-not-allowed", 405)
ALLOWING = OPEN | {name: ", ".join(values) for name, values in PREFLIGHT.items()}
ALL_METHODS = {"Allow": "GET, HEAD, DELETE, OPTIONS"}

DOCUMENTED = [
    ("get", f"http://localhost:8000{PLACE}?", 200, OF_A_GAME, body(GAME)),
    ("POST", "/v1/games", 201, OF_A_GAME, body(CREATED)),
    ("DELETE", PLACE, 204, OPEN, b""),
    ("GET", PLACE, 304, OF_A_GAME, b""),
    ("GET", "/docs", 200, OPEN | {"Content-Type": "text/html; charset=utf-8"}, b"<p>"),
    ("GET", PLACE, 404, OF_A_PROBLEM, problem("game-not-found", 404)),
    ("OPTIONS", "/v1/games/", 404, OF_A_PROBLEM, NOT_FOUND),
    ("PUT", PLACE, 405, OF_A_PROBLEM | ALL_METHODS, NOT_ALLOWED),
    ("OPTIONS", PLACE, 204, ALLOWING, b""),
]


@pytest.mark.parametrize("answer", DOCUMENTED, ids=lambda answer: f"{answer[0]} {answer[2]}")
def test_it_accepts_what_is_documented(contract, answer):
    contract.check(*answer)


@pytest.mark.parametrize(
    "wrong",
    [
        body(GAME, version="1"),
        body(GAME, legal_moves=["t1t2x1"]),
        body(GAME, created_at="2026-13-30T18:04:05.250Z"),
        body(GAME, seed="00"),
        body(GAME, deal=GAME["deal"] | {"server_seed": "00"}),
        body(GAME, piles=[GAME["piles"][0] | {"cards_below": ["9H"]}]),
        body({name: GAME[name] for name in GAME if name != "stuck"}),
        b'{"id": 1, "id": 2}',
        b'{"id": NaN}',
        b"",
    ],
)
def test_it_refuses_a_wrong_body(contract, wrong):
    with pytest.raises(AssertionError):
        contract.check("GET", PLACE, 200, OF_A_GAME, wrong)
    assert not contract.seen


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        (DOCUMENTED[1], OF_A_GAME),
        (DOCUMENTED[5], OF_A_PROBLEM),
        (DOCUMENTED[7], OF_A_PROBLEM | ALL_METHODS),
        (DOCUMENTED[8], PREFLIGHT),
    ],
    ids=["a game", "a problem", "a method", "a preflight"],
)
def test_it_refuses_a_header_that_is_missing_or_wrong(contract, answer, names):
    method, path, status, headers, content = answer
    for name in names:
        for wrong in (headers | {name: "a b"}, {k: v for k, v in headers.items() if k != name}):
            with pytest.raises(AssertionError):
                contract.check(method, path, status, wrong, content)


@pytest.mark.parametrize(
    ("method", "path", "status", "headers", "content"),
    [
        ("GET", PLACE, 202, OF_A_GAME, body(GAME)),
        ("GET", PLACE, 200, OF_A_GAME | {"Access-Control-Allow-Credentials": "true"}, body(GAME)),
        ("GET", PLACE, 200, OF_A_GAME | {"Set-Cookie": "a=b"}, body(GAME)),
        ("GET", PLACE, 200, OF_A_GAME | {"ETag": '"v2"'}, body(GAME)),
        ("POST", "/v1/games", 201, OF_A_GAME | {"Location": "/v1/games/x"}, body(CREATED)),
        ("DELETE", PLACE, 204, OPEN, b"{}"),
        ("HEAD", PLACE, 200, OF_A_GAME, body(GAME)),
        ("PUT", PLACE, 404, OF_A_PROBLEM, NOT_FOUND),
        ("GET", "/v1/nowhere", 200, OF_A_GAME, body(GAME)),
        ("OPTIONS", PLACE, 200, ALLOWING, b""),
        ("GET", PLACE, 404, OF_A_PROBLEM, NOT_FOUND),
        ("GET", PLACE, 404, OF_A_PROBLEM, problem("game-not-found", 410)),
        ("GET", PLACE, 404, OF_A_PROBLEM, problem("game-not-found", 404, request_id="another")),
        ("GET", PLACE, 404, OF_A_PROBLEM, problem("game-not-found", 404, trace="File")),
        ("GET", PLACE, 404, OF_A_PROBLEM, problem("game-not-found", 404, type="about:blank")),
    ],
)
def test_it_refuses_what_is_not_documented(contract, method, path, status, headers, content):
    with pytest.raises(AssertionError, match=f"{method} {path} -> {status}"):
        contract.check(method, path, status, headers, content)


def test_it_says_which_documented_answers_it_has_seen(contract):
    contract.check("GET", PLACE, 200, OF_A_GAME, body(GAME))
    assert contract.seen == {Documented("readGame", 200)}
    first, *unseen = contract.report().splitlines()
    assert first == f"seen 1 of {len(contract.documented)} documented answers"
    assert "  not seen: readGame 304 401 403 404 406 422 429 500 503" in unseen
    contract.seen.update(contract.documented)
    assert contract.unseen == []

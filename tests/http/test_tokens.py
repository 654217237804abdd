"""Who knows a game may watch it; who holds its token may play; there is no other way in.

Which headers hold a token is shown by `tests/unit/api/test_request_headers.py`.
"""

import pytest

from service.play.keys import ServerKey
from tests.http.kit import (
    KEY,
    UNKNOWN_ID,
    Endpoint,
    dump,
    faults,
    instance_on,
    known,
    nothing_changes,
    ready,
)
from tests.support.api import Player

SHOWN = ("", "/moves", "/legal-moves", "/reveal")
MISSING = ("", "Bearer", "Bearer  ", "Basic {}", "{}", "\xff\xfe", "Negotiate " + "x" * 60_000)
WRONG = ("Bearer x", "Bearer {}x", "Bearer {} {}", 'Bearer "{}"', "Bearer {}=", "Bearer {}\x00")


def attempts(action, **headers):
    """The answers to the action, and to a deletion of its game."""
    yield action.post(action.good, **headers)
    yield action.player.delete(**headers)


# Writing


def test_without_a_bearer_token_nothing_is_written(action, fake):
    with nothing_changes(fake):
        for header in MISSING:
            sent = header.replace("{}", action.player.token)
            for answer in attempts(action, Authorization=sent):
                assert known(answer) == (401, "token-missing")
                assert answer.headers["WWW-Authenticate"] == 'Bearer realm="asterism"'


def test_another_token_than_the_game_s_own_is_refused(action, api, fake):
    token = action.player.token
    with nothing_changes(fake):
        sent = [header.replace("{}", token) for header in WRONG]
        sent += [f"Bearer {t}" for t in (token[:-1], token.swapcase(), token[::-1])]
        sent.append(f"Bearer {token[:-1]}{chr(ord(token[-1]) ^ 1)}")
        for header in sent:
            for answer in attempts(action, Authorization=header):
                assert known(answer) == (403, "token-wrong")
                assert "WWW-Authenticate" not in answer.headers
    other = ready(api)
    with nothing_changes(fake):
        for answer in attempts(action, **other.bearer):
            assert known(answer) == (403, "token-wrong")


def test_a_token_of_a_service_with_another_key_is_refused(action, store, fake):
    elsewhere = instance_on(store, ServerKey(b"another key of thirty-two bytes."))
    there = Endpoint(action.name, Player(elsewhere, action.player.game, action.player.token))
    with nothing_changes(fake):
        for answer in attempts(there):
            assert known(answer) == (403, "token-wrong")


@pytest.mark.parametrize("name", ["token", "play_token", "access_token", "authorization"])
def test_a_token_in_the_address_or_in_the_body_is_refused(action, fake, name):
    token, api = action.player.token, action.player.api
    with nothing_changes(fake):
        in_address = api.post(f"{action.path}?{name}={token}", action.good)
        in_body = api.post(action.path, {**action.good, name: token})
    assert (faults(in_address), faults(in_body)) == ([name], [f"/{name}"])
    for answer in (in_address, in_body):
        assert "in the Authorization header" in answer.json["errors"][0]["detail"]


def test_a_token_in_another_header_counts_as_none(action, fake):
    with nothing_changes(fake):
        for name in ("Cookie", "X_Play_Token", "Proxy_Authorization"):
            sent = {name: f"Bearer {action.player.token}"}
            answer = action.player.api.post(action.path, action.good, **sent)
            assert known(answer) == (401, "token-missing")


# Which refusal comes first


def test_a_request_without_a_token_learns_nothing_of_the_game(action, fake):
    unknown = action.path.replace(action.player.game["id"], UNKNOWN_ID)
    for path in (action.path, unknown):
        answer = action.player.api.post(path, {**action.good, "version": 1})
        assert known(answer) == (401, "token-missing")


def test_an_unknown_game_is_not_found_with_any_token(action):
    path = action.path.replace(action.player.game["id"], UNKNOWN_ID)
    for token in (action.player.token, "x"):
        answer = action.player.api.post(path, action.good, Authorization=f"Bearer {token}")
        assert known(answer) == (404, "game-not-found")


def test_a_wrong_token_is_refused_before_anything_else_that_is_wrong(action):
    wrong = {"Authorization": "Bearer x"}
    body = action.good
    if action.name == "moves":
        body["moves"] = ["t1t1"]
    for version in (1, 4, 99):
        for headers in (wrong, {**wrong, "If_Match": '"v1"'}):
            answer = action.post({**body, "version": version}, **headers)
            assert known(answer) == (403, "token-wrong")
    action.player.resign()
    assert known(action.post({**body, "version": 5}, **wrong)) == (403, "token-wrong")


# Reading


@pytest.mark.parametrize("part", SHOWN)
def test_a_game_is_watched_without_a_token_and_shows_no_more_with_it(player, api, part):
    without = api.get(player.path + part)
    assert without.status == 200
    for header in ("", "Bearer x", "Basic x", "\xff", f"Bearer {player.token}"):
        assert api.get(player.path + part, Authorization=header).json == without.json


def test_a_game_is_created_by_anybody(api):
    for header in ("Bearer x", "Basic x", ""):
        answer = api.post("/v1/games", {"variant": "astrocyte"}, Authorization=header)
        assert answer.status == 201


# Where a token is not


def test_the_store_holds_no_token(player, fake):
    player.play("t1c2", Idempotency_Key=KEY)
    stored = b"".join(value for value, _ in dump(fake).values()) + b"".join(dump(fake))
    assert player.game["id"].encode() in stored
    assert player.token.encode() not in stored


def test_no_log_and_no_refusal_repeats_a_token(action, caplog):
    caplog.set_level("DEBUG")
    token = action.player.token
    action.post(action.good)
    for answer in (
        action.post(action.good, Authorization=f"Bearer {token}x"),
        action.post(raw=b"{", Authorization=f"Basic {token}"),
        action.post({**action.good, "play_token": token}),
        action.player.api.post(f"{action.path}?token={token}", action.good),
    ):
        assert answer.status in (400, 403, 422)
        assert token not in answer.body.decode() + str(answer.headers)
    assert token not in caplog.text

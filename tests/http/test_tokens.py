"""Who knows a game may watch it; who holds its token may play; there is no other way in."""

import pytest

from service.config import Settings
from service.play.keys import ServerKey
from tests.http.kit import KEY, Door, app_on, dump, known, nothing_changes, ready
from tests.support.api import Api, in_process

SHOWN = ("", "/moves", "/legal-moves", "/reveal")

MISSING = (
    "",
    "Bearer",
    "Bearer  ",
    "Basic {}",
    "Bearer:{}",
    "{}",
    "\xff\xfe",
    "Negotiate " + "x" * 60_000,
)
WRONG = (
    "Bearer x",
    "Bearer {}x",
    "Bearer {} {}",
    'Bearer "{}"',
    "Bearer token={}",
    "Bearer {}=",
    "Bearer \xff\xfe",
    "Bearer {}\x00",
    "Bearer " + "x" * 60_000,
)


def deletion(player, **headers):
    return player.api.request("DELETE", player.path, **headers)


# Writing


def test_an_action_without_a_token_is_refused_and_told_how_to_send_one(action, fake):
    with nothing_changes(fake):
        answer = action.player.api.post(action.path, action.good)
    assert known(answer) == (401, "token-missing")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="asterism"'


def test_a_game_is_not_deleted_without_its_token(player, fake):
    with nothing_changes(fake):
        answer = deletion(player)
    assert known(answer) == (401, "token-missing")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="asterism"'


def test_what_is_no_bearer_token_counts_as_none(action, fake):
    with nothing_changes(fake):
        for header in MISSING:
            sent = header.replace("{}", action.player.token)
            for answer in (
                action.knock(action.good, Authorization=sent),
                deletion(action.player, Authorization=sent),
            ):
                assert known(answer) == (401, "token-missing")
                assert "WWW-Authenticate" in answer.headers


def test_another_token_than_the_game_s_own_is_refused(action, fake):
    with nothing_changes(fake):
        for header in WRONG:
            sent = header.replace("{}", action.player.token)
            for answer in (
                action.knock(action.good, Authorization=sent),
                deletion(action.player, Authorization=sent),
            ):
                assert known(answer) == (403, "token-wrong")
                assert "WWW-Authenticate" not in answer.headers


DAMAGED = (
    lambda token: token[:-1],
    lambda token: token.swapcase(),
    lambda token: token[::-1],
    lambda token: token[:-1] + chr(ord(token[-1]) ^ 1),
    lambda token: token.translate(str.maketrans("-_", "+/")) + "=",
)


def test_a_damaged_token_is_refused(action, fake):
    with nothing_changes(fake):
        for damaged in DAMAGED:
            sent = f"Bearer {damaged(action.player.token)}"
            assert known(action.knock(action.good, Authorization=sent)) == (403, "token-wrong")


def test_the_token_of_another_game_is_refused(action, api, fake):
    other = ready(api)
    with nothing_changes(fake):
        answer = action.knock(action.good, Authorization=f"Bearer {other.token}")
    assert known(answer) == (403, "token-wrong")


def test_a_game_is_not_deleted_with_the_token_of_another(player, api, fake):
    other = api.new_game("astrocyte")
    with nothing_changes(fake):
        answer = deletion(player, Authorization=f"Bearer {other.token}")
    assert known(answer) == (403, "token-wrong")


def test_a_token_of_a_service_with_another_key_is_refused(action, store, contract, fake):
    settings = Settings(ServerKey(b"another key of thirty-two bytes."), "redis://nowhere")
    elsewhere = Api(in_process(app_on(store, settings)), contract)
    with nothing_changes(fake):
        answer = elsewhere.post(
            action.path, action.good, Authorization=f"Bearer {action.player.token}"
        )
    assert known(answer) == (403, "token-wrong")


# Other places for a token


@pytest.mark.parametrize("name", ["token", "play_token", "access_token", "authorization"])
def test_a_token_in_the_address_or_in_the_body_is_refused(action, fake, name):
    token, api, bearer = action.player.token, action.player.api, "in the Authorization header"
    with nothing_changes(fake):
        [in_address] = api.post(f"{action.path}?{name}={token}", action.good).json["errors"]
        [in_body] = api.post(action.path, {**action.good, name: token}).json["errors"]
    assert (in_address["parameter"], in_body["pointer"]) == (name, f"/{name}")
    assert bearer in in_address["detail"]
    assert bearer in in_body["detail"]


def test_a_token_in_another_header_counts_as_none(action, fake):
    with nothing_changes(fake):
        for name in ("Cookie", "X_Play_Token", "Proxy_Authorization", "X_Authorization"):
            sent = {name: f"Bearer {action.player.token}"}
            answer = action.player.api.post(action.path, action.good, **sent)
            assert known(answer) == (401, "token-missing")


# Which refusal comes first


def test_a_request_without_a_token_learns_nothing_of_the_game(action, fake):
    api, path = action.player.api, action.path.replace(action.player.game["id"], "a" * 26)
    for place in (action.path, path):
        answer = api.post(place, {**action.good, "version": 1})
        assert known(answer) == (401, "token-missing")


def test_a_game_that_there_is_not_is_not_found_with_any_token(action):
    path = action.path.replace(action.player.game["id"], "a" * 26)
    for token in (action.player.token, "x"):
        answer = action.player.api.post(path, action.good, Authorization=f"Bearer {token}")
        assert known(answer) == (404, "game-not-found")


@pytest.mark.parametrize(
    "wrong", [{"version": 1}, {"version": 99}], ids=["an old version", "a new version"]
)
def test_a_wrong_token_is_told_before_a_wrong_version(action, wrong):
    answer = action.knock({**action.good, **wrong}, Authorization="Bearer x")
    assert known(answer) == (403, "token-wrong")


def test_a_wrong_token_is_told_before_a_wrong_precondition(action):
    answer = action.knock(action.good, Authorization="Bearer x", If_Match='"v1"')
    assert known(answer) == (403, "token-wrong")


def test_a_wrong_token_is_told_before_a_wrong_move(player):
    answer = player.play("t1t1", Authorization="Bearer x")
    assert known(answer) == (403, "token-wrong")


def test_a_wrong_token_is_told_before_the_end_of_the_game(action):
    body = {**action.good, "version": 5}
    action.player.resign()
    answer = action.knock(body, Authorization="Bearer x")
    assert known(answer) == (403, "token-wrong")


# Reading


@pytest.mark.parametrize("part", SHOWN)
def test_a_game_is_watched_without_a_token(player, api, part):
    assert api.get(player.path + part).status == 200


@pytest.mark.parametrize("part", SHOWN)
def test_who_holds_the_token_sees_no_more_than_who_does_not(player, api, part):
    without = api.get(player.path + part).json
    for header in ("", "Bearer x", "Basic x", "\xff", f"Bearer {player.token}"):
        assert api.get(player.path + part, Authorization=header).json == without


def test_a_game_is_created_by_anybody(api):
    for header in ("Bearer x", "Basic x", ""):
        answer = api.post("/v1/games", {"variant": "astrocyte"}, Authorization=header)
        assert answer.status == 201


# What becomes of a token


def test_the_store_knows_no_token(player, fake):
    Door("moves", player).knock({"version": 4, "moves": ["t1c2"]}, Idempotency_Key=KEY)
    kept = b"".join(value for value, _ in dump(fake).values()) + b"".join(dump(fake))
    assert player.game["id"].encode() in kept
    assert player.token.encode() not in kept


def test_no_log_tells_a_token(action, caplog):
    caplog.set_level("DEBUG")
    action.knock(action.good)
    action.knock(action.good, Authorization=f"Bearer {action.player.token}x")
    action.knock(raw=b"{", Authorization=f"Basic {action.player.token}")
    assert action.player.token not in caplog.text


def test_no_refusal_repeats_a_token(action):
    token = action.player.token
    for answer in (
        action.knock(action.good, Authorization=f"Bearer {token}x"),
        action.knock(action.good, Authorization=f"Basic {token}"),
        action.knock({**action.good, "play_token": token}),
        action.player.api.post(f"{action.path}?token={token}", action.good),
    ):
        assert answer.status in (401, 403, 422)
        assert token not in answer.body.decode() + str(answer.headers)

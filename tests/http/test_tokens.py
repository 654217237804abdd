"""Who knows a game may watch it; who holds its token may play; there is no other way in."""

import pytest

from service.config import Settings
from service.play.keys import ServerKey
from tests.api import Api, in_process
from tests.http.kit import KEY, Door, app_on, dump, known, nothing_changes, ready

SHOWN = ("", "/moves", "/legal-moves", "/reveal")

MISSING = [
    *(
        "",
        " ",
        "Bearer",
        "Bearer ",
        "Bearer   ",
        "bearer",
        "Basic {}",
        "Token {}",
        "{}",
        "Bear er {}",
    ),
    *("Bearer:{}", "Bearer={}", "Bearer\t{}", 'Digest username="{}"', "Basic OnRva2Vu", "Bearer{}"),
    *("\xff\xfe", "\xe9 {}", "Negotiate " + "x" * 60_000, ", Bearer {}"),
]
WRONG = [
    *(
        "Bearer x",
        "Bearer {}x",
        "Bearer x{}",
        "Bearer {} {}",
        "Bearer {},",
        "Bearer {};",
        'Bearer "{}"',
    ),
    *(
        "Bearer \xff\xfe",
        "Bearer \xe9{}",
        "Bearer {}\xa0x",
        "Bearer " + "x" * 60_000,
        "Bearer token={}",
    ),
    *(
        "Bearer {}=",
        "Bearer Bearer {}",
        "Bearer null",
        "Bearer undefined",
        "Bearer {}\x00",
        "Bearer *",
    ),
]


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


@pytest.mark.parametrize("header", MISSING, ids=lambda header: ascii(header)[:20])
def test_what_is_no_bearer_token_counts_as_none(action, fake, header):
    with nothing_changes(fake):
        sent = header.format(action.player.token)
        answer = action.knock(action.good, Authorization=sent)
    assert known(answer) == (401, "token-missing")
    assert "WWW-Authenticate" in answer.headers


@pytest.mark.parametrize("header", WRONG, ids=lambda header: ascii(header)[:20])
def test_another_token_than_the_game_s_own_is_refused(action, fake, header):
    with nothing_changes(fake):
        sent = header.replace("{}", action.player.token)
        answer = action.knock(action.good, Authorization=sent)
    assert known(answer) == (403, "token-wrong")
    assert "WWW-Authenticate" not in answer.headers


@pytest.mark.parametrize("header", MISSING + WRONG, ids=lambda header: ascii(header)[:20])
def test_a_game_is_not_deleted_with_anything_but_its_token(player, fake, header):
    with nothing_changes(fake):
        answer = deletion(player, Authorization=header.replace("{}", player.token))
    assert answer.status in (401, 403)


@pytest.mark.parametrize(
    "damaged",
    [
        lambda token: token[:-1],
        lambda token: token.swapcase(),
        lambda token: token[::-1],
        lambda token: token[:-1] + chr(ord(token[-1]) ^ 1),
        lambda token: token.translate(str.maketrans("-_", "+/")) + "=",
    ],
    ids=["shorter", "case", "reversed", "one bit", "other alphabet"],
)
def test_a_damaged_token_is_refused(action, fake, damaged):
    with nothing_changes(fake):
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


@pytest.mark.parametrize(
    "header", ["bearer {}", "BEARER {}", "BeArEr {}", "Bearer  {}", "Bearer {} "], ids=ascii
)
def test_the_word_bearer_is_taken_in_any_case_and_with_any_space(action, header):
    sent = header.format(action.player.token)
    assert action.knock(action.good, Authorization=sent).status == 200


# Other places for a token


@pytest.mark.parametrize("name", ["token", "play_token", "access_token", "authorization"])
def test_a_token_in_the_address_is_refused(action, fake, name):
    path = f"{action.path}?{name}={action.player.token}"
    with nothing_changes(fake):
        answer = action.player.api.post(path, action.good)
    assert known(answer) == (422, "invalid-request")
    assert [fault["parameter"] for fault in answer.json["errors"]] == [name]
    assert "in the header Authorization" in answer.json["errors"][0]["detail"]


@pytest.mark.parametrize("name", ["token", "play_token", "access_token", "Authorization"])
def test_a_token_in_the_body_is_refused(action, fake, name):
    with nothing_changes(fake):
        answer = action.player.api.post(action.path, {**action.good, name: action.player.token})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == [f"/{name}"]
    assert "in the header Authorization" in answer.json["errors"][0]["detail"]


@pytest.mark.parametrize(
    "name", ["Cookie", "X_Play_Token", "Proxy_Authorization", "X_Authorization"]
)
def test_a_token_in_another_header_counts_as_none(action, fake, name):
    with nothing_changes(fake):
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
@pytest.mark.parametrize(
    "header",
    ["", "Bearer x", "Basic x", "\xff", "Bearer " + "x" * 60_000],
    ids=lambda h: ascii(h)[:12],
)
def test_whoever_watches_is_not_asked_who_they_are(player, api, part, header):
    assert (
        api.get(player.path + part, Authorization=header).json == api.get(player.path + part).json
    )


@pytest.mark.parametrize("part", SHOWN)
def test_who_holds_the_token_sees_no_more_than_who_does_not(player, api, part):
    bearer = f"Bearer {player.token}"
    with_it = api.get(player.path + part, Authorization=bearer)
    assert with_it.json == api.get(player.path + part).json


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

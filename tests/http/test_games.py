"""Games are created, read and deleted; an id that was never given out leads nowhere."""

import re
from datetime import datetime
from urllib.parse import quote

import pytest

from tests.http.kit import (
    ACTIONS,
    dump,
    every_variant,
    faults,
    game_keys,
    known,
    nothing_changes,
    table,
    without,
)
from tests.support import reading


def create(api, **body):
    return api.post("/v1/games", body)


# Creation


@every_variant
@pytest.mark.parametrize("number", ["1", "4711", "18446744073709551615"])
def test_a_numbered_deal_lays_out_the_table_that_the_rules_describe(api, variant, number):
    games = [create(api, variant=variant, deal={"number": number}).json for _ in range(2)]
    as_read = reading.deal(variant, number)
    shown = {id: (as_read.down[id], tuple(as_read.seen(id))) for id in as_read.piles}
    for made in games:
        assert table(made["game"]) == shown
        assert made["game"]["deal"] == {
            "id": f"{variant}-{number}",
            "fairness": "public",
            "number": number,
            "commitment": None,
        }
    assert games[0]["game"]["id"] != games[1]["game"]["id"]
    assert games[0]["play_token"] != games[1]["play_token"]


@every_variant
@pytest.mark.parametrize("chosen", [{}, {"deal": {"random": True}}], ids=["absent", "random"])
def test_any_other_deal_is_sealed_and_shows_a_commitment_alone(api, variant, chosen):
    deal = create(api, variant=variant, **chosen).json["game"]["deal"]
    assert deal.keys() == {"id", "fairness", "number", "commitment"}
    assert (deal["fairness"], deal["number"]) == ("sealed", None)
    assert deal["id"] == f"{variant}-sealed-{deal['commitment'][:16]}"


@every_variant
def test_no_two_random_games_are_alike(api, variant):
    games = [create(api, variant=variant).json for _ in range(50)]
    for unique in (
        {made["play_token"] for made in games},
        {made["game"]["id"] for made in games},
        {made["game"]["deal"]["commitment"] for made in games},
        {str(made["game"]["piles"]) for made in games},
    ):
        assert len(unique) == 50


@every_variant
def test_a_new_game_begins_at_the_beginning(api, variant):
    game = create(api, variant=variant, deal={"number": "1"}).json["game"]
    assert (game["version"], game["ply"], game["status"]) == (1, 0, "in_progress")
    assert (game["variant"], game["ruleset"]) == (variant, f"{variant}/1")
    assert (game["label"], game["stuck"]) == (None, False)
    assert game["counters"] == {"moves": 0, "undos": 0, "hints": 0, "reveals_undone": 0}
    assert game["can"] == {"undo": False, "redo": False, "deal": variant == "astrocyte"}
    assert game["updated_at"] == game["created_at"] < game["expires_at"]


def test_a_deal_that_is_stuck_as_it_is_dealt_is_a_game_all_the_same(api):
    game = create(api, variant="binary-star", deal={"number": "1417"}).json["game"]
    assert (game["stuck"], game["status"], game["legal_moves"]) == (True, "in_progress", [])


@every_variant
def test_the_location_of_a_new_game_answers_with_that_game(api, variant):
    created = create(api, variant=variant)
    read = api.get(created.headers["Location"])
    assert (read.status, read.json) == (200, created.json["game"])
    assert read.headers["ETag"] == created.headers["ETag"] == '"v1"'


def test_the_play_token_is_shown_at_the_creation_and_never_again(api):
    player = api.new_game("astrocyte", 1)
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", player.token)
    answers = [player.read(), player.play("deal"), player.undo(), player.redo(), player.resign()]
    answers += [api.get(f"{player.path}/{part}") for part in ("moves", "legal-moves", "reveal")]
    for answer in answers:
        assert answer.status == 200
        assert player.token not in answer.body.decode() + str(answer.headers)


@pytest.mark.parametrize(
    "label",
    [
        *("x" * 64, "🂡" * 64, "Zoë ☆ 星 🎴", "e\u0301 is not é", "👩‍👩‍👧", "\u202eright to left"),
        *(" ", "\u00a0", "  both ends  ", "<b>\"'&;\\/{}</b>", "null", "\ue000 \U0010ffff", None),
    ],
    ids=ascii,
)
def test_a_label_comes_back_as_it_was_given(api, label):
    created = create(api, variant="astrocyte", label=label)
    assert created.json["game"]["label"] == label
    assert api.get(created.headers["Location"]).json["label"] == label


WRONG = [
    *(("label", label) for label in ("", "🂡" * 65, "e\u0301" * 33, "a\n", "\x85", "\u2028", 7)),
    *(("deal/number", n) for n in ("", "0", "01", "1\n", "٣", str(2**64), 1)),
    *(("deal", deal) for deal in ({}, {"number": "1", "random": True}, None, "random")),
    *(("variant", name) for name in ("klondike", "Astrocyte", "astrocyte\n", None, 1)),
]


@pytest.mark.parametrize(("field", "value"), WRONG, ids=ascii)
def test_an_invalid_game_is_not_created(api, fake, field, value):
    name, _, inner = field.partition("/")
    with nothing_changes(fake):
        value = {inner: value} if inner else value
        answer = create(api, **{"variant": "astrocyte", name: value})
    assert faults(answer) == [f"/{field}"]


# Reading


def test_reading_changes_nothing(player, api, fake):
    with nothing_changes(fake):
        for path in ("", "/moves", "/legal-moves", "/reveal", "/replay"):
            assert api.get(player.path + path).status == 200


def test_the_legal_moves_alone_are_those_of_the_game(player, api):
    alone = api.get(f"{player.path}/legal-moves").json
    assert alone == {name: player.game[name] for name in ("version", "legal_moves", "can", "stuck")}


def test_games_do_not_touch_each_other(api):
    one, other, third = (api.new_game("astrocyte", 1) for _ in range(3))
    one.play("deal")
    one.resign()
    third.delete()
    before = other.game
    assert other.read().json == before


# Resigning, expiry and deletion


@every_variant
def test_resigning_ends_the_game_and_leaves_its_table(api, variant):
    player = api.new_game(variant)
    before = player.game
    player.resign()
    changing = ("version", "status", "legal_moves", "can", "updated_at", "expires_at")
    assert without(player.game, *changing) == without(before, *changing)
    assert (player.game["status"], player.version) == ("resigned", 2)
    assert player.game["legal_moves"] == []
    assert player.game["can"] == {"undo": False, "redo": False, "deal": False}
    assert player.delete().status == 204


def test_everything_stored_of_a_game_expires_together_thirty_days_after_the_last_write(
    player, fake
):
    for act in (player.read, lambda: player.play("t1c2"), player.undo, player.redo, player.resign):
        assert act().status == 200
        expiries = {expiry for key, (_, expiry) in dump(fake).items() if key.startswith(b"ast:{")}
        assert len(expiries) == 1
        assert min(expiries) > 0
        updated, expires = (
            datetime.fromisoformat(player.game[name]) for name in ("updated_at", "expires_at")
        )
        assert (expires - updated).total_seconds() == 30 * 86_400


def test_an_expired_game_is_gone_as_a_whole(player, api, fake):
    for key in dump(fake):
        fake.execute_command("PEXPIRE", key, 0)
    assert known(api.get(player.path)) == (404, "game-not-found")
    assert known(player.play("t1c2")) == (404, "game-not-found")


def body_for(action, player):
    return {"version": player.version} | ({"moves": ["deal"]} if action == "moves" else {})


def test_a_deleted_game_is_gone_and_nothing_of_it_stays_but_its_result(player, api, fake):
    player.play("t1c2", Idempotency_Key="k" * 16)
    assert player.delete().status == 204
    assert game_keys(fake) == set()
    for part in ("", "/moves", "/legal-moves", "/reveal", "/replay", "/events"):
        assert known(api.get(player.path + part)) == (404, "game-not-found")
    for action in ACTIONS:
        assert known(player.post(action, body_for(action, player))) == (404, "game-not-found")
    assert known(player.delete()) == (404, "game-not-found")


# Ids that were never given out


def resembling(id):
    """Texts that resemble the id of a game, and texts that resemble nothing."""
    return {
        "in capitals": id.upper(),
        "a letter short": id[:-1],
        "a letter long": id + "a",
        "another letter": id[:-1] + ("a" if id[-1] != "a" else "b"),
        "with a space": id + "%20",
        "with a line feed": id + "%0a",
        "with NUL": id + "%00",
        "in full-width letters": quote("".join(chr(ord(c) + 0xFEE0) for c in id)),
        "as a key": f"ast:%7B{id}%7D:game",
        "a pattern": "*",
        "well formed": "a" * 26,
        "up and down again": "..%2f..%2fv1%2fgames%2f" + id,
        "five thousand digits": "1" * 5000,
        "no UTF-8": "%ff%fe",
        "half a surrogate pair": "%ed%a0%80",
    }


@pytest.mark.parametrize("name", resembling("a" * 26))
def test_an_id_that_was_never_given_out_leads_to_no_game(player, api, fake, name):
    path = f"/v1/games/{resembling(player.game['id'])[name]}"
    with nothing_changes(fake):
        answers = [api.get(path + part) for part in ("", "/moves", "/legal-moves", "/reveal")]
        answers.append(api.request("DELETE", path, **player.bearer))
        for action in ACTIONS:
            body = body_for(action, player)
            answers.append(api.post(f"{path}/{action}", body, **player.bearer))
    for answer in answers:
        assert answer.status == 404
        assert answer.code in ("game-not-found", "not-found")

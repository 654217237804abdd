"""Games are created, read and deleted; a name that was never given out leads nowhere."""

import re
from datetime import date
from urllib.parse import quote

import pytest

from service.games import VARIANTS
from tests.http.kit import ACTIONS, dump, known, nothing_changes, table, without
from tests.support import reading

every_variant = pytest.mark.parametrize("variant", VARIANTS)


def create(api, **body):
    return api.post("/v1/games", body)


# Creation


@every_variant
@pytest.mark.parametrize("number", ["1", "2", "4711", "18446744073709551615"])
def test_a_numbered_deal_lays_out_the_table_that_the_rules_describe(api, variant, number):
    piles = create(api, variant=variant, deal={"number": number}).json["game"]["piles"]
    as_read = reading.deal(variant, number)
    assert [pile["id"] for pile in piles] == list(as_read.piles)
    assert {pile["id"]: pile["cards"] for pile in piles} == {
        id: as_read.seen(id) for id in as_read.piles
    }
    assert {pile["id"]: pile["hidden"] for pile in piles} == as_read.down


@every_variant
def test_a_numbered_deal_says_its_number_and_that_it_is_public(api, variant):
    deal = create(api, variant=variant, deal={"number": "4711"}).json["game"]["deal"]
    assert deal == {
        "id": f"{variant}-4711",
        "fairness": "public",
        "number": "4711",
        "commitment": None,
    }


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
def test_the_same_number_gives_the_same_table_in_a_game_of_its_own(api, variant):
    one, other = (create(api, variant=variant, deal={"number": "8"}).json for _ in range(2))
    assert one["game"]["piles"] == other["game"]["piles"]
    assert one["game"]["id"] != other["game"]["id"]
    assert one["play_token"] != other["play_token"]


@every_variant
def test_another_number_gives_another_table(api, variant):
    tables = {
        str(create(api, variant=variant, deal={"number": str(n)}).json["game"]["piles"])
        for n in range(1, 21)
    }
    assert len(tables) == 20


@every_variant
def test_a_new_game_begins_at_the_beginning(api, variant):
    game = create(api, variant=variant, deal={"number": "1"}).json["game"]
    assert (game["version"], game["ply"], game["status"]) == (1, 0, "in_progress")
    assert (game["variant"], game["ruleset"]) == (variant, f"{variant}/1")
    assert (game["label"], game["stuck"]) == (None, False)
    assert game["counters"] == {"moves": 0, "undos": 0, "hints": 0, "reveals_undone": 0}
    assert (game["can"]["undo"], game["can"]["redo"]) == (False, False)
    assert game["updated_at"] == game["created_at"] < game["expires_at"]


def test_only_a_game_with_a_stock_can_be_dealt_on(api):
    can = {v: create(api, variant=v).json["game"]["can"]["deal"] for v in VARIANTS}
    assert can == {"binary-star": False, "astrocyte": True}


def test_a_deal_that_is_stuck_as_it_is_dealt_is_a_game_all_the_same(api):
    game = create(api, variant="binary-star", deal={"number": "1417"}).json["game"]
    assert (game["stuck"], game["status"], game["legal_moves"]) == (True, "in_progress", [])


@every_variant
def test_the_location_of_a_new_game_answers_with_that_game(api, variant):
    created = create(api, variant=variant)
    read = api.get(created.headers["Location"])
    assert read.status == 200
    assert read.json == created.json["game"]
    assert read.headers["ETag"] == created.headers["ETag"] == '"v1"'


def test_the_play_token_is_shown_at_the_creation_and_never_again(api):
    player = api.new_game("astrocyte", 1)
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", player.token)
    answers = [player.read(), player.play("deal"), player.undo(), player.redo(), player.resign()]
    answers += [api.get(f"{player.path}/{part}") for part in ("moves", "legal-moves", "reveal")]
    for answer in answers:
        assert answer.status == 200
        assert player.token not in answer.body.decode() + str(answer.headers)


# Labels


LABELS = (
    *("x" * 64, "🂡" * 64, "Zoë ☆ 星 🎴", "e\u0301 is not é", "👩‍👩‍👧", "\u202eright to left"),
    *(" ", "\u00a0", "  both ends  ", "<b>\"'&;\\/{}</b>", "null", "\ue000 \U0010ffff \ufffe"),
)


def test_a_label_comes_back_as_it_was_given(api):
    for label in LABELS:
        created = create(api, variant="astrocyte", label=label)
        assert created.json["game"]["label"] == label
        assert api.get(created.headers["Location"]).json["label"] == label


def test_a_label_of_null_is_none(api):
    assert create(api, variant="astrocyte", label=None).json["game"]["label"] is None


# Creations that are refused

WRONG = [
    *(
        ("label", label, "/label")
        for label in ("", "🂡" * 65, "e\u0301" * 33, "a\n", "\x85", "\u2028")
    ),
    *(("deal", {"number": n}, "/deal/number") for n in ("", "0", "01", "1\n", "٣", str(2**64), 1)),
    *(("deal", deal, "/deal") for deal in ({}, {"number": "1", "random": True}, None, "random")),
    *(("variant", name, "/variant") for name in ("klondike", "Astrocyte", "astrocyte\n", None, 1)),
]


@pytest.mark.parametrize(("field", "value", "pointer"), WRONG, ids=ascii)
def test_a_game_that_there_cannot_be_is_not_created(api, fake, field, value, pointer):
    with nothing_changes(fake):
        answer = create(api, **{"variant": "astrocyte", field: value})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == [pointer]


# Reading


def test_a_game_reads_the_same_to_anybody_who_knows_its_id(player, api):
    assert api.get(player.path).json == player.read(Authorization=f"Bearer {player.token}").json
    assert api.get(player.path, Authorization="Bearer of nothing").json == player.game


def test_reading_changes_nothing(player, api, fake):
    with nothing_changes(fake):
        for path in ("", "/moves", "/legal-moves", "/reveal"):
            assert api.get(player.path + path).status == 200


def test_the_legal_moves_alone_are_those_of_the_game(player, api):
    alone = api.get(f"{player.path}/legal-moves").json
    assert alone == {name: player.game[name] for name in ("version", "legal_moves", "can", "stuck")}


def test_games_do_not_touch_each_other(api):
    one, other = api.new_game("astrocyte", 1), api.new_game("astrocyte", 1)
    one.play("deal")
    one.resign()
    before = other.game
    assert other.read().json == before


# Expiry


def test_everything_kept_of_a_game_expires_when_the_game_says(player, api, fake):
    expiries = set()
    for act in (lambda: player.play("t1c2"), player.undo, player.redo, player.resign):
        assert act().status == 200
        at = {expiry for key, (_, expiry) in dump(fake).items() if key.startswith(b"ast:{")}
        assert len(at) == 1
        expiries |= at
    assert all(expiry > 0 for expiry in expiries)


def test_a_game_says_that_it_is_kept_for_thirty_days_after_the_last_accepted_request(player):
    for act in (player.read, lambda: player.play("t1c2"), player.undo):
        act()
        updated, expires = player.game["updated_at"], player.game["expires_at"]
        days = (_day(expires) - _day(updated)).days
        assert (days, updated[10:]) == (30, expires[10:])


def _day(time):
    return date.fromisoformat(time[:10])


def test_an_expired_game_is_gone_as_a_whole(player, api, fake):
    for key in dump(fake):
        fake.execute_command("PEXPIRE", key, 1)
    while dump(fake):
        pass
    assert known(api.get(player.path)) == (404, "game-not-found")
    assert known(player.play("t1c2")) == (404, "game-not-found")


# Deletion


def test_a_deleted_game_is_gone_by_every_door(player, api, fake):
    assert player.delete().status == 204
    for part in ("", "/moves", "/legal-moves", "/reveal"):
        assert known(api.get(player.path + part)) == (404, "game-not-found")
    for action in ACTIONS:
        body = {"version": player.version} | ({"moves": ["deal"]} if action == "moves" else {})
        assert known(player.post(action, body)) == (404, "game-not-found")
    assert known(player.delete()) == (404, "game-not-found")


def test_nothing_is_kept_of_a_deleted_game(player, fake):
    player.play("t1c2", Idempotency_Key="k" * 16)
    player.delete()
    assert dump(fake) == {}


def test_deleting_a_game_leaves_the_others(api):
    one, other = api.new_game("astrocyte", 1), api.new_game("astrocyte", 1)
    one.delete()
    assert other.read().status == 200


@every_variant
def test_a_game_can_be_deleted_after_its_end(api, variant):
    player = api.new_game(variant)
    player.resign()
    assert player.delete().status == 204


# Names that were never given out


def strangers(id):
    """Names that resemble the id of a game, and names that resemble nothing."""
    return {
        "in capitals": id.upper(),
        "with one capital": id[:-1] + id[-1:].upper() if id[-1].isalpha() else id.title(),
        "a letter short": id[:-1],
        "a letter long": id + "a",
        "another letter": id[:-1] + ("a" if id[-1] != "a" else "b"),
        "backwards": id[::-1],
        "with a space": id + "%20",
        "after a space": "%20" + id,
        "with a line feed": id + "%0a",
        "with NUL": id + "%00",
        "in full-width letters": quote("".join(chr(ord(c) + 0xFEE0) for c in id)),
        "as a key": f"ast:%7B{id}%7D:game",
        "a pattern": "*",
        "well formed": "a" * 26,
        "digits it has not": "0189" * 6 + "01",
        "a way up and down": "..%2f..%2fv1%2fgames%2f" + id,
        "five thousand digits": "1" * 5000,
        "no UTF-8": "%ff%fe",
        "half a surrogate pair": "%ed%a0%80",
    }


@pytest.mark.parametrize("name", strangers("a" * 26))
def test_a_name_that_was_never_given_out_leads_to_no_game(player, api, fake, name):
    path, bearer = f"/v1/games/{strangers(player.game['id'])[name]}", f"Bearer {player.token}"
    with nothing_changes(fake):
        answers = [api.get(path + part) for part in ("", "/moves", "/legal-moves", "/reveal")]
        answers.append(api.request("DELETE", path, Authorization=bearer))
        for action in ACTIONS:
            body = {"version": player.version} | ({"moves": ["deal"]} if action == "moves" else {})
            answers.append(api.post(f"{path}/{action}", body, Authorization=bearer))
    for answer in answers:
        assert answer.status == 404
        assert answer.code in ("game-not-found", "not-found")


def test_the_names_are_strange_to_every_game(player):
    assert player.game["id"] not in strangers(player.game["id"]).values()


# The whole of a game


@every_variant
def test_the_table_of_a_game_is_the_same_before_and_after_it_is_given_up(api, variant):
    player = api.new_game(variant)
    before = player.game
    player.resign()
    changing = ("version", "status", "legal_moves", "can", "updated_at", "expires_at")
    assert without(player.game, *changing) == without(before, *changing)
    assert player.game["status"] == "resigned"
    assert player.game["legal_moves"] == []
    assert player.game["can"] == {"undo": False, "redo": False, "deal": False}
    assert table(player.game) == table(before)

"""A request is made for one version of a game, is carried out once, and is known by its repeat."""

import fakeredis
import pytest

from service.api.services import services_of
from service.config import Settings
from service.games import VARIANTS
from service.play.keys import ServerKey
from service.store.idempotency import RESPONSES_KEPT
from service.store.lua import DELETE, READ, SAVE
from service.store.nodes import SingleNode
from service.store.redis import RedisStore
from tests.conftest import TTL
from tests.http.kit import (
    ACTIONS,
    KEY,
    OTHER_KEY,
    WRITES,
    Door,
    app_on,
    dump,
    known,
    nothing_changes,
    ready,
)
from tests.support.api import Api, Player, in_process
from tests.support.servers import SERVER_KEY

# The version in the body


@pytest.mark.parametrize("off", [-1, 1, 2**53 - 5])
def test_a_request_for_another_version_is_refused_with_both_numbers(action, fake, off):
    body = {**action.good, "version": action.player.version + off}
    with nothing_changes(fake):
        answer = action.knock(body)
    assert known(answer) == (409, "version-conflict")
    assert answer.json["expected_version"] == action.player.version + off
    assert answer.json["current_version"] == action.player.version


def test_the_current_version_of_a_conflict_is_enough_to_go_on(action):
    refused = action.knock({**action.good, "version": 1})
    body = {**action.good, "version": refused.json["current_version"]}
    assert action.knock(body).status == 200


def test_every_accepted_request_makes_the_version_one_more(action):
    before = action.player.version
    assert action.knock(action.good).json["game"]["version"] == before + 1
    assert action.player.read().json["version"] == before + 1


def test_of_two_requests_for_one_version_the_second_is_refused(action, fake):
    action.meanwhile()
    with nothing_changes(fake):
        stale = {**action.good, "version": 4}
        assert known(action.knock(stale)) == (409, "version-conflict")


# The time


@pytest.fixture
def clock(app, monkeypatch):
    """Tells the time that is set on it, in seconds."""
    now = {"time": 2_000_000_000.125}
    monkeypatch.setattr(services_of(app).play, "_clock", lambda: now["time"])
    return now


def times(game):
    return [game[name] for name in ("created_at", "updated_at", "expires_at")]


def test_a_game_says_when_it_was_created_when_it_was_played_last_and_until_when_it_is_kept(
    api, clock
):
    player = api.new_game("astrocyte", 1)
    created = "2033-05-18T03:33:20.125Z"
    assert times(player.game) == [created, created, "2033-06-17T03:33:20.125Z"]
    clock["time"] += 3600.5
    later = ["2033-05-18T04:33:20.625Z", "2033-06-17T04:33:20.625Z"]
    assert times(player.read().json) == [created, created, "2033-06-17T03:33:20.125Z"]
    player.play("deal")
    assert times(player.game) == [created, *later]
    clock["time"] += 86_400
    assert player.play("t1t1").status == 409
    assert times(player.read().json) == [created, *later]


def test_every_accepted_request_is_the_last_one_for_a_time(action, clock):
    action.knock(action.good)
    assert action.player.read().json["updated_at"] == "2033-05-18T03:33:20.125Z"


def test_a_clock_that_is_set_back_does_not_set_a_game_back(api, clock):
    player = api.new_game("astrocyte", 1)
    clock["time"] -= 100_000
    player.play("deal")
    assert times(player.game)[:2] == ["2033-05-18T03:33:20.125Z"] * 2


# The ETag


def test_the_etag_of_a_game_is_its_version_wherever_it_is_told(action, api):
    version = action.knock(action.good).json["game"]["version"]
    for answer in (api.get(action.player.path), api.get(f"{action.player.path}/legal-moves")):
        assert answer.headers["ETag"] == f'"v{version}"'


def test_the_etag_of_a_write_is_the_version_it_made(action):
    answer = action.knock(action.good)
    assert answer.headers["ETag"] == f'"v{answer.json["game"]["version"]}"'


# If-Match


def test_a_write_goes_on_if_if_match_names_the_version(action):
    assert action.knock(action.good, If_Match='"v3", "v4"').status == 200


@pytest.mark.parametrize("header", ['"v3"', 'W/"v4"', "", "x"])
def test_a_write_is_refused_if_if_match_does_not_name_the_version(action, fake, header):
    with nothing_changes(fake):
        answer = action.knock(action.good, If_Match=header)
        deleted = action.player.delete(If_Match=header)
    assert known(answer) == known(deleted) == (412, "precondition-failed")
    assert answer.json["current_version"] == 4


@pytest.mark.parametrize("header", ['"v4"', "*"])
def test_a_game_is_deleted_if_if_match_names_its_version(player, fake, header):
    assert player.delete(If_Match=header).status == 204
    assert dump(fake) == {}


def test_if_match_does_not_stand_in_for_the_version_of_the_body(action, fake):
    body = {**action.good, "version": 3}
    with nothing_changes(fake):
        for header in ('"v4"', "*"):
            assert known(action.knock(body, If_Match=header)) == (409, "version-conflict")


def test_a_failed_precondition_is_told_before_a_stale_version(action):
    answer = action.knock({**action.good, "version": 3}, If_Match='"v3"')
    assert known(answer) == (412, "precondition-failed")


# If-None-Match


@pytest.mark.parametrize("part", ["", "/legal-moves"])
def test_a_version_that_is_known_is_not_sent_again_and_any_other_is(player, api, part):
    for header in ('"v4"', '"v3", W/"v4"', "*"):
        answer = api.get(player.path + part, If_None_Match=header)
        assert (answer.status, answer.body, answer.headers["ETag"]) == (304, b"", '"v4"')
    for header in ('"v3"', "x"):
        answer = api.get(player.path + part, If_None_Match=header)
        assert (answer.status, answer.headers["ETag"]) == (200, '"v4"')


def test_a_version_is_news_after_every_accepted_request(action, api):
    etag = api.get(action.player.path).headers["ETag"]
    action.knock(action.good)
    assert api.get(action.player.path, If_None_Match=etag).status == 200


def test_the_etag_of_before_an_undo_is_never_right_again(player, api):
    before = player.read().headers["ETag"]
    player.play("t1c2")
    player.undo()
    assert api.get(player.path, If_None_Match=before).status == 200


def test_a_game_that_there_is_not_is_not_found_whatever_is_known_of_it(api):
    for header in ("*", '"v1"'):
        assert api.get(f"/v1/games/{'a' * 26}", If_None_Match=header).status == 404


# Idempotency keys


def test_a_request_with_a_key_is_answered_as_usual_at_first(door):
    answer = door.knock(door.good, Idempotency_Key=KEY)
    assert answer.status in (200, 201)
    assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.parametrize("door", WRITES, indirect=True)
def test_a_request_that_repeats_its_key_gets_the_same_answer_and_is_not_carried_out_again(
    door, fake
):
    first = door.knock(door.good, Idempotency_Key=KEY)
    body = _at(door, first)
    with nothing_changes(fake):
        for _ in range(3):
            again = door.knock(body, Idempotency_Key=KEY)
            assert (again.status, again.body) == (first.status, first.body)
            assert again.headers["Idempotency-Replayed"] == "true"
            assert again.headers["ETag"] == first.headers["ETag"]
            assert again.headers["Location"] == first.headers["Location"]


def _at(door, first):
    """The body that `first` answered."""
    version = {"version": first.json["game"]["version"] - 1} if door.name in ACTIONS else {}
    return {**door.good, **version}


@pytest.mark.parametrize("action", ["moves", "undo", "redo", "hint"], indirect=True)
def test_the_answer_to_a_key_stays_though_the_game_has_moved_on(action, fake):
    body = action.good
    first = action.knock(body, Idempotency_Key=KEY)
    for _ in range(3):
        action.meanwhile()
    with nothing_changes(fake):
        again = action.knock(body, Idempotency_Key=KEY)
    assert (again.status, again.body) == (200, first.body)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_the_answer_to_a_key_stays_though_the_game_is_over(player, fake):
    body = {"version": 4, "moves": ["t1c2"]}
    first = player.post("moves", body, Idempotency_Key=KEY)
    player.resign()
    with nothing_changes(fake):
        again = player.post("moves", body, Idempotency_Key=KEY)
    assert (again.status, again.body) == (200, first.body)


def test_a_repeated_creation_gives_the_same_game_and_the_same_token(api, fake):
    body = {"variant": "astrocyte", "label": "mine"}
    first = api.post("/v1/games", body, Idempotency_Key=KEY)
    with nothing_changes(fake):
        again = api.post("/v1/games", body, Idempotency_Key=KEY)
    assert (again.status, again.json) == (201, first.json)
    assert again.headers["Location"] == first.headers["Location"]


def test_a_repeated_creation_tells_of_the_game_as_it_began(api):
    body = {"variant": "astrocyte", "deal": {"number": "1"}}
    first = api.post("/v1/games", body, Idempotency_Key=KEY)
    path, bearer = first.headers["Location"], f"Bearer {first.json['play_token']}"
    for version in range(1, 3 * RESPONSES_KEPT):
        answer = api.post(
            f"{path}/{'undo' if version % 2 == 0 else 'moves'}",
            {"version": version} | ({} if version % 2 == 0 else {"moves": ["deal"]}),
            Authorization=bearer,
            Idempotency_Key=f"{version:016}",
        )
        assert answer.status == 200
    again = api.post("/v1/games", body, Idempotency_Key=KEY)
    assert (again.status, again.json) == (201, first.json)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_creation_under_another_key_is_another_game(api, variant):
    one, other = (
        api.post("/v1/games", {"variant": variant}, Idempotency_Key=key).json
        for key in (KEY, OTHER_KEY)
    )
    assert one["game"]["id"] != other["game"]["id"]
    assert one["play_token"] != other["play_token"]
    assert one["game"]["piles"] != other["game"]["piles"]


OTHER_BODIES = {
    "games": {"label": "another"},
    "moves": {"moves": ["t2c2"]},
    "undo": {"version": 5},
    "redo": {"version": 5},
    "hint": {"version": 5},
    "resignation": {"version": 5},
}


@pytest.mark.parametrize("door", OTHER_BODIES, indirect=True)
def test_a_key_with_another_body_is_refused(door, fake):
    door.knock(door.good, Idempotency_Key=KEY)
    with nothing_changes(fake):
        answer = door.knock({**door.good, **OTHER_BODIES[door.name]}, Idempotency_Key=KEY)
    assert known(answer) == (422, "idempotency-key-reused")


@pytest.mark.parametrize("steps", [1, 2], ids=["same body", "other body"])
def test_a_key_with_another_action_is_refused(player, fake, steps):
    player.post("undo", {"version": 4, "steps": 1}, Idempotency_Key=KEY)
    with nothing_changes(fake):
        answer = player.post("redo", {"version": 4, "steps": steps}, Idempotency_Key=KEY)
    assert known(answer) == (422, "idempotency-key-reused")


def test_a_key_in_another_game_is_another_request(action, api):
    other = Door(action.name, ready(api, action.player.game["variant"]))
    body = action.good
    first = action.knock(body, Idempotency_Key=KEY)
    second = other.knock(body, Idempotency_Key=KEY)
    assert (first.status, second.status) == (200, 200)
    assert "Idempotency-Replayed" not in second.headers
    assert second.json["game"]["id"] == other.player.game["id"]


def test_the_key_that_created_a_game_is_used_up_in_it(api):
    created = api.post(
        "/v1/games", {"variant": "astrocyte", "deal": {"number": "1"}}, Idempotency_Key=KEY
    )
    answer = api.post(
        f"{created.headers['Location']}/moves",
        {"version": 1, "moves": ["deal"]},
        Authorization=f"Bearer {created.json['play_token']}",
        Idempotency_Key=KEY,
    )
    assert known(answer) == (422, "idempotency-key-reused")


def test_the_same_request_differently_written_is_the_same_request(player):
    first = player.post("undo", {"version": 4}, Idempotency_Key=KEY)
    for body in ({"steps": 1, "version": 4}, {"version": 4.0, "steps": 1.0}):
        again = player.post("undo", body, Idempotency_Key=KEY)
        assert (again.status, again.body) == (200, first.body)


def test_a_refused_request_is_judged_afresh_under_its_key(player):
    body = {"version": 4, "moves": ["t3t1"]}
    assert known(player.post("moves", body, Idempotency_Key=KEY)) == (409, "illegal-move")
    answer = player.post("moves", {"version": 4, "moves": ["t1c2"]}, Idempotency_Key=KEY)
    assert answer.status == 200
    assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.parametrize("action", ["moves", "undo", "hint", "resignation"], indirect=True)
def test_a_request_that_came_too_early_is_accepted_in_time_under_its_key(action):
    body = {**action.good, "version": 5}
    assert known(action.knock(body, Idempotency_Key=KEY)) == (409, "version-conflict")
    action.meanwhile()
    answer = action.knock(body, Idempotency_Key=KEY)
    assert (answer.status, answer.json["game"]["version"]) == (200, 6)
    assert "Idempotency-Replayed" not in answer.headers


def test_the_last_keys_are_remembered_and_older_ones_are_not(player, fake):
    sent = []
    for n in range(RESPONSES_KEPT + 3):
        move = "c1c2" if n % 2 == 0 else "c2c1"
        body = {"version": player.version, "moves": [move]}
        sent.append((body, f"{n:016}", player.post("moves", body, Idempotency_Key=f"{n:016}")))
    with nothing_changes(fake):
        for body, key, first in sent[-RESPONSES_KEPT:]:
            again = player.api.post(
                f"{player.path}/moves",
                body,
                Idempotency_Key=key,
                Authorization=f"Bearer {player.token}",
            )
            assert (again.status, again.body) == (200, first.body)
        for body, key, _ in sent[:-RESPONSES_KEPT]:
            forgotten = player.post("moves", body, Idempotency_Key=key)
            assert known(forgotten) == (409, "version-conflict")


def test_a_key_opens_nothing_without_the_token(action, fake):
    body = action.good
    action.knock(body, Idempotency_Key=KEY)
    with nothing_changes(fake):
        none = action.knock(body, Idempotency_Key=KEY, Authorization="")
        wrong = action.knock(body, Idempotency_Key=KEY, Authorization="Bearer " + "x" * 43)
    assert known(none) == (401, "token-missing")
    assert known(wrong) == (403, "token-wrong")


def test_a_repeated_request_is_known_though_its_if_match_is_stale_by_now(action):
    body = action.good
    first = action.knock(body, Idempotency_Key=KEY, If_Match='"v4"')
    again = action.knock(body, Idempotency_Key=KEY, If_Match='"v4"')
    assert (again.status, again.body) == (200, first.body)


def test_a_key_finds_nothing_in_a_deleted_game(action):
    body = action.good
    action.knock(body, Idempotency_Key=KEY)
    action.player.delete()
    assert known(action.knock(body, Idempotency_Key=KEY)) == (404, "game-not-found")


# Repeats without a key


def test_the_last_accepted_request_is_known_when_it_comes_again(action, fake):
    body = action.good
    first = action.knock(body)
    with nothing_changes(fake):
        for _ in range(2):
            again = action.knock(body)
            assert (again.status, again.body) == (200, first.body)
            assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("action", ["moves", "undo", "redo", "hint"], indirect=True)
def test_an_earlier_request_is_not_known_when_it_comes_again(action, fake):
    body = action.good
    action.knock(body)
    action.meanwhile()
    with nothing_changes(fake):
        assert known(action.knock(body)) == (409, "version-conflict")


def test_another_request_for_the_version_before_is_not_taken_for_a_repeat(action, fake):
    action.knock(action.good)
    other = Door("undo" if action.name != "undo" else "redo", action.player)
    with nothing_changes(fake):
        assert known(other.knock({"version": 4})) == (409, "version-conflict")


def test_a_creation_without_a_key_is_a_new_game_every_time(api):
    body = {"variant": "astrocyte", "deal": {"number": "1"}}
    ids = {api.post("/v1/games", body).json["game"]["id"] for _ in range(3)}
    assert len(ids) == 3


def test_a_repeat_needs_the_token_too(action):
    body = action.good
    action.knock(body)
    assert known(action.knock(body, Authorization="")) == (401, "token-missing")


# Two at once: the second comes between the first one's reading and its writing


class Overtaken(fakeredis.FakeRedis):
    """A client for which something else happens just before a script runs."""

    def __init__(self, fake):
        super().__init__(connection_pool=fake.connection_pool)
        self._before = {}

    def execute_command(self, *command, **options):
        for script, part in self._before:
            if script in command and any(str(word).endswith(part) for word in command):
                self._before.pop((script, part))()
                break
        return super().execute_command(*command, **options)

    def before(self, script, happens, part=""):
        """`happens` just before `script` runs on this part of a game, or on any."""
        self._before[script.sha, part] = happens


@pytest.fixture
def overtaken(fake):
    return Overtaken(fake)


@pytest.fixture
def slow(overtaken, contract):
    """The same door, or player, by way of a service that is slower than the other."""
    store = RedisStore(SingleNode(overtaken), SingleNode(overtaken), TTL)
    app = app_on(store, Settings(ServerKey(SERVER_KEY.encode()), "redis://nowhere"))
    api = Api(in_process(app), contract)

    def by_that_way(one):
        if isinstance(one, Door):
            return Door(one.name, by_that_way(one.player))
        return Player(api, one.game, one.token)

    return by_that_way


def test_a_request_that_is_overtaken_by_another_is_refused(action, slow, overtaken):
    overtaken.before(SAVE, action.meanwhile)
    answer = slow(action).knock(action.good)
    assert known(answer) == (409, "version-conflict")
    assert (answer.json["expected_version"], answer.json["current_version"]) == (4, 5)
    assert action.player.read().json["piles"] == action.player.game["piles"]


def test_a_request_that_is_overtaken_by_its_own_repeat_is_carried_out_once(action, slow, overtaken):
    body, first = action.good, []
    overtaken.before(SAVE, lambda: first.append(action.knock(body)))
    answer = slow(action).knock(body)
    assert first[0].status == 200
    assert (answer.status, answer.json["game"]["version"]) == (200, 5)
    assert action.player.read().json["version"] == 5


def test_a_request_with_a_key_that_is_overtaken_by_its_repeat_is_carried_out_once(
    action, slow, overtaken
):
    body, first = action.good, []
    overtaken.before(SAVE, lambda: first.append(action.knock(body, Idempotency_Key=KEY)))
    answer = slow(action).knock(body, Idempotency_Key=KEY)
    assert first[0].status == 200
    assert (answer.status, answer.json["game"]["version"]) == (200, 5)
    assert action.player.read().json["version"] == 5


def test_a_request_with_a_key_that_is_overtaken_by_another_under_that_key_is_refused(
    slow, overtaken, player
):
    overtaken.before(
        SAVE,
        lambda: player.post("moves", {"version": 4, "moves": ["t5c3"]}, Idempotency_Key=KEY),
    )
    answer = slow(player).play("t1c2", Idempotency_Key=KEY)
    assert known(answer) == (422, "idempotency-key-reused")


def test_a_request_that_is_overtaken_by_a_deletion_finds_no_game(action, slow, overtaken, fake):
    overtaken.before(SAVE, action.player.delete)
    answer = slow(action).knock(action.good)
    assert known(answer) == (404, "game-not-found")
    assert dump(fake) == {}


@pytest.mark.parametrize("name", ["undo", "redo"])
def test_a_step_back_or_forth_is_not_taken_in_a_line_that_has_changed_meanwhile(
    slow, overtaken, player, name
):
    overtaken.before(READ, lambda: player.play("t5c3"), part="line")
    answer = slow(player).post(name, {"version": 4})
    assert known(answer) == (409, "version-conflict")
    assert (answer.json["expected_version"], answer.json["current_version"]) == (4, 5)


def test_a_deletion_for_one_version_does_not_take_the_next_with_it(slow, overtaken, player):
    overtaken.before(DELETE, lambda: player.play("t5c3"))
    answer = slow(player).delete(If_Match='"v4"')
    assert known(answer) == (412, "precondition-failed")
    assert answer.json["current_version"] == 5
    assert player.read().status == 200


def test_a_deletion_for_any_version_takes_the_game_as_it_is(slow, overtaken, player, fake):
    overtaken.before(DELETE, lambda: player.play("t5c3"))
    assert slow(player).delete().status == 204
    assert dump(fake) == {}


@pytest.mark.parametrize("headers", [{}, {"If_Match": '"v4"'}], ids=["any version", "the version"])
def test_a_deletion_that_is_overtaken_by_its_own_repeat_is_carried_out(
    slow, overtaken, player, fake, headers
):
    first = []
    overtaken.before(DELETE, lambda: first.append(player.delete(**headers)))
    assert slow(player).delete(**headers).status == 204
    assert first[0].status == 204
    assert dump(fake) == {}


def test_two_creations_under_one_key_are_one_game(overtaken, slow, player, api):
    body, first = {"variant": "astrocyte"}, []
    overtaken.before(SAVE, lambda: first.append(api.post("/v1/games", body, Idempotency_Key=KEY)))
    second = slow(player).api.post("/v1/games", body, Idempotency_Key=KEY)
    assert (second.status, second.json) == (201, first[0].json)
    assert second.headers["Idempotency-Replayed"] == "true"

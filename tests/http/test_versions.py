"""A request is made for one version of a game, is applied once, and is recognised when repeated."""

import fakeredis
import pytest

from service.store.executor import registered
from service.store.idempotency import RESPONSES_KEPT
from service.store.lua import DELETE, READ, SAVE
from service.store.nodes import SingleNode
from service.store.redis import store_on
from tests.conftest import TTL
from tests.http.kit import (
    ACTIONS,
    KEY,
    NOON,
    OTHER_KEY,
    UNKNOWN_ID,
    WRITES,
    Endpoint,
    assert_replayed,
    dump,
    every_variant,
    game_keys,
    instance_on,
    known,
    nothing_changes,
    ready,
)
from tests.support.api import Player

# The version in the body


@pytest.mark.parametrize("off", [-1, 1, 2**53 - 5])
def test_a_request_for_another_version_is_refused_with_both_numbers(action, fake, off):
    body = {**action.good, "version": action.player.version + off}
    with nothing_changes(fake):
        answer = action.post(body)
    assert known(answer) == (409, "version-conflict")
    assert answer.json["expected_version"] == action.player.version + off
    assert answer.json["current_version"] == action.player.version
    assert action.post({**body, "version": answer.json["current_version"]}).status == 200


def test_every_accepted_request_makes_the_version_one_more_and_the_etag_with_it(action, api):
    before = api.get(action.player.path).headers["ETag"]
    written = action.post(action.good)
    assert (before, written.headers["ETag"]) == ('"v4"', '"v5"')
    assert written.json["game"]["version"] == 5
    for part in ("", "/legal-moves"):
        read = api.get(action.player.path + part, If_None_Match=before)
        assert (read.status, read.json["version"], read.headers["ETag"]) == (200, 5, '"v5"')


# The time


def times(game):
    return [game[name] for name in ("created_at", "updated_at", "expires_at")]


def test_a_game_says_when_it_was_created_and_last_played_and_when_it_expires(api, clock):
    player = api.new_game("astrocyte", 1)
    created, expiry = "2026-11-30T12:00:00.000Z", "2026-12-30T12:00:00.000Z"
    assert times(player.game) == [created, created, expiry]
    clock.now = NOON + 3600.5
    assert times(player.read().json) == [created, created, expiry]
    player.play("deal")
    later = [created, "2026-11-30T13:00:00.500Z", "2026-12-30T13:00:00.500Z"]
    assert times(player.game) == later
    clock.now = NOON + 86_400
    assert player.play("t1t1").status == 409
    assert times(player.read().json) == later


def test_every_accepted_request_updates_the_time_of_the_game(action, clock):
    clock.now = 2_000_000_000.125
    action.post(action.good)
    assert action.player.read().json["updated_at"] == "2033-05-18T03:33:20.125Z"


def test_a_clock_that_is_set_back_does_not_set_a_game_back(api, clock):
    player = api.new_game("astrocyte", 1)
    before = times(player.game)
    clock.now -= 100_000
    assert player.play("deal").status == 200
    assert times(player.game)[:2] == before[:2]


# Conditions


def test_a_write_is_accepted_if_if_match_names_the_version(action):
    assert action.post(action.good, If_Match='"v3", "v4"').status == 200


@pytest.mark.parametrize("header", ['"v3"', 'W/"v4"', "", "x"])
def test_a_write_is_refused_if_if_match_does_not_name_the_version(action, fake, header):
    with nothing_changes(fake):
        answer = action.post(action.good, If_Match=header)
        stale = action.post({**action.good, "version": 3}, If_Match=header)
        deleted = action.player.delete(If_Match=header)
    assert known(answer) == known(stale) == known(deleted) == (412, "precondition-failed")
    assert answer.json["current_version"] == 4


@pytest.mark.parametrize("header", ['"v4"', "*"])
def test_a_game_is_deleted_if_if_match_names_its_version(player, fake, header):
    assert player.delete(If_Match=header).status == 204
    assert game_keys(fake) == set()


def test_if_match_does_not_replace_the_version_of_the_body(action, fake):
    with nothing_changes(fake):
        for header in ('"v4"', "*"):
            answer = action.post({**action.good, "version": 3}, If_Match=header)
            assert known(answer) == (409, "version-conflict")


@pytest.mark.parametrize("part", ["", "/legal-moves"])
def test_a_version_that_is_known_is_not_sent_again_and_any_other_is(player, api, part):
    for header, status in {'"v4"': 304, '"v3", W/"v4"': 304, "*": 304, '"v3"': 200}.items():
        answer = api.get(player.path + part, If_None_Match=header)
        assert (answer.status, answer.headers["ETag"]) == (status, '"v4"')
        assert (answer.body == b"") == (status == 304)


def test_a_game_that_does_not_exist_is_not_found_whatever_version_is_known(api):
    for header in ("*", '"v1"'):
        assert api.get(f"/v1/games/{UNKNOWN_ID}", If_None_Match=header).status == 404


# Idempotency keys


@pytest.mark.parametrize("endpoint", WRITES, indirect=True)
def test_a_request_that_repeats_its_key_gets_the_same_answer_and_is_not_applied_again(
    endpoint, fake
):
    body = endpoint.good
    first = endpoint.post(body, Idempotency_Key=KEY)
    assert first.status in (200, 201)
    assert "Idempotency-Replayed" not in first.headers
    with nothing_changes(fake):
        for _ in range(3):
            assert_replayed(endpoint.post(body, Idempotency_Key=KEY), first)


@pytest.mark.parametrize("action", ["moves", "undo", "redo", "hint"], indirect=True)
@pytest.mark.parametrize("end", [False, True], ids=["played on", "over"])
def test_the_answer_to_a_key_stays_though_the_game_has_moved_on(action, fake, end):
    body = action.good
    first = action.post(body, Idempotency_Key=KEY, If_Match='"v4"')
    for _ in range(3):
        action.meanwhile()
    if end:
        action.player.resign()
    with nothing_changes(fake):
        assert_replayed(action.post(body, Idempotency_Key=KEY, If_Match='"v4"'), first)


def test_a_repeated_creation_answers_with_the_game_as_it_began_and_its_token(api):
    body = {"variant": "astrocyte", "label": "mine"}
    first = api.post("/v1/games", body, Idempotency_Key=KEY)
    player = Player(api, first.json["game"], first.json["play_token"])
    for n in range(2 * RESPONSES_KEPT):
        assert player.play("deal", Idempotency_Key=f"{2 * n:016}").status == 200
        assert player.undo(Idempotency_Key=f"{2 * n + 1:016}").status == 200
    assert_replayed(api.post("/v1/games", body, Idempotency_Key=KEY), first)


@every_variant
def test_a_creation_under_another_key_is_another_game(api, variant):
    one, other = (api.begin({"variant": variant}, Idempotency_Key=key) for key in (KEY, OTHER_KEY))
    assert one.token != other.token
    for name in ("id", "piles"):
        assert one.game[name] != other.game[name]


OTHER_BODIES = {
    "games": {"label": "another"},
    "moves": {"moves": ["t2c2"]},
    **{name: {"version": 5} for name in ACTIONS[1:]},
}


@pytest.mark.parametrize("endpoint", OTHER_BODIES, indirect=True)
def test_a_key_with_another_body_is_refused(endpoint, fake):
    body = {**endpoint.good, **OTHER_BODIES[endpoint.name]}
    endpoint.post(endpoint.good, Idempotency_Key=KEY)
    with nothing_changes(fake):
        answer = endpoint.post(body, Idempotency_Key=KEY)
    assert known(answer) == (422, "idempotency-key-reused")


@pytest.mark.parametrize("steps", [1, 2], ids=["same body", "other body"])
def test_a_key_with_another_action_is_refused(player, fake, steps):
    player.post("undo", {"version": 4, "steps": 1}, Idempotency_Key=KEY)
    with nothing_changes(fake):
        answer = player.post("redo", {"version": 4, "steps": steps}, Idempotency_Key=KEY)
    assert known(answer) == (422, "idempotency-key-reused")


def test_a_key_in_another_game_is_another_request(action, api):
    other = Endpoint(action.name, ready(api, action.player.game["variant"]))
    answers = [one.post(action.good, Idempotency_Key=KEY) for one in (action, other)]
    for answer, one in zip(answers, (action, other), strict=True):
        assert (answer.status, answer.json["game"]["id"]) == (200, one.player.game["id"])
        assert "Idempotency-Replayed" not in answer.headers


def test_the_key_that_created_a_game_cannot_be_used_in_it(api):
    player = api.begin({"variant": "astrocyte"}, Idempotency_Key=KEY)
    assert known(player.play("deal", Idempotency_Key=KEY)) == (422, "idempotency-key-reused")


def test_the_same_request_written_differently_is_the_same_request(player):
    first = player.post("undo", {"version": 4}, Idempotency_Key=KEY)
    for body in ({"steps": 1, "version": 4}, {"version": 4.0, "steps": 1.0}):
        assert_replayed(player.post("undo", body, Idempotency_Key=KEY), first)


def test_a_refused_request_is_judged_anew_under_its_key(player):
    assert known(player.play("t3t1", Idempotency_Key=KEY)) == (409, "illegal-move")
    answer = player.play("t1c2", Idempotency_Key=KEY)
    assert answer.status == 200
    assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.parametrize("action", ["moves", "undo", "hint", "resignation"], indirect=True)
def test_a_request_that_came_too_early_is_accepted_later_under_its_key(action):
    body = {**action.good, "version": 5}
    assert known(action.post(body, Idempotency_Key=KEY)) == (409, "version-conflict")
    action.meanwhile()
    answer = action.post(body, Idempotency_Key=KEY)
    assert (answer.status, answer.json["game"]["version"]) == (200, 6)


def test_the_last_keys_are_remembered_and_older_ones_are_not(player, fake):
    moves, sent = Endpoint("moves", player), []
    for n in range(RESPONSES_KEPT + 3):
        body = {"version": 4 + n, "moves": ["c1c2" if n % 2 == 0 else "c2c1"]}
        sent.append((body, f"{n:016}", moves.post(body, Idempotency_Key=f"{n:016}")))
    with nothing_changes(fake):
        for body, key, first in sent[-RESPONSES_KEPT:]:
            assert_replayed(moves.post(body, Idempotency_Key=key), first)
        for body, key, _ in sent[:-RESPONSES_KEPT]:
            assert known(moves.post(body, Idempotency_Key=key)) == (409, "version-conflict")


def test_a_repeat_needs_the_token_too(action, fake):
    body = action.good
    for headers in ({}, {"Idempotency_Key": KEY}):
        action.post(body, **headers)
        with nothing_changes(fake):
            missing = action.post(body, Authorization="", **headers)
            wrong = action.post(body, Authorization="Bearer " + "x" * 43, **headers)
        assert known(missing) == (401, "token-missing")
        assert known(wrong) == (403, "token-wrong")


# Repeats without a key


def test_the_last_accepted_request_is_recognised_when_it_is_repeated(action, fake):
    body = action.good
    first = action.post(body)
    with nothing_changes(fake):
        for _ in range(2):
            assert_replayed(action.post(body), first)


@pytest.mark.parametrize("action", ["moves", "undo", "redo", "hint"], indirect=True)
def test_an_earlier_request_is_not_recognised_when_it_is_repeated(action, fake):
    body = action.good
    action.post(body)
    action.meanwhile()
    with nothing_changes(fake):
        assert known(action.post(body)) == (409, "version-conflict")


def test_another_request_for_the_version_before_is_not_taken_for_a_repeat(action, fake):
    action.post(action.good)
    other = Endpoint("undo" if action.name != "undo" else "redo", action.player)
    with nothing_changes(fake):
        assert known(other.post({"version": 4})) == (409, "version-conflict")


def test_a_creation_without_a_key_is_a_new_game_every_time(api):
    assert len({api.new_game("astrocyte", 1).game["id"] for _ in range(3)}) == 3


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
        self._before[registered(script).sha, part] = happens


@pytest.fixture
def overtaken(fake):
    return Overtaken(fake)


@pytest.fixture
def slow(overtaken):
    """The same endpoint, or player, at an instance that is slower than the other."""
    api = instance_on(store_on(SingleNode(overtaken), SingleNode(overtaken), TTL))

    def there(one):
        if isinstance(one, Endpoint):
            return Endpoint(one.name, there(one.player))
        return Player(api, one.game, one.token)

    return there


def other_use_of_the_key(action):
    name = "undo" if action.name != "undo" else "redo"
    Endpoint(name, action.player).post({"version": 4}, Idempotency_Key=KEY)


OVERTAKEN_BY = {
    "another request": (Endpoint.meanwhile, (409, "version-conflict")),
    "a deletion": (lambda action: action.player.delete(), (404, "game-not-found")),
    "a request with its key": (other_use_of_the_key, (422, "idempotency-key-reused")),
}


@pytest.mark.parametrize(("happens", "refusal"), OVERTAKEN_BY.values(), ids=OVERTAKEN_BY)
def test_a_request_that_is_overtaken_is_refused(action, slow, overtaken, fake, happens, refusal):
    body, after = action.good, []

    def before():
        happens(action)
        after.append(dump(fake))

    overtaken.before(SAVE, before)
    answer = slow(action).post(body, Idempotency_Key=KEY)
    assert known(answer) == refusal
    assert dump(fake) == after[0]
    if refusal[0] == 409:
        assert (answer.json["expected_version"], answer.json["current_version"]) == (4, 5)


@pytest.mark.parametrize("headers", [{}, {"Idempotency_Key": KEY}], ids=["no key", "a key"])
def test_a_request_that_is_overtaken_by_its_own_repeat_is_applied_once(
    action, slow, overtaken, headers
):
    body, first = action.good, []
    overtaken.before(SAVE, lambda: first.append(action.post(body, **headers)))
    answer = slow(action).post(body, **headers)
    assert first[0].status == 200
    assert (answer.status, answer.json["game"]["version"]) == (200, 5)
    assert action.player.read().json["version"] == 5


@pytest.mark.parametrize(
    ("headers", "happens", "status"),
    [
        ({}, lambda player: player.play("t5c3"), 204),
        ({"If_Match": '"v4"'}, lambda player: player.play("t5c3"), 412),
        ({}, lambda player: player.delete(), 204),
        ({"If_Match": '"v4"'}, lambda player: player.delete(If_Match='"v4"'), 204),
    ],
    ids=["any version", "another version", "its repeat", "its repeat at a version"],
)
def test_a_deletion_that_is_overtaken_deletes_the_version_it_was_for_or_any(
    slow, overtaken, player, fake, headers, happens, status
):
    overtaken.before(DELETE, lambda: happens(player))
    assert slow(player).delete(**headers).status == status
    assert (game_keys(fake) == set()) == (status == 204)


@pytest.mark.parametrize("name", ["undo", "redo"])
def test_an_undo_or_redo_of_a_line_that_has_changed_meanwhile_is_refused(
    slow, overtaken, player, name
):
    overtaken.before(READ, lambda: player.play("t5c3"), part="line")
    answer = slow(player).post(name, {"version": 4})
    assert known(answer) == (409, "version-conflict")
    assert (answer.json["expected_version"], answer.json["current_version"]) == (4, 5)


def test_two_creations_under_one_key_are_one_game(overtaken, slow, player, api):
    body, first = {"variant": "astrocyte"}, []
    overtaken.before(SAVE, lambda: first.append(api.post("/v1/games", body, Idempotency_Key=KEY)))
    second = slow(player).api.post("/v1/games", body, Idempotency_Key=KEY)
    assert_replayed(second, first[0])

"""What happens in a game is told in three forms, from any version on; here without waiting."""

import json

import pytest

from service.api import events
from service.api.services import services_of
from service.play.watcher_slots import WatcherLimits
from service.play.watching import WatchHub
from tests.http.kit import known, nothing_changes, without
from tests.support.messages import FORMS, messages

JSON, LINES, EVENTS = FORMS


@pytest.fixture(params=FORMS)
def ask(request, player, contract):
    """Asks for what has happened, in each of the forms."""

    def told(query="", **headers):
        path = f"{player.path}/events?wait=0{query}"
        answer = player.api.get(path, Accept=request.param, **headers)
        assert answer.status == 200, answer.body
        assert answer.headers["Content-Type"] == request.param
        return messages(contract, request.param, answer.body)

    return told


def kinds(told):
    return [(message["version"], message["kind"]) for message in told]


def test_who_asks_first_is_told_how_the_game_stands(ask, player):
    (told,) = ask()
    assert (told["version"], told["kind"]) == (4, "snapshot")
    assert told["game"] == player.read().json
    assert told["at"] == player.game["updated_at"]
    assert (told["moves"], told["reveals"], told["steps"]) == ([], [], 0)


def test_who_has_missed_something_is_told_all_of_it(ask, player):
    player.play("deal")
    player.resign()
    moved, resigned = ask("&after=4")
    assert (moved["version"], moved["kind"], moved["moves"]) == (5, "moved", ["deal"])
    assert [reveal["pile"] for reveal in moved["reveals"]] == [f"t{n}" for n in range(1, 9)]
    assert moved["game"] is None
    assert (resigned["version"], resigned["kind"], resigned["moves"]) == (6, "resigned", [])
    assert resigned["game"] == player.read().json


def test_a_game_is_told_from_its_creation_on(ask):
    told = ask("&after=0")
    assert kinds(told) == [(1, "created"), (2, "moved"), (3, "moved"), (4, "undone")]
    assert [message["steps"] for message in told] == [0, 0, 0, 1]
    assert [message["taken_back"] for message in told] == [False, False, True, False]


def test_who_has_missed_nothing_is_told_nothing(ask):
    assert ask("&after=4") == []


def test_who_knows_of_a_later_version_than_there_is_is_told_how_the_game_stands(ask):
    assert kinds(ask("&after=5")) == [(4, "snapshot")]


def test_who_has_missed_more_than_is_kept_is_told_how_the_game_stands(ask, player):
    for _ in range(40):
        player.undo()
        player.redo()
    assert player.version == 84
    assert kinds(ask("&after=19")) == [(84, "snapshot")]
    assert [version for version, _ in kinds(ask("&after=20"))] == list(range(21, 85))


def test_a_browser_that_comes_back_is_told_what_happened_since_its_last_message(ask, player):
    player.play("deal")
    assert kinds(ask("&after=1", Last_Event_ID="4")) == [(5, "moved")]
    assert ask(Last_Event_ID="5") == []


def test_what_an_undo_hid_is_not_told_again(ask, player):
    player.play("deal")
    player.undo()
    moved, undone = ask("&after=4")
    assert (moved["taken_back"], moved["moves"], moved["reveals"]) == (True, [], [])
    assert undone["game"] == player.read().json
    player.redo()
    assert len(ask("&after=4")[-1]["reveals"]) == 8


def test_reading_what_happened_changes_nothing(ask, fake):
    with nothing_changes(fake):
        ask()
        ask("&after=1")


def test_an_answer_in_json_says_how_to_go_on(player):
    told = player.api.get(f"{player.path}/events").json
    assert told["after"] == 4
    player.play("deal")
    told = player.api.get(f"{player.path}/events?after={told['after']}").json
    assert (kinds(told["items"]), told["after"]) == ([(5, "moved")], 5)
    told = player.api.get(f"{player.path}/events?after={told['after']}&wait=0").json
    assert told == {"items": [], "after": 5}


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        *[("", JSON), ("*/*", JSON), ("application/*", JSON), ("text/*", EVENTS)],
        *[("application/json, text/event-stream", JSON), (f"{EVENTS}, */*;q=0.1", EVENTS)],
        *[(f"{JSON};q=0.5, {LINES}", LINES), (f"{JSON};q=0, */*", LINES), (EVENTS.upper(), EVENTS)],
        *[(f"{EVENTS};charset=utf-8", EVENTS), (f"text/html, {LINES}", LINES)],
        *[(f"{JSON};q=.5, {LINES};q=1.", LINES), (f"{JSON};q=.9, {EVENTS};q=abc", EVENTS)],
    ],
)
def test_the_form_is_the_one_that_the_client_likes_best(player, accept, form):
    answer = player.api.get(f"{player.path}/events?wait=0", Accept=accept)
    assert (answer.status, answer.headers["Content-Type"]) == (200, form)


@pytest.mark.parametrize("accept", ["text/html", "application/jsonl", f"{EVENTS};q=0", "*/*;q=0"])
def test_who_takes_none_of_the_forms_is_refused(player, accept):
    answer = player.api.get(f"{player.path}/events", Accept=accept)
    assert known(answer) == (406, "not-acceptable")
    assert all(form in answer.json["detail"] for form in FORMS)


@pytest.mark.parametrize("form", FORMS)
def test_there_is_nothing_to_tell_of_a_game_that_is_not_there(api, player, form):
    path = f"{player.path}/events"
    player.delete()
    assert known(api.get(path, Accept=form)) == (404, "game-not-found")
    assert known(api.get(f"/v1/games/{'a' * 26}/events", Accept=form)) == (404, "game-not-found")


@pytest.mark.parametrize(
    "id", ["", "x", "-1", "1.0", "0x1", "1 ", " 1x", "٣", "4,5", '"v4"', "1" * 10, "1e3"]
)
def test_a_last_event_id_that_is_none_is_refused(player, id):
    answer = player.api.get(f"{player.path}/events", Last_Event_ID=id.encode().decode("latin-1"))
    assert known(answer) == (422, "invalid-request")
    assert [fault["header"] for fault in answer.json["errors"]] == ["Last-Event-ID"]


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1.0", "after=", "wait=601", "wait=-1", "wait=1.5"]
)
def test_a_query_that_means_nothing_is_refused(player, query):
    answer = player.api.get(f"{player.path}/events?{query}")
    assert known(answer) == (422, "invalid-request")
    assert [fault["parameter"] for fault in answer.json["errors"]] == [query.partition("=")[0]]


@pytest.mark.parametrize("form", FORMS)
def test_a_head_has_the_headers_of_a_get_and_waits_for_nothing(player, world, form):
    answer = player.api.request("HEAD", f"{player.path}/events?after=4", Accept=form)
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["Content-Type"] == form
    assert world.watch.watchers == 0


@pytest.mark.parametrize(
    ("room", "which"),
    [
        (WatcherLimits(total=1), "here"),
        (WatcherLimits(an_address=1), "from your address"),
        (WatcherLimits(a_game=1), "this game"),
    ],
)
def test_who_finds_no_room_is_told_which_limit_was_met(
    app, store, player, monkeypatch, room, which
):
    full = WatchHub(store, lambda: iter(()), room)
    full.join(player.game["id"], "127.0.0.1")
    monkeypatch.setattr(services_of(app), "watch", full)
    answer = player.api.get(f"{player.path}/events")
    assert known(answer) == (429, "too-many-watchers")
    assert answer.json["limit"] == 1
    assert which in answer.json["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    assert player.read().status == 200


def test_a_watcher_who_is_answered_has_left(player, world):
    for form in FORMS:
        player.api.get(f"{player.path}/events?wait=0", Accept=form)
        player.api.get(f"/v1/games/{'a' * 26}/events", Accept=form)
    assert world.watch.watchers == 0


def test_a_watcher_whose_answer_cannot_be_made_takes_no_slot(player, world, monkeypatch):
    def fail():
        raise RuntimeError

    monkeypatch.setattr(events, "_serializer", fail)
    assert known(player.api.get(f"{player.path}/events?wait=0")) == (500, "internal-error")
    assert world.watch.watchers == 0


def test_an_event_that_cannot_be_read_is_told_to_be_so(player, fake):
    fake.execute_command("LSET", f"ast:{{{player.game['id']}}}:log", -1, "x")
    assert known(player.api.get(f"{player.path}/events")) == (500, "game-unreadable")
    assert player.read().status == 200


@pytest.mark.parametrize("variant", ["binary-star", "astrocyte"])
def test_a_message_shows_the_game_as_a_read_does(api, variant):
    player = api.new_game(variant, 3, label="watched")
    for _ in range(3):
        player.play(player.game["legal_moves"][0])
        told = json.loads(api.get(f"{player.path}/events").body)["items"][0]
        assert told["game"] == player.read().json
        assert without(told["game"], "expires_at") == without(player.game, "expires_at")

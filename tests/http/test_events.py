"""What happens in a game is sent in three forms, from any version on; here without waiting."""

import pytest

from service.api import events
from service.api.services import services_of
from service.play.watcher_slots import WatcherLimits
from service.play.watching import WatchHub
from tests.http.kit import UNKNOWN_ID, every_variant, faults, known, nothing_changes
from tests.support.messages import FORMS, messages

JSON, LINES, EVENTS = FORMS


@pytest.fixture(params=FORMS)
def ask(request, player, contract):
    """Asks for what has happened, in each of the forms."""

    def received(query="", **headers):
        path = f"{player.path}/events?wait=0{query}"
        answer = player.api.get(path, Accept=request.param, **headers)
        assert answer.status == 200, answer.body
        assert answer.headers["Content-Type"] == request.param
        return messages(contract, request.param, answer.body)

    return received


def kinds(received):
    return [(message["version"], message["kind"]) for message in received]


def test_a_new_watcher_gets_a_snapshot(ask, player, fake):
    with nothing_changes(fake):
        (snapshot,) = ask()
    assert kinds([snapshot]) == [(4, "snapshot")]
    assert snapshot["game"] == player.read().json
    assert snapshot["at"] == player.game["updated_at"]
    assert (snapshot["moves"], snapshot["reveals"], snapshot["steps"]) == ([], [], 0)


def test_who_has_missed_something_gets_all_of_it(ask, player):
    player.play("deal")
    player.resign()
    moved, resigned = ask("&after=4")
    assert (moved["version"], moved["kind"], moved["moves"]) == (5, "moved", ["deal"])
    assert [reveal["pile"] for reveal in moved["reveals"]] == [f"t{n}" for n in range(1, 9)]
    assert moved["game"] is None
    assert (resigned["version"], resigned["kind"], resigned["moves"]) == (6, "resigned", [])
    assert resigned["game"] == player.read().json


def test_the_messages_begin_with_the_creation(ask):
    received = ask("&after=0")
    assert kinds(received) == [(1, "created"), (2, "moved"), (3, "moved"), (4, "undone")]
    assert [message["steps"] for message in received] == [0, 0, 0, 1]
    assert [message["taken_back"] for message in received] == [False, False, True, False]


def test_who_is_up_to_date_gets_nothing_and_who_is_ahead_a_snapshot(ask):
    assert ask("&after=4") == []
    assert kinds(ask("&after=5")) == [(4, "snapshot")]


def test_who_has_missed_more_than_is_stored_gets_a_snapshot(ask, player):
    for _ in range(40):
        player.undo()
        player.redo()
    assert player.version == 84
    assert kinds(ask("&after=19")) == [(84, "snapshot")]
    assert [version for version, _ in kinds(ask("&after=20"))] == list(range(21, 85))


def test_a_browser_that_comes_back_gets_what_happened_since_its_last_message(ask, player):
    player.play("deal")
    assert kinds(ask("&after=1", Last_Event_ID="4")) == [(5, "moved")]
    assert ask(Last_Event_ID="5") == []


def test_what_an_undo_hid_is_not_sent_again(ask, player):
    player.play("deal")
    player.undo()
    moved, undone = ask("&after=4")
    assert (moved["taken_back"], moved["moves"], moved["reveals"]) == (True, [], [])
    assert undone["game"] == player.read().json
    player.redo()
    assert len(ask("&after=4")[-1]["reveals"]) == 8


@every_variant
def test_an_answer_in_json_says_how_to_go_on_and_shows_the_game_as_a_read_does(api, variant):
    player, query = api.new_game(variant, 3, label="watched"), ""
    for version in range(1, 4):
        page = api.get(f"{player.path}/events{query}").json
        assert [message["version"] for message in page["items"]] == [version]
        assert page["items"][0]["game"] == player.read().json
        assert page["after"] == version
        query = f"?after={version}&wait=0"
        assert api.get(f"{player.path}/events{query}").json == {"items": [], "after": version}
        player.play(player.game["legal_moves"][0])


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        *[("", JSON), ("*/*", JSON), ("text/*", EVENTS), (f"{EVENTS}, */*;q=0.1", EVENTS)],
        *[(f"{JSON};q=0.5, {LINES}", LINES), (f"{JSON};q=0, */*", LINES)],
        *[(f"{EVENTS};charset=utf-8", EVENTS), (f"text/html, {LINES}", LINES)],
    ],
)
def test_the_form_is_the_one_that_the_client_prefers(player, accept, form):
    answer = player.api.get(f"{player.path}/events?wait=0", Accept=accept)
    assert (answer.status, answer.headers["Content-Type"]) == (200, form)


@pytest.mark.parametrize("accept", ["text/html", "application/jsonl", f"{EVENTS};q=0", "*/*;q=0"])
def test_who_accepts_none_of_the_forms_is_refused(player, accept):
    answer = player.api.get(f"{player.path}/events", Accept=accept)
    assert known(answer) == (406, "not-acceptable")
    assert all(form in answer.json["detail"] for form in FORMS)


@pytest.mark.parametrize("id", ["", "x", "-1", "1.0", "1 ", "٣", "4,5", '"v4"', "1" * 10])
def test_a_malformed_last_event_id_is_refused(player, id):
    headers = {"Last_Event_ID": id.encode().decode("latin-1")}
    assert faults(player.api.get(f"{player.path}/events", **headers)) == ["Last-Event-ID"]


@pytest.mark.parametrize("query", ["after=-1", "after=x", "after=", "wait=601", "wait=1.5"])
def test_a_malformed_query_is_refused(player, query):
    answer = player.api.get(f"{player.path}/events?{query}")
    assert faults(answer) == [query.partition("=")[0]]


@pytest.mark.parametrize("form", FORMS)
def test_a_watcher_gives_its_slot_back_whatever_the_answer(api, player, service, form):
    unknown = api.get(f"/v1/games/{UNKNOWN_ID}/events", Accept=form)
    assert known(unknown) == (404, "game-not-found")
    path = f"{player.path}/events?after=4"
    assert api.get(f"{path}&wait=0", Accept=form).status == 200
    head = api.request("HEAD", path, Accept=form)
    assert (head.status, head.body, head.headers["Content-Type"]) == (200, b"", form)
    assert service.watch.watchers == 0


@pytest.mark.parametrize(
    ("limits", "which"),
    [
        (WatcherLimits(total=1), "here"),
        (WatcherLimits(an_address=1), "from your address"),
        (WatcherLimits(a_game=1), "this game"),
    ],
)
def test_who_finds_no_slot_learns_which_limit_is_reached(
    app, store, player, monkeypatch, limits, which
):
    full = WatchHub(store, lambda: iter(()), limits)
    full.join(player.game["id"], "127.0.0.1")
    monkeypatch.setattr(services_of(app), "watch", full)
    answer = player.api.get(f"{player.path}/events")
    assert known(answer) == (429, "too-many-watchers")
    assert answer.json["limit"] == 1
    assert which in answer.json["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    assert player.read().status == 200


def test_a_watcher_who_is_answered_has_left(player, service):
    for form in FORMS:
        player.api.get(f"{player.path}/events?wait=0", Accept=form)
        player.api.get(f"/v1/games/{'a' * 26}/events", Accept=form)
    assert service.watch.watchers == 0


def test_a_watcher_whose_answer_cannot_be_made_takes_no_slot(player, service, monkeypatch):
    def fail():
        raise RuntimeError

    monkeypatch.setattr(events, "_serializer", fail)
    assert known(player.api.get(f"{player.path}/events?wait=0")) == (500, "internal-error")
    assert service.watch.watchers == 0


def test_an_unreadable_event_is_a_problem(player, fake):
    fake.execute_command("LSET", f"ast:{{{player.game['id']}}}:log", -1, "x")
    assert known(player.api.get(f"{player.path}/events")) == (500, "game-unreadable")
    assert player.read().status == 200

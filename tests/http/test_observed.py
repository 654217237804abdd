"""What observers learn of requests: what each came to, and nothing a client chooses freely."""

import pytest

from service.telemetry.middleware import observe_requests
from tests.conftest import CONTRACT
from tests.contract.contract import document
from tests.http.kit import InMemoryService, known
from tests.support.api import Api, in_process


class Recorder:
    """What an observer is told, and which streams opened (1) and closed (-1)."""

    def __init__(self):
        self.requests, self.streams = [], []


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture
def api(recorder):
    app = InMemoryService().app
    app.wsgi_app = observe_requests(
        app.wsgi_app, [recorder.requests.append], recorder.streams.append
    )
    return Api(in_process(app), CONTRACT)


def test_a_request_is_observed_with_its_template_in_the_contract(api, recorder):
    api.new_game("astrocyte").play("deal")
    api.get("/docs/swagger-ui.css")
    routes = [seen.route for seen in recorder.requests]
    assert routes == ["/v1/games", "/v1/games/{game_id}/moves", "/docs/{asset}"]
    assert set(routes) <= set(document()["paths"])


def test_an_unknown_path_is_observed_without_a_route(api, recorder):
    api.get("/v1/games/x/y/z?token=secret")
    (seen,) = recorder.requests
    assert (seen.route, seen.status, seen.code) == (None, 404, "not-found")
    assert "secret" not in repr(seen)


def test_a_refused_move_is_observed_with_its_rule_and_the_variant(api, recorder):
    assert known(api.new_game("binary-star").play("t1t1")) == (409, "illegal-move")
    seen = recorder.requests[-1]
    observed = (seen.rule, seen.code, seen.variant, seen.game_write)
    assert observed == ("same-pile", "illegal-move", "binary-star", None)


def test_a_wrong_replay_is_no_refused_move(api, recorder):
    replay = {"variant": "binary-star", "deal": {"number": "1"}, "moves": ["t1t1"]}
    body = {"variant": "binary-star", "deal": {"replay": replay, "ply": 1}}
    assert known(api.post("/v1/games", body)) == (409, "replay-wrong")
    assert recorder.requests[-1].rule is None


def test_a_write_is_observed_once_however_often_it_is_sent(api, recorder):
    player = api.new_game("astrocyte")
    for _ in range(2):
        player.post("moves", {"version": 1, "moves": ["deal"]})
    writes = [seen.game_write for seen in recorder.requests]
    assert [write and write.kind for write in writes] == ["created", "moved", None]


def test_the_store_operations_of_a_request_lie_within_it(api, recorder):
    """A first move also enters the game in a list of results, a usual one nowhere."""
    player = api.new_game("astrocyte")
    player.play("deal")
    player.play("deal")
    for seen in recorder.requests:
        assert seen.calls
        for call in seen.calls:
            assert 0 <= call.began <= call.began + call.seconds <= seen.seconds
    first, usual = ([call.operation for call in seen.calls] for seen in recorder.requests[-2:])
    assert (first, usual) == (["save", "enter"], ["save"])


def test_a_stream_is_open_until_it_ends_and_observed_then(api, recorder):
    player = api.new_game("astrocyte")
    api.get(f"{player.path}/events?wait=0", Accept="text/event-stream")
    assert [seen.streamed for seen in recorder.requests] == [False, True]
    assert recorder.streams == [1, -1]

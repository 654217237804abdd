"""What observers are told of requests: what each came to, and nothing a client chooses freely."""

import pytest

from service.telemetry.middleware import observe_requests
from tests.conftest import CONTRACT
from tests.contract.contract import document
from tests.http.kit import World, known
from tests.support.api import Api, in_process


class Recorder:
    """An observer that remembers."""

    def __init__(self):
        self.told, self.open = [], 0

    def on_request(self, request):
        self.told.append(request)

    def on_stream(self, more):
        self.open += more


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture
def api(recorder):
    world = World(CONTRACT)
    world.app.wsgi_app = observe_requests(world.app.wsgi_app, [recorder])
    return Api(in_process(world.app), CONTRACT)


def test_a_request_is_told_by_the_template_that_the_contract_has(api, recorder):
    player = api.new_game("astrocyte")
    player.play("deal")
    api.get("/docs/swagger-ui.css")
    routes = [told.route for told in recorder.told]
    assert routes == ["/v1/games", "/v1/games/{game_id}/moves", "/docs/{asset}"]
    assert set(routes) <= set(document()["paths"])


def test_a_path_that_no_route_has_is_told_as_none(api, recorder):
    api.get("/v1/games/x/y/z?token=secret")
    (told,) = recorder.told
    assert (told.route, told.status, told.code) == (None, 404, "not-found")
    assert "secret" not in repr(told)


def test_a_refused_move_is_told_with_its_rule_and_the_variant(api, recorder):
    player = api.new_game("binary-star")
    assert known(player.play("t1t1")) == (409, "illegal-move")
    told = recorder.told[-1]
    assert (told.rule, told.code, told.notes.variant) == (
        "same-pile",
        "illegal-move",
        "binary-star",
    )
    assert told.notes.game_write is None


def test_a_replay_that_is_wrong_is_no_refused_move(api, recorder):
    player = api.new_game("binary-star", 1)
    replay = api.get(f"{player.path}/replay").json
    wrong = {**replay, "moves": ["t1t1"]}
    for key in ("reveals", "start", "status"):
        wrong.pop(key, None)
    body = {"variant": "binary-star", "deal": {"replay": wrong, "ply": 1}}
    assert known(api.post("/v1/games", body)) == (409, "replay-wrong")
    assert recorder.told[-1].rule is None


def test_what_was_kept_is_told_once_however_often_it_is_sent(api, recorder):
    player = api.new_game("astrocyte")
    body = {"version": 1, "moves": ["deal"]}
    player.post("moves", body)
    player.post("moves", body)
    kept = [told.notes.game_write for told in recorder.told]
    assert [known and known.kind for known in kept] == ["created", "moved", None]


def test_the_operations_of_the_store_lie_within_their_request(api, recorder):
    api.new_game("astrocyte").play("deal")
    for told in recorder.told:
        assert told.notes.calls
        for call in told.notes.calls:
            assert 0 <= call.began <= call.began + call.seconds <= told.seconds
    assert [call.operation for call in recorder.told[-1].notes.calls] == ["load", "save"]


def test_a_stream_is_open_until_it_ends_and_told_then(api, recorder):
    player = api.new_game("astrocyte")
    api.get(f"{player.path}/events?wait=0", Accept="text/event-stream")
    assert recorder.told[-1].streamed
    assert recorder.open == 0
    assert not recorder.told[0].streamed

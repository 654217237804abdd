"""Requests are repeated until they are answered, and what is repeated is done once."""

import time

import httpx
import pytest

from service.client import Asterism, NotFound, RateLimited, Unavailable, Unreachable, WrongUrl
from service.client.answers import json_of
from service.client.calls import Pause, Send, get, post
from service.client.models import Game
from service.client.retries import Link, exchange
from tests.client.kit import FACES, URL, WEB_PAGE, Wire, busy
from tests.support.ports import free_port

CALL = post("games", read=json_of(Game), body={})


def test_every_write_whose_answer_is_lost_is_done_once(asterism, wire):
    def lost(write):
        wire.faults, wire.requests = ["answer lost"], []
        done = write()
        assert len(wire.requests) == 2
        assert len({request.headers.get("idempotency-key") for request in wire.requests}) == 1
        return done

    asterism.variants()  # so that the client knows that there is a service
    game = lost(lambda: asterism.new_game("binary-star", deal=2))
    assert lost(lambda: game.play("t5f1", "t1f1")).applied == 2
    assert lost(game.undo).ply == 1
    assert lost(game.redo).ply == 2
    assert lost(game.hint).verdict == "winnable"
    assert (game.version, game.state.counters.moves, game.state.counters.undos) == (5, 2, 1)
    assert lost(game.resign).version == game.version == 6
    lost(game.delete)
    promise = lost(asterism.commit)
    assert asterism.new_game("astrocyte", commitment=promise, player_seed="ab" * 16)


def test_writes_have_keys_of_their_own(asterism, wire):
    game = asterism.new_game("binary-star", deal=2)
    game.play("t5f1")
    game.undo()
    game.play("t5f1")
    keys = [request.headers["idempotency-key"] for request in wire.requests]
    assert len(set(keys)) == len(keys) == 4


def test_a_busy_service_is_asked_again_when_it_says(asterism, wire):
    wire.faults = [busy(retry_after="0"), busy(503, "too-many-searches", retry_after="0")]
    wire.faults += [httpx.Response(502, headers=WEB_PAGE, text="<h1>Bad gateway</h1>")]
    assert asterism.new_game("binary-star", deal=2).version == 1
    assert len(wire.requests) == 4


def taken(steps, clock, *answers):
    """The pauses between these answers, on a clock that shows them pass."""
    pauses = []
    for answer in answers:
        step = steps.send(answer)
        assert isinstance(step, Pause)
        pauses.append(step.seconds)
        clock[0] += step.seconds
        assert isinstance(steps.send(None), Send)
    return pauses


def begin(patience=30.0, reached=True):
    clock = [1000.0]
    steps = exchange(CALL, Link(URL, patience, reached, lambda: clock[0]))
    assert next(steps) == Send(CALL)
    return steps, clock


def test_pauses_grow_and_are_random_until_patience_ends():
    steps, clock = begin()
    lost = httpx.ReadTimeout("")
    pauses = taken(steps, clock, *[lost] * 9)
    limits = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5]
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, limits, strict=True))
    with pytest.raises(Unreachable, match=r"asterism\.test cannot be reached: ReadTimeout"):
        taken(steps, clock, *[lost] * 9)
    assert clock[0] <= 1030


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7),
        (
            {
                "retry_after": "Tue, 01 Dec 2026 12:00:09 GMT",
                "date": "Tue, 01 Dec 2026 12:00:00 GMT",
            },
            9,
        ),
        (
            {
                "retry_after": "Tue, 01 Dec 2026 12:00:00 GMT",
                "date": "Tue, 01 Dec 2026 12:00:09 GMT",
            },
            0,
        ),
        ({"retry_after": "soon"}, 0),
        ({}, 0),
    ],
)
def test_retry_after_is_a_number_of_seconds_or_a_date(headers, seconds):
    (pause,) = taken(*begin(), busy(**headers))
    assert seconds <= pause <= seconds + 0.1


def test_what_would_take_too_long_is_not_waited_for():
    steps, _ = begin()
    with pytest.raises(RateLimited) as caught:
        steps.send(busy(retry_after="37"))
    assert (caught.value.retry_after, caught.value.members["policy"]) == (37, "game-moves")
    steps, _ = begin(patience=0)
    with pytest.raises(Unavailable):
        steps.send(busy(503, "store-unavailable"))
    steps, _ = begin(patience=0)
    with pytest.raises(Unreachable, match="504 from a proxy"):
        steps.send(httpx.Response(504, headers=WEB_PAGE, request=httpx.Request("GET", URL)))


def test_other_refusals_are_not_repeated(asterism, wire):
    wire.faults = [busy(500, "internal-error")]
    with pytest.raises(Exception, match="At most 6000") as caught:
        asterism.variants()
    assert (caught.value.code, len(wire.requests)) == ("internal-error", 1)


@pytest.mark.parametrize("face", FACES)
def test_a_service_that_was_never_there_is_not_waited_for(face):
    url = f"http://127.0.0.1:{free_port()}"
    began = time.monotonic()
    with FACES[face](url) as client, pytest.raises(Unreachable, match=f"{url} cannot be reached"):
        client.variants()
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    "url", ["", "asterism.test", "ftp://asterism.test", "http://", "http://asterism.test:99999", 1]
)
def test_what_is_no_url_is_said_to_be_none(url):
    with pytest.raises(WrongUrl, match="is not the URL of a service"):
        Asterism(url)


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (httpx.Response(200, headers=WEB_PAGE, text="<h1>Hello</h1>"), "200 text/html"),
        (httpx.Response(404, headers=WEB_PAGE, text="<h1>Hello</h1>"), "404 text/html"),
        (httpx.Response(200, json={"hello": "world"}), "200 application/json"),
        (httpx.Response(200, json=[]), "200 application/json"),
        (
            httpx.Response(301, headers={"location": "https://elsewhere.test"}),
            "301, which leads to https",
        ),
        (busy(418, code=["no", "text"]), "418 application/problem"),
    ],
)
def test_another_server_at_the_url_is_known_as_such(asterism, wire, answer, what):
    wire.faults = [answer]
    with pytest.raises(WrongUrl, match=f"asterism.test/v1/variants answers {what}"):
        asterism.variants()


def test_a_path_that_is_not_of_the_api_is_told_with_its_url(asterism, wire):
    wire.faults = [busy(404, "not-found")]
    with pytest.raises(NotFound, match=r"nothing at \S+/v1/variants: check the URL"):
        asterism.variants()


def test_a_service_of_tomorrow_is_understood(asterism, wire):
    game = asterism.new_game("astrocyte", deal=1)
    tomorrow = {**asterism_json(wire, game.id), "status": "adjourned", "new": {"member": 1}}
    wire.faults = [httpx.Response(200, json=tomorrow)]
    assert game.refresh().status == "adjourned"
    wire.faults = [busy(409, code="too-late", rule="after-sunset")]
    with pytest.raises(Exception, match="At most") as caught:
        game.play("t7t2")
    assert (caught.value.code, caught.value.rule) == ("too-late", "after-sunset")


def asterism_json(wire: Wire, id: str):
    with httpx.Client(transport=wire, base_url=URL) as http:
        return http.get(f"/v1/games/{id}").json()


def test_requests_say_whose_they_are(asterism, wire):
    asterism.variants()
    assert wire.requests[0].headers["user-agent"].startswith("asterism-client/0.")


def test_ids_from_outside_stay_ids():
    assert (
        get("games", "../stats?x=1#y", read=json_of(Game)).path
        == "/v1/games/..%2Fstats%3Fx%3D1%23y"
    )

"""Watching over real sockets: the service tells what happens while it happens, at one address."""

import http.client
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from service.play.watcher_slots import DEFAULT_WATCHER_LIMITS
from tests.support.api import Api, Player, over_http
from tests.support.messages import FORMS
from tests.support.servers import Service, StoreServer, until, valkey_9
from tests.support.streams import EVENTS, LINES, STREAMS, Stream, watching


@pytest.fixture
def watch(service, contract):
    """Begins to watch a game of the running service."""
    with watching(service, contract) as begin:
        yield begin


@contextmanager
def service_with(folder, **environ):
    """A service and a store of one's own, to do harm to."""
    (folder / "data").mkdir()
    store = StoreServer(valkey_9(), folder / "data")
    running = Service(store.url, folder / "log", **environ)
    try:
        yield running, store
    finally:
        running.stop()
        store.stop()


@pytest.mark.parametrize("media_type", STREAMS)
def test_what_happens_is_told_while_it_happens(api, watch, media_type):
    player = api.new_game("astrocyte")
    stream = watch(player, media_type)
    first = stream.next()
    assert (first["kind"], first["game"]) == ("snapshot", player.game)
    for _ in range(3):
        reveals = player.play("deal").json["reveals"]
        told = stream.next()
        assert (told["version"], told["kind"]) == (player.version, "moved")
        assert (told["moves"], told["reveals"], told["game"]) == (["deal"], reveals, player.game)
    player.undo()
    assert stream.next()["kind"] == "undone"
    player.resign()
    assert stream.next()["game"]["status"] == "resigned"


@pytest.mark.parametrize("media_type", STREAMS)
def test_who_was_cut_off_goes_on_without_a_gap(api, watch, media_type):
    player = api.new_game("astrocyte")
    stream = watch(player, media_type)
    seen = [stream.next()["version"]]
    for turn in range(12):
        player.play(player.game["legal_moves"][0])
        if turn % 4 == 3:  # cut off, and something happens meanwhile
            stream.close()
            player.play(player.game["legal_moves"][0])
            stream = watch(player, media_type, Last_Event_ID=str(seen[-1]))
        while seen[-1] < player.version:
            seen.append(stream.next()["version"])
    assert seen == list(range(1, player.version + 1))


def test_who_has_missed_more_than_is_kept_is_told_so_by_a_snapshot(api, watch):
    player = api.new_game("astrocyte")
    for _ in range(40):
        player.play(player.game["legal_moves"][0])
        player.undo()
    stream = watch(player, query="?after=5")
    assert (stream.next()["kind"], player.version) == ("snapshot", 81)
    assert watch(player, query="?after=17").next()["version"] == 18


def test_a_poll_waits_for_what_happens_next(api, service, contract):
    player = api.new_game("binary-star", 1)
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    connection.request("GET", f"{player.path}/events?after=1")
    player.play(player.game["legal_moves"][0])
    answer = connection.getresponse()
    page = json.loads(answer.read())
    connection.close()
    assert [(m["version"], m["kind"]) for m in page["items"]] == [(2, "moved")]
    assert (page["after"], page["items"][0]["game"]) == (2, player.game)


@pytest.mark.parametrize("media_type", FORMS)
def test_an_answer_ends_by_itself(api, media_type):
    player = api.new_game("binary-star", 1)
    answer = api.get(f"{player.path}/events?wait=1&after=1", Accept=media_type)
    assert (answer.status, b"version" in answer.body) == (200, False)


@pytest.mark.parametrize("media_type", STREAMS)
def test_a_deletion_is_told_and_ends_the_stream(api, watch, media_type):
    player = api.new_game("astrocyte")
    stream = watch(player, media_type)
    stream.next()
    player.delete()
    assert (told := stream.next())["kind"] == "deleted"
    assert told["game"] is None
    assert stream.next() is None
    assert api.get(f"{player.path}/events", Accept=media_type).code == "game-not-found"


def test_a_page_of_any_origin_may_watch_at_the_address_of_the_service(api, watch):
    stream = watch(api.new_game("astrocyte"), Origin="https://elsewhere.example")
    assert stream.answer.headers["Access-Control-Allow-Origin"] == "*"
    assert stream.answer.headers["Cache-Control"] == "no-store"
    assert stream.answer.headers["X-Accel-Buffering"] == "no"


def test_a_request_that_comes_with_a_body_or_is_refused_is_answered_whole(api, service):
    player = api.new_game("astrocyte", 1)
    with over_http(service.port) as send:
        path = f"{player.path}/events"
        assert send("GET", path, {}, b"x" * 100_000)[0] == 200
        assert send("GET", f"{path}?x=1", {}, b"{}")[0] == 422
        assert send("GET", f"{path}?wait=0", {"X-Long": "y" * 8000}, None)[0] == 200
        assert send("HEAD", path, {"Accept": EVENTS}, None)[0] == 200
        assert send("POST", path, {}, b"{}")[0] == 405
        assert send("GET", player.path, {}, None)[0] == 200


def test_a_request_id_is_kept(api):
    answer = api.get(f"{api.new_game('astrocyte').path}/events", Request_Id="my.own-id_1")
    assert answer.headers["Request-Id"] == "my.own-id_1"


def test_watchers_hold_up_no_player(api, watch):
    player = api.new_game("astrocyte")
    streams = [watch(player) for _ in range(40)]
    for _ in range(5):
        assert player.play(player.game["legal_moves"][0]).status == 200
    for stream in streams:
        assert [stream.next()["version"] for _ in range(6)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("limit", "where"),
    [
        ("ASTERISM_WATCHERS", "here"),
        ("ASTERISM_WATCHERS_PER_ADDRESS", "from your address"),
        ("ASTERISM_WATCHERS_PER_GAME", "this game"),
    ],
)
def test_no_more_may_watch_than_there_is_room_for_and_who_leaves_makes_room(
    tmp_path, contract, limit, where
):
    one = {"ASTERISM_WORKERS": "1", limit: "3"}
    with service_with(tmp_path, **one) as (running, _), over_http(running.port) as send:
        api = Api(send, contract)
        player = api.new_game("astrocyte")
        with watching(running, contract) as watch:
            streams = [watch(player) for _ in range(3)]
            for stream in streams:
                stream.next()
            refused = api.get(f"{player.path}/events")
            assert (refused.status, refused.code) == (429, "too-many-watchers")
            assert (refused.json["limit"], where in refused.json["detail"]) == (3, True)
            assert refused.headers["Retry-After"]
            assert player.play("deal").status == 200
            streams[0].close()

            until(lambda: api.get(f"{player.path}/events?wait=0").status == 200)


def test_streams_end_in_good_order_when_the_service_stops(tmp_path, contract):
    with service_with(tmp_path) as (running, _), watching(running, contract) as watch:
        with over_http(running.port) as send:
            player = Api(send, contract).new_game("astrocyte")
        streams = [watch(player, form) for form in (EVENTS, LINES) for _ in range(5)]
        for stream in streams:
            stream.next()
        began = time.monotonic()
        running.process.terminate()
        assert [stream.next() for stream in streams] == [None] * 10
        running.process.wait(20)
        assert time.monotonic() - began < 15
        running.start()
        with over_http(running.port) as send:
            player.api = Api(send, contract)
            player.play("deal")
        assert watch(player, Last_Event_ID="1").next()["version"] == 2


def test_workers_end_with_the_service_even_if_that_is_killed(tmp_path):
    with service_with(tmp_path) as (running, _):
        workers = running.workers()
        running.process.kill()
        running.process.wait()
        until(lambda: all(map(ended, workers)))


def ended(process):
    """Whether a process is gone, or its parent has yet to know."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in {"Z", "X"}


@pytest.fixture
def own(tmp_path, contract):
    """A service and a store to do harm to, a player there, and a way to watch."""
    with (
        service_with(tmp_path) as (running, store),
        watching(running, contract) as watch,
        over_http(running.port) as send,
    ):
        yield Own(running, store, Api(send, contract).new_game("astrocyte"), watch)


class Own(NamedTuple):
    service: Service
    store: StoreServer
    player: Player
    watch: Callable[..., Stream]


def test_a_worker_that_was_killed_is_replaced_and_watchers_come_back(own, contract):
    stream = own.watch(own.player)
    assert stream.next()["version"] == 1
    for worker in own.service.workers():
        os.kill(worker, signal.SIGKILL)
    assert stream.next() is None
    until(lambda: own.service.answers("/livez"))
    with over_http(own.service.port) as send:
        own.player.api = Api(send, contract)
        own.player.play("deal")
    told = own.watch(own.player, Last_Event_ID="1").next()
    assert (told["version"], told["moves"]) == (2, ["deal"])


def test_streams_outlive_a_store_that_is_away_for_a_while(own):
    stream = own.watch(own.player)
    assert stream.next()["version"] == 1
    own.store.stop()
    own.store.start()
    assert own.player.play("deal").status == 200
    told = stream.next()
    assert (told["version"], told["game"]) == (2, own.player.game)


def test_watchers_who_hang_up_at_once_leave_room_for_those_who_stay(api, service, watch):
    """There are more of them than may watch from one address, in all workers together."""
    player = api.new_game("astrocyte")
    head = f"GET {player.path}/events HTTP/1.1\r\nHost: x\r\nAccept: {EVENTS}\r\n\r\n"
    for _ in range(2 * DEFAULT_WATCHER_LIMITS.an_address + 50):
        with socket.create_connection(("127.0.0.1", service.port)) as wire:
            wire.sendall(head.encode())
    until(lambda: api.get(f"{player.path}/events?wait=0").status == 200)
    stream = watch(player)
    assert stream.next()["version"] == 1
    player.play("deal")
    assert stream.next()["version"] == 2

"""Watching over real sockets: the service tells what happens while it happens, at one address."""

import http.client
import json
import os
import signal
import socket
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from service.play.watcher_slots import DEFAULT_WATCHER_LIMITS
from tests.support.api import Player, api_at
from tests.support.servers import Service, StoreServer, until, valkey_9
from tests.support.streams import EVENTS, LINES, STREAMS, watching


@pytest.fixture
def watch(service, contract):
    """Begins to watch a game of the running service."""
    with watching(service, contract) as begin:
        yield begin


class Own(NamedTuple):
    """A service and a store to do harm to, and a player there."""

    service: Service
    store: StoreServer
    player: Player


@contextmanager
def own_service(folder, contract, **environ):
    (folder / "data").mkdir()
    with (
        StoreServer(valkey_9(), folder / "data") as store,
        Service(store.url, folder / "log", **environ) as running,
        api_at(running.port, contract) as api,
    ):
        yield Own(running, store, api.new_game("astrocyte"))


@pytest.fixture
def own(tmp_path, contract):
    with own_service(tmp_path, contract) as running:
        yield running


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


def test_no_more_may_watch_than_there_is_room_for_and_who_leaves_makes_room(tmp_path, contract):
    few = {"ASTERISM_WORKERS": "1", "ASTERISM_WATCHERS": "3"}
    with (
        own_service(tmp_path, contract, **few) as own,
        watching(own.service, contract) as watch,
    ):
        streams = [watch(own.player) for _ in range(3)]
        for stream in streams:
            stream.next()
        api, path = own.player.api, own.player.path
        refused = api.get(f"{path}/events")
        assert (refused.status, refused.code) == (429, "too-many-watchers")
        assert (refused.json["limit"], "here" in refused.json["detail"]) == (3, True)
        assert refused.headers["Retry-After"]
        assert own.player.play("deal").status == 200
        streams[0].close()
        until(lambda: api.get(f"{path}/events?wait=0").status == 200)


def test_streams_end_in_good_order_when_the_service_stops(own, contract):
    with watching(own.service, contract) as watch:
        streams = [watch(own.player, form) for form in (EVENTS, LINES) for _ in range(5)]
        for stream in streams:
            stream.next()
        began = time.monotonic()
        own.service.process.terminate()
        assert [stream.next() for stream in streams] == [None] * 10
        own.service.process.wait(20)
        assert time.monotonic() - began < 15
        own.service.start()
        with api_at(own.service.port, contract) as own.player.api:
            own.player.play("deal")
        assert watch(own.player, Last_Event_ID="1").next()["version"] == 2


def test_workers_end_with_the_service_even_if_that_is_killed(own):
    workers = own.service.workers()
    own.service.process.kill()
    own.service.process.wait()
    until(lambda: all(map(ended, workers)))


def ended(process):
    """Whether a process is gone, or its parent has yet to know."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in {"Z", "X"}


def test_a_worker_that_was_killed_is_replaced_and_watchers_come_back(own, contract):
    with watching(own.service, contract) as watch:
        stream = watch(own.player)
        assert stream.next()["version"] == 1
        for worker in own.service.workers():
            os.kill(worker, signal.SIGKILL)
        assert stream.next() is None
        until(lambda: own.service.answers("/livez"))
        with api_at(own.service.port, contract) as own.player.api:
            own.player.play("deal")
        told = watch(own.player, Last_Event_ID="1").next()
    assert (told["version"], told["moves"]) == (2, ["deal"])


def test_streams_outlive_a_store_that_is_away_for_a_while(own, contract):
    with watching(own.service, contract) as watch:
        stream = watch(own.player)
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

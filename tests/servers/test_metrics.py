"""What Prometheus is told, at an address of its own, of all that the processes do together."""

import http.client
import os
import signal
import socket
from collections import Counter
from contextlib import closing, contextmanager

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.api import Player, api_at
from tests.support.ports import free_port
from tests.support.servers import Service, until
from tests.support.streams import watching


class Scraped(Service):
    """A service that tells its metrics, and what it tells."""

    def __init__(self, store_url, folder):
        self.address = ("127.0.0.1", free_port())
        self.folder = folder
        place = "{}:{}".format(*self.address)
        settings = {"ASTERISM_METRICS": place, "ASTERISM_LIMITS": "off", "TMPDIR": str(folder)}
        super().__init__(store_url, folder / "log", **settings)

    def text(self):
        with closing(http.client.HTTPConnection(*self.address, timeout=10)) as connection:
            connection.request("GET", "/metrics")
            return connection.getresponse().read().decode()

    def samples(self, name):
        """The values of a metric, by those of its labels in the order of their names."""
        return {
            tuple(value for _, value in sorted(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(self.text())
            for sample in family.samples
            if sample.name == f"asterism_{name}"
        }

    @contextmanager
    def growing(self, **expected):
        """Asserts by how much the values of these metrics grow meanwhile."""
        before = {name: self.samples(name) for name in expected}
        yield
        for name, growth in expected.items():
            grown = Counter(self.samples(name))
            grown.subtract(before[name])
            assert {labels: value for labels, value in grown.items() if value} == growth


@pytest.fixture(scope="module")
def scraped(valkey, tmp_path_factory):
    with Scraped(valkey.url, tmp_path_factory.mktemp("scraped")) as running:
        yield running


@pytest.fixture
def api(scraped, contract):
    with api_at(scraped.port, contract) as client:
        yield client


def test_requests_are_counted_by_the_template_of_their_route_over_all_workers(scraped, contract):
    counted = {
        ("POST", "/v1/games", "201"): 20,
        ("POST", "/v1/games/{game_id}/moves", "409"): 20,
    }
    with scraped.growing(requests_total=counted):
        for _ in range(20):  # each over a connection of its own, which any worker may take
            with api_at(scraped.port, contract) as api:
                api.new_game("binary-star").play("t1t1")


def test_what_clients_choose_freely_makes_no_new_series(scraped, api):
    def send(number):
        api.get(f"/v1/nowhere/{number}")
        api.get(f"/v1/games/none{number}")
        api.request("OPTIONS", "/v1/games", Request_Id=f"id-{number}")

    send(0)
    before = scraped.text().count("\n")
    for number in range(20):
        send(number)
    assert scraped.text().count("\n") == before
    with scraped.growing(requests_total={("other", "none", "405"): 1}):
        assert api.request("BREW", "/v1/games").status == 405


def test_refused_moves_are_counted_by_rule_and_conflicts_by_code(scraped, api):
    with scraped.growing(
        refused_moves_total={("same-pile", "astrocyte"): 1},
        problems_total={("illegal-move",): 1, ("version-conflict",): 1},
    ):
        player = api.new_game("astrocyte")
        player.play("t1t1")
        player.post("undo", {"version": 7})


def test_games_are_counted_as_they_begin_and_end_and_not_when_a_request_is_repeated(scraped, api):
    writes = ("created", "moved", "undone", "redone", "resigned")
    with scraped.growing(
        games_created_total={("sealed", "astrocyte"): 1},
        games_ended_total={("resigned", "astrocyte"): 1},
        writes_total={(kind, "astrocyte"): 1 for kind in writes},
    ):
        for _ in range(2):
            key = {"Idempotency_Key": "the-same-key-twice"}
            made = api.post("/v1/games", {"variant": "astrocyte"}, **key).json
        player = Player(api, made["game"], made["play_token"])
        player.play("deal")
        player.undo()
        player.redo()
        player.resign()


def test_the_time_of_store_and_hints_is_counted(scraped, api):
    with scraped.growing(
        store_seconds_count={("save",): 2, ("load_line",): 1},
        hint_seconds_count={("binary-star",): 1},
    ):
        api.new_game("binary-star", 1).post("hint", {"version": 1})


def test_a_request_that_cannot_be_read_is_counted_as_a_problem(scraped):
    with (
        scraped.growing(problems_total={("bad-request",): 1}),
        socket.create_connection(("127.0.0.1", scraped.port), timeout=10) as wire,
    ):
        wire.sendall(b"GET / HTTP/1.1\r\nHost : x\r\n\r\n")
        assert wire.recv(65_536).startswith(b"HTTP/1.1 400")


def test_open_streams_are_counted_and_no_longer_when_they_have_ended(scraped, api, contract):
    player = api.new_game("astrocyte")
    with watching(scraped, contract) as watch:
        watch(player)
        watch(player)
        until(lambda: scraped.samples("streams_open") == {(): 2})
    until(lambda: scraped.samples("streams_open") == {(): 0})


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_of_workers_that_have_ended_counts_stay_and_streams_go(valkey, tmp_path, contract, end):
    with Scraped(valkey.url, tmp_path) as own:
        with api_at(own.port, contract) as api:
            player = api.new_game("astrocyte")
        with watching(own, contract) as watch:
            watch(player)
            until(lambda: own.samples("streams_open") == {(): 1})
            for worker in own.workers():
                os.kill(worker, end)
            until(lambda: own.samples("streams_open") == {(): 0})
        assert own.samples("games_created_total") == {("sealed", "astrocyte"): 1}
    assert not list(tmp_path.glob("asterism-*")), "what was counted is gone with the service"


def test_the_public_address_tells_no_metrics(api, scraped):
    assert api.get("/metrics").status == 404
    assert 'asterism_build_info{version="' in scraped.text()


def test_a_process_that_was_killed_as_it_began_to_count_disturbs_nobody(scraped, api):
    counted = next(scraped.folder.glob("asterism-*/counter_*.db"))
    (counted.parent / "counter_1.db").touch()
    api.get("/livez")
    assert ("GET", "/livez", "200") in scraped.samples("requests_total")

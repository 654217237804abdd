"""What Prometheus is told, at an address of its own, of all that the processes do together."""

import http.client
import os
import signal
from collections.abc import Mapping
from contextlib import closing

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.api import Api, over_http
from tests.support.ports import free_port
from tests.support.servers import Service, until
from tests.support.streams import watching


class Scraped:
    """A service that tells its metrics, and what it tells."""

    def __init__(self, store_url: str, log, **environ) -> None:
        self.address = ("127.0.0.1", free_port())
        place = "{}:{}".format(*self.address)
        self.service = Service(
            store_url, log, ASTERISM_METRICS=place, ASTERISM_LIMITS="off", **environ
        )

    def text(self) -> str:
        with closing(http.client.HTTPConnection(*self.address, timeout=10)) as connection:
            connection.request("GET", "/metrics")
            return connection.getresponse().read().decode()

    def samples(self, name: str) -> dict[tuple[str, ...], float]:
        """The values of a metric, by those of its labels in the order of their names."""
        return {
            tuple(value for _, value in sorted(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(self.text())
            for sample in family.samples
            if sample.name == name
        }

    def grown(self, name: str, before: Mapping[tuple[str, ...], float]):
        """By how much each value of a metric has grown."""
        now = self.samples(name)
        return {
            labels: value - before.get(labels, 0)
            for labels, value in now.items()
            if value > before.get(labels, 0)
        }


@pytest.fixture(scope="module")
def scraped(valkey, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scraped")
    running = Scraped(valkey.url, folder / "log", TMPDIR=str(folder))
    running.folder = folder
    yield running
    running.service.stop()


@pytest.fixture
def scraped_api(scraped, contract):
    with over_http(scraped.service.port) as transport:
        yield Api(transport, contract)


def test_requests_are_counted_by_the_template_of_their_route_over_all_workers(scraped, contract):
    before = scraped.samples("asterism_requests_total")
    for _ in range(20):  # each over a connection of its own, which any worker may take
        with over_http(scraped.service.port) as transport:
            Api(transport, contract).new_game("binary-star").play("t1t1")
    assert scraped.grown("asterism_requests_total", before) == {
        ("POST", "/v1/games", "201"): 20,
        ("POST", "/v1/games/{game_id}/moves", "409"): 20,
    }


def test_what_clients_choose_freely_makes_no_new_series(scraped, scraped_api):
    scraped_api.get("/v1/nowhere")
    scraped_api.get("/v1/games/none")
    scraped_api.request("OPTIONS", "/v1/games")
    before = scraped.text().count("\n")
    for number in range(20):
        scraped_api.get(f"/v1/nowhere/{number}")
        scraped_api.get(f"/v1/games/none{number}")
        scraped_api.request("OPTIONS", "/v1/games", Request_Id=f"id-{number}")
    assert scraped.text().count("\n") == before


def test_a_method_of_no_name_is_counted_as_other(scraped, scraped_api):
    before = scraped.samples("asterism_requests_total")
    assert scraped_api.request("BREW", "/v1/games").status == 405
    assert scraped.grown("asterism_requests_total", before) == {("other", "none", "405"): 1}


def test_refused_moves_are_counted_by_rule_and_conflicts_by_code(scraped, scraped_api):
    refused, problems = (
        scraped.samples(name)
        for name in ("asterism_refused_moves_total", "asterism_problems_total")
    )
    player = scraped_api.new_game("astrocyte")
    player.play("t1t1")
    player.post("undo", {"version": 7})
    assert scraped.grown("asterism_refused_moves_total", refused) == {("same-pile", "astrocyte"): 1}
    assert scraped.grown("asterism_problems_total", problems) == {
        ("illegal-move",): 1,
        ("version-conflict",): 1,
    }


def test_games_are_counted_as_they_begin_and_end(scraped, scraped_api):
    created, ended, writes = (
        scraped.samples(f"asterism_{name}_total")
        for name in ("games_created", "games_ended", "writes")
    )
    player = scraped_api.new_game("astrocyte")
    player.play("deal")
    player.undo()
    player.redo()
    player.resign()
    assert scraped.grown("asterism_games_created_total", created) == {("sealed", "astrocyte"): 1}
    assert scraped.grown("asterism_games_ended_total", ended) == {("resigned", "astrocyte"): 1}
    assert scraped.grown("asterism_writes_total", writes) == {
        (kind, "astrocyte"): 1 for kind in ("created", "moved", "undone", "redone", "resigned")
    }


def test_a_request_that_is_sent_again_is_counted_as_a_request_and_as_no_game(scraped, scraped_api):
    before = scraped.samples("asterism_games_created_total")
    for _ in range(2):
        body = {"variant": "astrocyte", "label": "again"}
        scraped_api.post("/v1/games", body, Idempotency_Key="the-same-key-twice")
    assert scraped.grown("asterism_games_created_total", before) == {("sealed", "astrocyte"): 1}


def test_the_time_of_store_and_hints_is_counted(scraped, scraped_api):
    names = ("asterism_store_seconds_count", "asterism_hint_seconds_count")
    store, hints = map(scraped.samples, names)
    player = scraped_api.new_game("binary-star", 1)
    player.post("hint", {"version": 1})
    assert scraped.grown(names[0], store) == {
        ("save",): 2,
        ("load_line",): 1,
    }
    assert scraped.grown(names[1], hints) == {("binary-star",): 1}


def test_open_streams_are_counted_and_no_longer_when_they_have_ended(scraped, api, contract):
    with over_http(scraped.service.port) as transport:
        player = Api(transport, contract).new_game("astrocyte")
    with watching(scraped.service, contract) as watch:
        watch(player)
        watch(player)
        until(lambda: scraped.samples("asterism_streams_open") == {(): 2})
    until(lambda: scraped.samples("asterism_streams_open") == {(): 0})


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_of_workers_that_have_ended_counts_stay_and_streams_go(valkey, tmp_path, contract, end):
    own = Scraped(valkey.url, tmp_path / "log", TMPDIR=str(tmp_path))
    try:
        with over_http(own.service.port) as transport:
            player = Api(transport, contract).new_game("astrocyte")
        with watching(own.service, contract) as watch:
            watch(player)
            until(lambda: own.samples("asterism_streams_open") == {(): 1})
            for worker in own.service.workers():
                os.kill(worker, end)
            until(lambda: own.samples("asterism_streams_open") == {(): 0})
        assert own.samples("asterism_games_created_total") == {("sealed", "astrocyte"): 1}
    finally:
        own.service.stop()
    assert not list(tmp_path.glob("asterism-*")), "what was counted is gone with the service"


def test_the_public_address_tells_no_metrics(scraped_api, scraped):
    assert scraped_api.get("/metrics").status == 404
    assert 'asterism_build_info{version="' in scraped.text()


def test_a_process_that_was_killed_as_it_began_to_count_disturbs_nobody(scraped, scraped_api):
    counted = next(scraped.folder.glob("asterism-*/counter_*.db"))
    (counted.parent / "counter_1.db").touch()
    scraped_api.get("/livez")
    assert ("GET", "/livez", "200") in scraped.samples("asterism_requests_total")

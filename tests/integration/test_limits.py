"""Limits hold for the service as a whole, whoever of its workers answers, store or no store."""

import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api import Api, over_http
from tests.servers import Service, StoreServer, valkey_9


@pytest.fixture
def store(tmp_path):
    running = StoreServer(valkey_9(), tmp_path)
    yield running
    running.stop()


@pytest.fixture
def service(store, tmp_path):
    running = Service(
        store.url,
        tmp_path / "log",
        ASTERISM_WORKERS="4",
        ASTERISM_PROXIES="1",
        ASTERISM_LIMITS="creation=20 reads=10 streams=3",
    )
    yield running
    running.stop()


def each_on_a_connection_of_its_own(service, contract, ask, times):
    """The statuses of the answers to `ask`, sent so often, and counted."""
    statuses = Counter()
    for _ in range(times):
        with over_http(service.port) as transport:
            statuses[ask(Api(transport, contract)).status] += 1
    return statuses


def test_all_workers_count_together(service, contract):
    def create(api):
        return api.post("/v1/games", {"variant": "astrocyte"}, X_Forwarded_For="192.0.2.1")

    assert each_on_a_connection_of_its_own(service, contract, create, 30) == {201: 20, 429: 10}


def test_the_process_that_tells_events_counts_addresses_in_the_same_way(service, contract):
    with over_http(service.port) as transport:
        player = Api(transport, contract).new_game("astrocyte")

    def watch(api):
        claimed = "1.2.3.4, 192.0.2.1"
        return api.get(f"{player.path}/events?wait=0", X_Forwarded_For=claimed)

    assert each_on_a_connection_of_its_own(service, contract, watch, 5) == {200: 3, 429: 2}


def test_limits_need_no_store(service, store, contract):
    store.kill()

    def read(api):
        return api.get("/v1/variants", X_Forwarded_For="192.0.2.1")

    assert each_on_a_connection_of_its_own(service, contract, read, 12) == {200: 10, 429: 2}
    store.start()


# Those who think


HARD = 1307
"""A deal of Binary Star whose first hint takes all the thought that a hint may take."""


@pytest.fixture
def busy(store, tmp_path):
    running = Service(store.url, tmp_path / "log", ASTERISM_LIMITS="off")
    yield running
    running.stop()


def test_moves_are_answered_while_fifty_ask_for_hints(busy, contract):
    def advised(start):
        with over_http(busy.port) as transport:
            player = Api(transport, contract).new_game("binary-star", HARD)
            start.wait()
            while (answer := player.post("hint", {"version": 1})).status == 503:
                refused.append((answer.code, answer.headers["Retry-After"]))
                time.sleep(random.uniform(0.1, 0.5))
            return answer.status

    refused = []
    start = threading.Barrier(51)
    with ThreadPoolExecutor(50) as crowd, over_http(busy.port) as transport:
        hints = [crowd.submit(advised, start) for _ in range(50)]
        player = Api(transport, contract).new_game("astrocyte", 1)
        start.wait()
        for _ in range(40):
            assert player.play(player.game["legal_moves"][0]).status == 200
        unanswered = [hint for hint in hints if not hint.done()]
        assert {hint.result() for hint in hints} == {200}
    assert unanswered, "the moves were played while some still waited for their hints"
    assert set(refused) == {("too-many-searches", "1")}

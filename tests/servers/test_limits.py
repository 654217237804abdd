"""Each worker counts for itself, store or no store."""

import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.api import Api, api_at, over_http
from tests.support.servers import Service, StoreServer, valkey_9


@pytest.fixture
def store(tmp_path):
    running = StoreServer(valkey_9(), tmp_path)
    yield running
    running.stop()


@pytest.fixture
def service(store, tmp_path):
    """A service of two workers, at a minute that goes on for as long as a test takes."""
    running = Service(
        store.url,
        tmp_path / "log",
        ASTERISM_WORKERS="2",
        ASTERISM_PROXIES="1",
        ASTERISM_LIMITS="creation=20 reads=10 streams=3",
    )
    left = 60 - time.time() % 60
    time.sleep(left if left < 15 else 0)
    yield running
    running.stop()


def each_on_a_connection_of_its_own(service, contract, ask, times):
    """The statuses of the answers to `ask`, sent so often, and counted."""
    statuses = Counter()
    for _ in range(times):
        with over_http(service.port) as transport:
            statuses[ask(Api(transport, contract)).status] += 1
    return statuses


def create(api):
    return api.post("/v1/games", {"variant": "astrocyte"}, X_Forwarded_For="192.0.2.1")


def test_a_worker_lets_no_request_too_many_through(service, contract):
    with api_at(service.port, contract) as api:  # a connection stays with its worker
        statuses = [create(api).status for _ in range(25)]
    assert statuses == [201] * 20 + [429] * 5


def test_two_workers_let_through_at_most_twice_as_much(service, contract):
    statuses = each_on_a_connection_of_its_own(service, contract, create, 60)
    assert set(statuses) == {201, 429}
    assert 20 <= statuses[201] <= 40


def test_what_a_client_claims_makes_nobody_else_of_it(service, contract):
    with api_at(service.port, contract) as api:
        player = api.new_game("astrocyte")
        statuses = [
            api.get(
                f"{player.path}/events?wait=0", X_Forwarded_For=f"192.0.2.{n}, 203.0.113.9:{n}"
            ).status
            for n in range(1, 6)
        ]
    assert statuses == [200, 200, 200, 429, 429]


def test_limits_need_no_store(service, store, contract):
    store.kill()
    with api_at(service.port, contract) as api:
        statuses = [api.get("/v1/variants", X_Forwarded_For="192.0.2.1").status for _ in range(12)]
    assert statuses == [200] * 10 + [429] * 2
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
        with api_at(busy.port, contract) as api:
            player = api.new_game("binary-star", HARD)
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

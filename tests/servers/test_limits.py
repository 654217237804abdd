"""Each worker counts for itself, store or no store."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.api import api_at
from tests.support.servers import Service, StoreServer, valkey_9


@pytest.fixture
def store(tmp_path):
    with StoreServer(valkey_9(), tmp_path) as running:
        yield running


@pytest.fixture
def service(store, tmp_path):
    """A service of two workers, at a minute that goes on for as long as a test takes."""
    limits = {"ASTERISM_WORKERS": "2", "ASTERISM_LIMITS": "creation=20 reads=10"}
    with Service(store.url, tmp_path / "log", **limits) as running:
        left = 60 - time.time() % 60
        time.sleep(left if left < 15 else 0)
        yield running


def create(api):
    return api.post("/v1/games", {"variant": "astrocyte"}).status


def test_a_worker_lets_no_request_too_many_through_and_two_at_most_twice_as_many(service, contract):
    with api_at(service.port, contract) as api:  # a connection stays with its worker
        statuses = [create(api) for _ in range(25)]
    assert statuses == [201] * 20 + [429] * 5
    for _ in range(60):  # each over a connection of its own
        with api_at(service.port, contract) as api:
            statuses.append(create(api))
    assert set(statuses) == {201, 429}
    assert statuses.count(201) <= 40


def test_limits_need_no_store(service, store, contract):
    store.kill()
    with api_at(service.port, contract) as api:
        statuses = [api.get("/v1/variants").status for _ in range(12)]
    assert statuses == [200] * 10 + [429] * 2


# Those who think


HARD = 1307
"""A deal of Binary Star whose first hint takes all the thought that a hint may take."""


def test_moves_are_answered_while_fifty_ask_for_hints(store, tmp_path, contract):
    choice, refused, start = random.Random(1), [], threading.Barrier(51)

    def advised(port):
        with api_at(port, contract) as api:
            player = api.new_game("binary-star", HARD)
            start.wait()
            while (answer := player.post("hint", {"version": 1})).status == 503:
                refused.append((answer.code, answer.headers["Retry-After"]))
                time.sleep(choice.uniform(0.1, 0.5))
            return answer.status

    with (
        Service(store.url, tmp_path / "log", ASTERISM_LIMITS="off") as busy,
        ThreadPoolExecutor(50) as crowd,
        api_at(busy.port, contract) as api,
    ):
        hints = [crowd.submit(advised, busy.port) for _ in range(50)]
        player = api.new_game("astrocyte", 1)
        start.wait()
        for _ in range(40):
            assert player.play(player.game["legal_moves"][0]).status == 200
        unanswered = [hint for hint in hints if not hint.done()]
        assert {hint.result() for hint in hints} == {200}
    assert unanswered, "the moves were played while some still waited for their hints"
    assert set(refused) == {("too-many-searches", "1")}

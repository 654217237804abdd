"""`asterism sweep` enters results anew: beside the service, or on its own store without it."""

import subprocess
import sys

import pytest

from tests.support.api import api_at
from tests.support.servers import Service, StoreServer, until, valkey_9

LABEL = "swept"
SWEPT = "2 games, 1 of them ended: their results are recorded\n"


@pytest.fixture
def valkey(tmp_path):
    """A Valkey server of which nobody else knows."""
    with StoreServer(valkey_9(), tmp_path) as running:
        yield running


def sweep(**environ):
    return subprocess.run(
        [sys.executable, "-m", "service", "sweep"],
        env={"PATH": "", **environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def play_two(api):
    """One game that is given up, and one that goes on."""
    api.new_game("astrocyte", 7, label=LABEL).resign()
    return api.new_game("astrocyte", 7, label=LABEL)


def forget_results(valkey):
    with valkey.client() as client:
        client.delete(*client.scan_iter("ast:list*"))


def games_told(api):
    (item,) = api.get(f"/v1/stats?variant=astrocyte&label={LABEL}").json["items"]
    return item["figures"]["all"]["games"]


def test_a_sweep_or_a_start_of_the_service_enters_what_is_missing(valkey, contract, tmp_path):
    with Service(valkey.url, tmp_path / "log") as service:
        with api_at(service.port, contract) as api:
            play_two(api)
            forget_results(valkey)
            assert games_told(api) == 0
            for _ in range(2):
                done = sweep(REDIS_URL=valkey.url)
                assert (done.returncode, done.stdout, done.stderr) == (0, SWEPT, "")
                assert games_told(api) == 1
        service.stop()
        forget_results(valkey)
        service.start()
        with api_at(service.port, contract) as api:
            until(lambda: games_told(api) == 1)


def test_a_service_that_starts_on_a_store_that_may_delete_games_says_so(tmp_path):
    evicting = ("--maxmemory", "200mb", "--maxmemory-policy", "allkeys-lru")
    with (
        StoreServer(valkey_9(), tmp_path, *evicting) as store,
        Service(store.url, tmp_path / "log") as service,
    ):
        until(lambda: "the policy is allkeys-lru" in service.log.read_text())
        assert "Warning: " in service.log.read_text()


def test_games_that_cannot_be_read_are_told_and_left_as_they_are(valkey):
    key = f"ast:{{{'a' * 26}}}:game"
    with valkey.client() as client:
        client.set(key, "{}")
        done = sweep(REDIS_URL=valkey.url)
        assert done.returncode == 0
        assert "unreadable games, left unchanged: 1" in done.stdout
        assert client.get(key) == b"{}"


def test_the_store_of_the_service_is_swept_while_the_service_is_not_running(tmp_path, contract):
    data = str(tmp_path / "data")
    with (
        Service("", tmp_path / "log", ASTERISM_DATA=data) as service,
        api_at(service.port, contract) as api,
    ):
        play_two(api)
        busy = sweep(ASTERISM_DATA=data)
        assert busy.returncode == 1
        assert busy.stderr.startswith("Error: Another service uses the data folder")
    assert sweep(ASTERISM_DATA=data).stdout == SWEPT


def test_a_store_that_is_not_there_is_told_in_a_line():
    away = sweep(REDIS_URL="redis://127.0.0.1:1")
    assert (away.returncode, away.stdout) == (1, "")
    assert away.stderr == "Error: The store did not answer in time. Try again shortly.\n"

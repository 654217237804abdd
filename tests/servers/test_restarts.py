"""Nothing is lost when store or service stop between two moves, or in the middle of many."""

import shutil
import signal
import subprocess
import sys

import pytest

from tests.support.api import Api, over_http
from tests.support.ports import free_port
from tests.support.servers import Service, StoreServer, redis_7, valkey_9


@pytest.fixture(params=["Redis 7", "Valkey 9"])
def own_store(request, tmp_path):
    """A store server that a test may stop."""
    folder = tmp_path / "data"
    folder.mkdir()
    binary = {"Redis 7": redis_7, "Valkey 9": valkey_9}[request.param]()
    running = StoreServer(binary, folder, "--appendfsync", "always")
    yield running
    running.stop()


@pytest.fixture
def own_service(own_store, tmp_path):
    """A service that a test may stop."""
    running = Service(own_store.url, tmp_path / "service.log")
    yield running
    running.stop()


@pytest.fixture
def own_api(own_service, contract):
    """A client that makes a new connection when the old one is gone."""
    with over_http(own_service.port) as transport:
        yield Api(transport, contract)


def test_a_game_goes_on_after_the_store_was_killed_and_started_again(own_api, own_store):
    player = own_api.new_game("astrocyte")
    player.play("deal")
    before = player.read().json
    own_store.kill()
    own_store.start()
    assert player.read().json == before
    assert player.undo().status == 200
    assert player.redo().status == 200
    assert player.game["piles"] == before["piles"]


def test_a_game_goes_on_after_the_service_was_started_again(own_api, own_service, contract):
    player = own_api.new_game("astrocyte")
    player.play("deal")
    before = player.read().json
    own_service.stop()
    own_service.start()
    with over_http(own_service.port) as transport:
        player.api = Api(transport, contract)
        assert player.read().json == before
        assert player.play(before["legal_moves"][0]).status == 200


def test_while_the_store_is_away_the_service_says_so_and_serves_again_by_itself(own_api, own_store):
    player = own_api.new_game("binary-star", 1)
    own_store.kill()
    try:
        assert own_api.get("/livez").status == 200
        assert own_api.get("/readyz").status == 503
        for answer in (
            player.read(),
            player.play("t1f1"),
            own_api.post("/v1/games", {"variant": "astrocyte"}),
        ):
            assert (answer.status, answer.code) == (503, "store-unavailable")
            assert answer.headers["Retry-After"]
    finally:
        own_store.start()
    assert own_api.get("/readyz").status == 200
    assert player.read().json["version"] == 1


def test_a_store_that_hangs_for_a_while_is_waited_for(own_api, own_store):
    player = own_api.new_game("binary-star", 1)
    own_store.pause()
    try:
        assert own_api.get("/livez").status == 200
        assert own_api.get("/readyz").status == 503
        answer = player.play(player.game["legal_moves"][0])
        assert answer.status == 503
    finally:
        own_store.resume()
    version = player.read().json["version"]
    assert version in (1, 2), "an unanswered move may have been applied once"
    assert player.game["ply"] == version - 1


def test_a_move_whose_answer_from_the_store_was_lost_is_applied_once(own_api, own_store):
    player = own_api.new_game("astrocyte", 1)
    client = own_store.client()
    for turn in range(60):
        if turn % 3 == 0:
            client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        assert player.play(player.game["legal_moves"][0]).status == 200
    assert player.version == 61
    assert len(own_api.get(f"{player.path}/moves").json["items"]) == 60


def test_a_full_store_is_said_to_be_full_and_loses_nothing(own_api, own_store):
    player = own_api.new_game("binary-star", 1)
    client = own_store.client()
    client.config_set("maxmemory-policy", "noeviction")
    client.config_set("maxmemory", "1")
    answer = player.play(player.game["legal_moves"][0])
    assert (answer.status, answer.code) == (503, "store-unavailable")
    assert "full" in answer.json["detail"]
    assert player.read().json["version"] == 1
    client.config_set("maxmemory", "0")
    assert player.play(player.game["legal_moves"][0]).status == 200


def test_a_read_only_store_is_said_to_be_so(own_api, own_store):
    player = own_api.new_game("binary-star", 1)
    client = own_store.client()
    client.replicaof("127.0.0.1", free_port())
    answer = player.play(player.game["legal_moves"][0])
    assert (answer.status, answer.code) == (503, "store-unavailable")
    client.replicaof("NO", "ONE")
    assert player.play(player.game["legal_moves"][0]).status == 200


@pytest.fixture
def folder(tmp_path):
    """A data folder of the service's own."""
    yield tmp_path / "a rather long name for a folder, as they come" / ("x" * 40)
    shutil.rmtree(tmp_path, ignore_errors=True)


def test_on_its_own_store_the_service_keeps_games_and_tokens_across_restarts(
    folder, contract, tmp_path
):
    service = Service("", tmp_path / "log", ASTERISM_DATA=str(folder), ASTERISM_SERVER_KEY="")
    with over_http(service.port) as transport:
        player = Api(transport, contract).new_game("astrocyte")
        player.play("deal")
        before = player.read().json
    service.stop()
    assert (folder / "server.key").stat().st_mode & 0o777 == 0o600
    service.start()
    try:
        with over_http(service.port) as transport:
            player.api = Api(transport, contract)
            assert player.read().json == before
            assert player.undo().status == 200
    finally:
        service.stop()


def test_the_store_of_its_own_ends_with_the_service_even_if_that_is_killed(folder, tmp_path):
    service = Service("", tmp_path / "log", ASTERISM_DATA=str(folder))
    lock = folder / "lock"
    assert lock.exists()
    service.process.kill()
    service.process.wait()
    again = Service("", tmp_path / "log2", ASTERISM_DATA=str(folder))
    again.stop()


def test_two_services_do_not_share_one_data_folder(folder, tmp_path):
    first = Service("", tmp_path / "log", ASTERISM_DATA=str(folder))
    try:
        second = subprocess.run(
            [sys.executable, "-m", "service", "serve"],
            env={"PATH": "", "ASTERISM_DATA": str(folder), "PORT": str(free_port())},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    finally:
        first.stop()
    assert second.returncode == 1
    assert "Another service uses the data folder" in second.stderr
    assert "Traceback" not in second.stderr


def test_ctrl_c_ends_the_service_and_its_store_with_130(folder, tmp_path):
    service = Service("", tmp_path / "log", ASTERISM_DATA=str(folder))
    service.process.send_signal(signal.SIGINT)
    assert service.process.wait(20) == 130
    assert "Traceback" not in service.log.read_text()
    Service("", tmp_path / "log", ASTERISM_DATA=str(folder)).stop()


def test_a_port_that_is_taken_is_said_to_be_so(service):
    taken = subprocess.run(
        [sys.executable, "-m", "service", "serve"],
        env={"PATH": "", "REDIS_URL": "redis://127.0.0.1:1", "PORT": str(service.port)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert taken.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{service.port}" in taken.stderr
    assert "Traceback" not in taken.stderr

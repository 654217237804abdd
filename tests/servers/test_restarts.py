"""Nothing is lost when store or service stop between two moves, or in the middle of many."""

import signal
import subprocess
import sys
from typing import NamedTuple

import pytest

from tests.support.api import Api, api_at
from tests.support.ports import free_port
from tests.support.servers import Service, StoreServer, redis_7, valkey_9


class Own(NamedTuple):
    """A store and a service that a test may stop, and a client of theirs."""

    store: StoreServer
    service: Service
    api: Api


@pytest.fixture(params=[redis_7, valkey_9])
def own(request, tmp_path, contract):
    (tmp_path / "data").mkdir()
    with (
        StoreServer(request.param(), tmp_path / "data", "--appendfsync", "always") as store,
        Service(store.url, tmp_path / "service.log") as service,
        api_at(service.port, contract) as api,
    ):
        yield Own(store, service, api)


def test_a_game_goes_on_after_store_or_service_was_killed_and_started_again(own, contract):
    player = own.api.new_game("astrocyte")
    player.play("deal")
    before = player.read().json
    own.store.kill()
    own.store.start()
    assert player.read().json == before
    assert player.undo().status == 200
    assert player.redo().status == 200
    assert player.game["piles"] == before["piles"]
    own.service.stop()
    own.service.start()
    with api_at(own.service.port, contract) as player.api:
        assert player.read().json["piles"] == before["piles"]
        assert player.play(before["legal_moves"][0]).status == 200


def unavailable(answer):
    return (answer.status, answer.code) == (503, "store-unavailable")


def test_while_the_store_is_away_the_service_says_so_and_serves_again_by_itself(own):
    player = own.api.new_game("binary-star", 1)
    own.store.kill()
    assert own.api.get("/livez").status == 200
    assert own.api.get("/readyz").status == 503
    creation = own.api.post("/v1/games", {"variant": "astrocyte"})
    for answer in (player.read(), player.play("t1f1"), creation):
        assert unavailable(answer)
        assert answer.headers["Retry-After"]
    own.store.start()
    assert own.api.get("/readyz").status == 200
    assert player.read().json["version"] == 1


# The store that comes with the service


@pytest.fixture
def folder(tmp_path):
    """A data folder of the service's own."""
    return tmp_path / "a rather long name for a folder, as they come" / ("x" * 40)


def test_on_its_own_store_the_service_keeps_games_and_tokens_across_restarts(
    folder, contract, tmp_path
):
    own = {"ASTERISM_DATA": str(folder), "ASTERISM_SERVER_KEY": ""}
    with Service("", tmp_path / "log", **own) as service:
        with api_at(service.port, contract) as api:
            player = api.new_game("astrocyte")
            player.play("deal")
            before = player.read().json
        service.stop()
        assert (folder / "server.key").stat().st_mode & 0o777 == 0o600
        service.start()
        with api_at(service.port, contract) as player.api:
            assert player.read().json == before
            assert player.undo().status == 200


def refused(**environ):
    """What the service says that cannot start."""
    ran = subprocess.run(
        [sys.executable, "-m", "service", "serve"],
        env={"PATH": "", **environ},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    return ran.stderr


def test_two_services_do_not_share_a_data_folder_and_a_killed_one_lets_go_of_it(folder, tmp_path):
    """The store ends with its service even if that is killed."""
    own = {"ASTERISM_DATA": str(folder)}
    with Service("", tmp_path / "log", **own) as service:
        assert (folder / "lock").exists()
        said = refused(**own, PORT=str(free_port()))
        assert "Another service uses the data folder" in said
        service.process.kill()
        service.process.wait()
    Service("", tmp_path / "log2", **own).stop()


def test_ctrl_c_ends_the_service_and_its_store_with_130(folder, tmp_path):
    own = {"ASTERISM_DATA": str(folder)}
    with Service("", tmp_path / "log", **own) as service:
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(20) == 130
        assert "Traceback" not in service.log.read_text()
    Service("", tmp_path / "log", **own).stop()


def test_a_port_that_is_taken_is_said_to_be_so(service):
    said = refused(REDIS_URL="redis://127.0.0.1:1", PORT=str(service.port))
    assert f"Cannot listen on 127.0.0.1:{service.port}" in said

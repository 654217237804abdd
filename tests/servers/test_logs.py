"""The log of a running service: each line an object, and no secret in any of them."""

import json
import socket

import pytest

from tests.support.api import api_at
from tests.support.servers import SERVER_KEY, Service


@pytest.fixture
def logged(valkey, tmp_path, contract):
    """A service that logs, and a player there."""
    with (
        Service(valkey.url, tmp_path / "log", ASTERISM_LOG="json") as service,
        api_at(service.port, contract) as api,
    ):
        yield service, api.new_game("astrocyte")


def lines(service):
    service.stop()
    return [json.loads(line) for line in service.log.read_text().splitlines() if line[0] == "{"]


def test_each_request_has_one_line_and_each_refused_move_one_more(logged):
    service, player = logged
    player.play("deal", Request_Id="first")
    player.play("t1t1", Request_Id="second")
    player.api.get(f"{player.path}/events?wait=0", Request_Id="third")
    told = [line for line in lines(service) if line["request_id"] in {"first", "second", "third"}]
    assert [(line["event"], line["request_id"], line.get("status")) for line in told] == [
        ("request", "first", 200),
        ("refused-move", "second", None),
        ("request", "second", 409),
        ("request", "third", 200),
    ]
    assert {line["variant"] for line in told} == {"astrocyte"}
    assert len({line["game"] for line in told}) == 1


def test_the_log_holds_no_token_no_key_no_id_and_nothing_of_an_address(logged):
    service, player = logged
    player.api.get(f"/v1/games?play_token={player.token}")
    player.api.get(f"{player.path}/{player.token}")
    raw = f"GET / HTTP/1.1\r\nHost: x\r\nBearer {player.token}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        connection.sendall(raw.encode())
        assert b" 400 " in connection.recv(200)
    faults = [line for line in lines(service) if line["event"] == "fault"]
    assert [fault["message"] for fault in faults] == ["Invalid request from ip=127.0.0.1"]
    told = service.log.read_text()
    for secret in (player.token, player.game["id"], SERVER_KEY, "play_token"):
        assert secret not in told


def test_without_asking_no_request_is_logged(service, api):
    api.new_game("astrocyte")
    assert "event=request" not in service.log.read_text()

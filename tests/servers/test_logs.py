"""The log of a running service: each line an object; see test_secrets.py for what none tells."""

import json

import pytest

from tests.support.api import api_at
from tests.support.servers import Service


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


def test_without_asking_no_request_is_logged(service, api):
    api.new_game("astrocyte")
    assert "event=request" not in service.log.read_text()

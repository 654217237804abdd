"""More connections than a service may open files are answered, and no worker dies of them."""

import json
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.api import api_at
from tests.support.servers import Service, until

FILES = 256
CROWD = 600

LIMIT = f"""
import resource

resource.setrlimit(resource.RLIMIT_NOFILE, ({FILES}, {FILES}))
"""
"""What Python runs before all else, so that the service may not raise its limit."""


@pytest.fixture(scope="module")
def service(valkey, tmp_path_factory):
    """A service that may open few files."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "sitecustomize.py").write_text(LIMIT)
    environ = {"PYTHONPATH": str(folder), "ASTERISM_LIMITS": "off"}
    with Service(valkey.url, folder / "log", **environ) as running:
        yield running


@pytest.fixture
def workers(service):
    """Its workers, who have closed the connections of earlier tests."""
    found = service.workers()
    files = [Path(f"/proc/{worker}/fd") for worker in found]
    until(lambda: all(len(list(opened.iterdir())) < FILES // 4 for opened in files), 60)
    return found


@pytest.fixture
def crowd():
    """Opens connections that stay open, sends a request on each, and gives the answers."""
    with ExitStack() as opened:

        def answers(service, path, accept="*/*"):
            request = f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode()
            connections = []
            for _ in range(CROWD):
                connection = socket.create_connection(("127.0.0.1", service.port), timeout=30)
                connections.append(opened.enter_context(connection))
                connection.sendall(request)
            return [connection.recv(65_536) for connection in connections]

        yield answers


def statuses(answers):
    return [int(answer.split()[1]) for answer in answers]


def unharmed(service, workers):
    return service.workers() == workers and "Traceback" not in service.log.read_text()


def test_idle_connections_make_way_for_new_ones(service, workers, crowd):
    assert statuses(crowd(service, "/livez")) == [200] * CROWD
    assert unharmed(service, workers)


def test_watchers_beyond_what_there_is_room_for_are_refused(service, workers, crowd, contract):
    with api_at(service.port, contract) as api:
        player = api.new_game("astrocyte")
    answers = crowd(service, f"{player.path}/events", "text/event-stream")
    refused = set(statuses(answers)) - {200}
    assert 429 in refused
    assert refused <= {429, 503}  # 503 where connections come faster than a worker reads them
    assert unharmed(service, workers)
    with api_at(service.port, contract) as player.api:
        assert player.play("deal").status == 200


def test_connections_beyond_what_there_is_room_for_are_answered_with_a_problem(
    service, workers, contract
):
    """Each waits for what happens next, so that none is idle."""
    with ExitStack() as busy:
        for _ in range(CROWD):
            connection = socket.create_connection(("127.0.0.1", service.port), timeout=30)
            busy.enter_context(connection).sendall(
                b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n"
            )
        with socket.create_connection(("127.0.0.1", service.port), timeout=30) as one_more:
            answer = one_more.recv(65_536)
    head, _, body = answer.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    assert statuses([answer]) == [503]
    contract.check("POST", "/v1/games", 503, headers, body)
    assert (json.loads(body)["code"], headers["Retry-After"]) == ("service-unavailable", "1")
    assert "Connections are refused: this worker holds 128." in service.log.read_text()
    assert unharmed(service, workers)

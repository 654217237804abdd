"""An instance that is told to stop sends nobody away: it says so first, and then it answers."""

import http.client
import json
import signal
import threading
import time
from contextlib import ExitStack
from select import select

import pytest

from tests.http.kit import known
from tests.support.api import Api, api_at, over_http
from tests.support.servers import Service, until
from tests.support.streams import watching

SOON = 2
"""Seconds that an instance takes to leave."""


@pytest.fixture
def instance(valkey, tmp_path):
    """Starts instances that take their time to leave."""
    with ExitStack() as running:

        def start(name, **environ):
            settings = {"ASTERISM_DRAIN": str(SOON), "ASTERISM_WORKERS": "1", **environ}
            service = Service(valkey.url, tmp_path / name, ASTERISM_LIMITS="off", **settings)
            running.callback(service.stop)
            return service

        yield start


def test_readiness_goes_first_and_requests_are_answered_until_the_end(instance, contract):
    service = instance("log")
    with api_at(service.port, contract) as api:
        player = api.new_game("astrocyte")
        service.process.terminate()
        until(lambda: not service.answers("/readyz"))
        assert known(api.get("/readyz")) == (503, "leaving")
        assert api.get("/livez").status == 200
        answer = player.play("deal")
        assert (answer.status, answer.headers["Connection"]) == (200, "close")
        assert service.process.wait(60) == 0


def test_a_second_signal_ends_the_wait(instance):
    service = instance("log", ASTERISM_DRAIN="600")
    service.process.terminate()
    until(lambda: not service.answers("/readyz"))
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(60) == 0


def test_watchers_are_told_to_come_back_when_the_instance_leaves(instance, contract):
    service = instance("log")
    with over_http(service.port) as transport, watching(service, contract) as watch:
        stream = watch(Api(transport, contract).new_game("astrocyte"))
        assert stream.next()["kind"] == "snapshot"
        service.process.terminate()
        assert stream.next() is None


class Balancer:
    """The smallest that there is: sends requests to whoever has said to be ready of late.

    Where nobody has, which a busy machine can cause, it goes on with those it knew.
    """

    def __init__(self, services):
        self._services = services
        self._ready = list(services)
        self._over = threading.Event()
        self._looking = threading.Thread(target=self._look)
        self._looking.start()

    def _look(self):
        while not self._over.wait(0.2):
            ready = [service for service in self._services if service.answers("/readyz")]
            self._ready = ready or self._ready

    def knows(self, *services):
        """Whether these are the ones that it sends requests to."""
        return self._ready == list(services)

    def close(self):
        self._over.set()
        self._looking.join()

    def port(self, turn):
        return self._ready[turn % len(self._ready)].port


class Everybody:
    """Players who play through a balancer, each over connections that are kept, and never twice."""

    def __init__(self, balancer, count):
        self._balancer = balancer
        self._over = threading.Event()
        self.moves, self.lost = [0] * count, []
        self._threads = [threading.Thread(target=self._play, args=(n,)) for n in range(count)]
        for thread in self._threads:
            thread.start()

    def _play(self, number):
        kept = {}

        def post(turn, path, body, token=""):
            port = self._balancer.port(turn)
            connection = kept.pop(port, None)
            if connection is None:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            elif select([connection.sock], [], [], 0)[0]:  # the other end has hung up meanwhile
                connection.close()  # it opens again with the request
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            content = json.loads(answer.read())
            assert answer.status < 300, content
            if answer.will_close:
                connection.close()
            else:
                kept[port] = connection
            return content

        try:
            created = post(number, "/v1/games", {"variant": "astrocyte", "deal": {"number": "1"}})
            game, token = created["game"], created["play_token"]
            while not self._over.wait(0.01):
                self.moves[number] += 1
                path, body = f"/v1/games/{game['id']}", {"version": game["version"]}
                if game["ply"]:
                    game = post(self.moves[number], f"{path}/undo", body, token)["game"]
                else:
                    body["moves"] = ["t7t2"]
                    game = post(self.moves[number], f"{path}/moves", body, token)["game"]
        except Exception as error:
            self.lost.append(error)
        finally:
            for connection in kept.values():
                connection.close()

    def stop(self):
        self._over.set()
        for thread in self._threads:
            thread.join(20)


def test_a_rolling_restart_loses_no_request(instance):
    services = [instance("one"), instance("two")]
    balancer = Balancer(services)
    players = Everybody(balancer, 4)
    try:
        for service, other in (services, services[::-1]):
            service.process.terminate()
            until(lambda: balancer.knows(other))  # noqa: B023 - called before the next round
            assert service.process.wait(60) == 0
            service.start()
            until(lambda: balancer.knows(*services))
            time.sleep(0.5)
    finally:
        players.stop()
        balancer.close()
    assert players.lost == []
    assert min(players.moves) > 20

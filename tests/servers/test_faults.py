"""Whatever happens to store, service or the way between them, games stay as they were told."""

import os
import random
import resource
import signal
import time
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import NamedTuple

import pytest
from redis import Redis

from tests.support.api import api_at
from tests.support.ports import free_port
from tests.support.processes import Processes
from tests.support.proxy import Proxy
from tests.support.servers import Service, StoreServer, until, valkey_9
from tests.support.steady import at_play


class Site(NamedTuple):
    store: StoreServer
    way: Proxy
    service: Service


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A service, its store, and the way from one to the other."""
    folder = tmp_path_factory.mktemp("site")
    with StoreServer(valkey_9(), folder) as store, ExitStack() as begun:
        way = Proxy(store.port)
        begun.callback(way.stop)
        yield Site(store, way, begun.enter_context(Service(way.url, folder / "log")))


@pytest.fixture
def play(site, contract):
    """A company that plays there, and afterwards finds its games as it was told."""
    return lambda: at_play([site.service], lambda key: site.store, contract)


@contextmanager
def configured(client, **options):
    """The store with other settings, for a while."""
    before = {name: client.config_get(name)[name] for name in options}
    for name, value in options.items():
        client.config_set(name, value)
    yield
    for name, value in before.items():
        client.config_set(name, value)


@contextmanager
def read_only(client):
    """The store as the replica of nobody, for a while."""
    client.replicaof("127.0.0.1", free_port())
    yield
    client.replicaof("NO", "ONE")


def test_a_store_that_is_killed_and_started_again_is_waited_for(site, play):
    with play() as company:
        company.go_on(5)
        for _ in range(3):
            site.store.kill()
            site.store.start()
            company.go_on(5)
    assert company.cut == 0


@pytest.mark.parametrize("seconds", [0.5, 4.5])
def test_a_store_that_hangs_for_a_while_is_waited_for(site, play, seconds):
    with play() as company:
        company.go_on(5)
        site.store.pause()
        time.sleep(seconds)
        site.store.resume()
        company.go_on(10)
    assert company.cut == 0
    assert (company.unavailable > 0) == (seconds > 3)


FULL = {"maxmemory": "1", "maxmemory-policy": "noeviction"}
REFUSING = {
    "is full": lambda client: configured(client, **FULL),
    "is read-only": read_only,
    "has not enough replicas": lambda client: configured(client, **{"min-replicas-to-write": "1"}),
}


@pytest.mark.parametrize("refusing", REFUSING)
def test_a_store_that_refuses_writes_takes_moves_again_when_it_can(site, play, refusing):
    with play() as company, site.store.client() as client:
        company.go_on(5)
        with REFUSING[refusing](client):
            until(lambda: company.unavailable > 2)
        company.go_on(10)
    assert company.cut == 0
    assert refusing in next(player.refusal for player in company.players if player.refusal)


def test_a_store_that_is_slow_slows_play_and_stops_none(site, play):
    with play() as company:
        site.way.delay = 0.1
        company.go_on(5)
        assert company.unavailable == 0
        site.way.delay = 1.5
        until(lambda: company.unavailable > 2)
        site.way.delay = 0.0
        company.go_on(5)
    assert company.cut == 0


@pytest.mark.parametrize("every", [5, 11])
def test_answers_of_the_store_that_break_off_are_asked_for_again(site, play, every):
    with play() as company:
        company.go_on(5)
        site.way.cut_every, before = every, site.way.cuts
        company.go_on(20)
        site.way.cut_every = 0
    assert site.way.cuts - before > 10
    assert company.cut == 0


def test_workers_that_are_killed_take_no_move_with_them(site, play):
    choice = random.Random(6)
    with play() as company:
        for _ in range(3):
            company.go_on(5)
            os.kill(choice.choice(site.service.workers()), signal.SIGKILL)
        company.go_on(5)
        until(lambda: len(site.service.workers()) == 2)


def test_the_end_of_the_file_may_be_lost_and_each_game_is_whole_all_the_same(site, play, contract):
    """As after a power cut: what is lost is lost for all of a game, its last moves first."""
    with play() as company:
        company.go_on(20)
    choice = random.Random(1)
    with api_at(site.service.port, contract) as api:
        before = sum(player.accepted for player in company.players)
        for _ in range(8):
            site.store.kill()
            (file,) = (site.store.folder / "appendonlydir").glob("*.incr.aof")
            with file.open("r+b") as log:
                log.truncate(file.stat().st_size - choice.randrange(1, 4000))
            site.store.start()
            for player in company.players:
                player.fall_back(api)
                player.check(site.store, [api])
    assert sum(player.accepted for player in company.players) < before


# The store that comes with the service


@pytest.fixture
def own(tmp_path):
    """A service on a store of its own."""
    with Service("", tmp_path / "log", ASTERISM_DATA=str(tmp_path / "data")) as service:
        yield service


class OwnStore(Processes):
    """The store that a service has started."""

    def client(self):
        """A plain client."""
        return Redis.from_url(self.store_url)


@pytest.fixture
def play_there(own, contract):
    """A company that plays there; the store of its own can be looked at, too."""
    return lambda: at_play([own], lambda key: OwnStore(own.process.pid), contract)


def test_a_store_of_its_own_that_is_killed_is_started_again(own, play_there):
    with play_there() as company:
        for _ in range(2):
            company.go_on(5)
            os.kill(Processes(own.process.pid).stores[0], signal.SIGKILL)
        company.go_on(5)
    assert company.cut == 0


def test_a_store_of_its_own_whose_socket_is_removed_is_started_again(own, play_there):
    """Cleaners of temporary folders do that."""
    with play_there() as company:
        company.go_on(5)
        before = Processes(own.process.pid)
        os.unlink(before.store_url.removeprefix("unix://"))
        until(lambda: Processes(own.process.pid).stores not in ([], before.stores))
        company.go_on(5)
    assert company.cut == 0


def test_a_full_disk_is_told_and_once_there_is_room_play_goes_on(own, play_there):
    """A limit on the size of its files meets the store like a disk that has no room left."""
    with play_there() as company:
        company.go_on(5)
        (store,) = Processes(own.process.pid).stores
        _, most = resource.prlimit(store, resource.RLIMIT_FSIZE)
        resource.prlimit(store, resource.RLIMIT_FSIZE, (20_000, most))
        until(lambda: company.unavailable > 8)
        assert "disk" in company.players[0].refusal
        resource.prlimit(store, resource.RLIMIT_FSIZE, (most, most))
        company.go_on(5)
        os.kill(store, signal.SIGKILL)
        company.go_on(5)
    assert company.cut == 0


CLOCK = """
import time
from pathlib import Path

right, offset = time.time, Path(__file__).with_name("offset")
time.time = lambda: right() + float(offset.read_text())
"""
"""What Python runs before all else, so that a process goes by a clock that can be put."""


def put(clock, days):
    """Puts a clock so many days on, in one step."""
    (clock / "new").write_text(f"{days * 24 * 60 * 60}")
    (clock / "new").replace(clock / "offset")


def test_a_clock_that_jumps_takes_no_game_back_in_time(tmp_path, site, contract):
    """It goes three days on, six days back, and then it is right again."""
    (tmp_path / "sitecustomize.py").write_text(CLOCK)
    put(tmp_path, 0)
    clock = {"PYTHONPATH": str(tmp_path)}
    with (
        Service(site.store.url, tmp_path / "log", **clock) as service,
        at_play([service], lambda key: site.store, contract) as company,
    ):
        for days in (0, 3, -3, 0):
            put(tmp_path, days)
            company.go_on(5)
    for player in company.players:
        times = player.times
        assert times == sorted(times)
        assert times[-1] - times[0] > timedelta(days=2)
    assert company.cut == company.unavailable == 0

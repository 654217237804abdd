"""Whatever happens to store, service or the way between them, games stay as they were told."""

import os
import random
import resource
import signal
import time
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from redis import Redis

from tests.support.api import Api, over_http
from tests.support.ports import free_port
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
    with ExitStack() as begun:
        store = StoreServer(valkey_9(), folder)
        begun.callback(store.stop)
        way = Proxy(store.port)
        begun.callback(way.stop)
        service = Service(way.url, folder / "log")
        begun.callback(service.stop)
        yield Site(store, way, service)


@pytest.fixture
def play(site, contract):
    """A company that plays there, and afterwards finds its games as it was told."""
    return lambda: at_play([site.service], lambda key: site.store, contract)


@contextmanager
def configured(store, **options):
    """The store with other settings, for a while."""
    with store.client() as client:
        before = {name: client.config_get(name)[name] for name in options}
        for name, value in options.items():
            client.config_set(name, value)
        yield
        for name, value in before.items():
            client.config_set(name, value)


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


def test_a_store_that_is_full_takes_moves_again_when_it_has_room(site, play):
    with play() as company:
        company.go_on(5)
        with configured(site.store, maxmemory="1", **{"maxmemory-policy": "noeviction"}):
            until(lambda: company.unavailable > 8)
        company.go_on(10)
    assert company.cut == 0


def test_a_store_that_is_read_only_takes_moves_again_when_it_is_not(site, play):
    with play() as company:
        company.go_on(5)
        with site.store.client() as client:
            client.replicaof("127.0.0.1", free_port())
            until(lambda: company.unavailable > 2)
            client.replicaof("NO", "ONE")
        company.go_on(10)
    assert company.cut == 0


def test_a_store_that_misses_its_replicas_takes_moves_again_when_it_does_not(site, play):
    with play() as company:
        company.go_on(5)
        with configured(site.store, **{"min-replicas-to-write": "1"}):
            until(lambda: company.unavailable > 2)
        company.go_on(10)
    assert company.cut == 0


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
    with over_http(site.service.port) as send:
        api, choice = Api(send, contract), random.Random(1)
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
    service = Service("", tmp_path / "log", ASTERISM_DATA=str(tmp_path / "data"))
    yield service
    service.stop()


@pytest.fixture
def play_there(own, contract):
    """A company that plays there; the store of its own can be looked at, too."""
    return lambda: at_play([own], lambda key: OwnStore(own), contract)


class OwnStore:
    """The store that a service has started; its process is called by the socket it listens on."""

    def __init__(self, service):
        names = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in service.children()}
        self.sockets = {
            pid: name.partition(b"unixsocket:")[2].rstrip(b"\0 ").decode()
            for pid, name in names.items()
            if b"unixsocket:" in name
        }

    @property
    def pid(self):
        """Its process id."""
        (pid,) = self.sockets
        return pid

    def client(self):
        """A plain client."""
        return Redis(unix_socket_path=self.sockets[self.pid])


def test_a_store_of_its_own_that_is_killed_is_started_again(own, play_there):
    with play_there() as company:
        for _ in range(2):
            company.go_on(5)
            os.kill(OwnStore(own).pid, signal.SIGKILL)
        company.go_on(5)
    assert company.cut == 0


def test_a_store_of_its_own_whose_socket_is_removed_is_started_again(own, play_there):
    """Cleaners of temporary folders do that."""
    with play_there() as company:
        company.go_on(5)
        store = OwnStore(own)
        os.unlink(store.sockets[store.pid])
        company.go_on(5)
    assert company.cut == 0
    assert OwnStore(own).pid != store.pid


def test_a_full_disk_is_told_and_once_there_is_room_play_goes_on(own, play_there):
    """A limit on the size of its files meets the store like a disk that has no room left."""
    with play_there() as company:
        company.go_on(5)
        store = OwnStore(own).pid
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
    service = Service(site.store.url, tmp_path / "log", PYTHONPATH=str(tmp_path))
    try:
        with at_play([service], lambda key: site.store, contract) as company:
            for days in (0, 3, -3, 0):
                put(tmp_path, days)
                company.go_on(5)
        for player in company.players:
            times = player.times
            assert times == sorted(times)
            assert times[-1] - times[0] > timedelta(days=2)
    finally:
        service.stop()
    assert company.cut == company.unavailable == 0

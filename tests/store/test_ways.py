"""Every form of REDIS_URL with real servers, failovers, and the reasons for failures."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis.crc import key_slot

from service.errors import StoreUnavailableError
from service.store import retry
from service.store.redis import redis_store
from tests.conftest import TTL
from tests.store.test_promise import ID, after, created, first_move, new_game
from tests.support.certificates import certify
from tests.support.groups import SentinelServer, SentinelServers, asked
from tests.support.ports import free_port
from tests.support.servers import StoreServer, redis_7, until, valkey_9

pytestmark = pytest.mark.external


@pytest.fixture
def no_retries(monkeypatch):
    """Makes failures final at once."""
    monkeypatch.setattr(retry, "RETRY_SECONDS", 0.0)


def serves(url):
    """Whether a store is at `url` that keeps a game."""
    store = redis_store(url, TTL)
    store.ping()
    return store.save(created(new_game())).fresh and store.load(ID) == new_game()


def test_a_unix_socket_a_password_and_a_database(tmp_path):
    path = tmp_path / "s.sock"
    with StoreServer(valkey_9(), tmp_path, "--unixsocket", str(path)) as server:
        asked(server, "CONFIG", "SET", "requirepass", "se/cret")
        assert serves(f"unix://:se%2Fcret@{path}?db=3")
        assert serves(f"redis://default:se%2Fcret@127.0.0.1:{server.port}/4")
        with pytest.raises(StoreUnavailableError, match="refuses the service's credentials"):
            serves(server.url)


def test_an_encrypted_connection_needs_a_trusted_certificate(tmp_path, no_retries):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    certify(certificate, key)
    files = ("--tls-cert-file", str(certificate), "--tls-key-file", str(key))
    port = free_port()
    options = ("--tls-port", str(port), *files, "--tls-auth-clients", "no")
    with StoreServer(redis_7(), tmp_path, *options):
        assert serves(f"rediss://127.0.0.1:{port}?ssl_ca_certs={certificate}")
        with pytest.raises(StoreUnavailableError, match="did not answer in time"):
            serves(f"rediss://127.0.0.1:{port}")


@pytest.fixture
def sentinel(tmp_path):
    """A sentinel and its master."""
    (tmp_path / "sentinel").mkdir()
    with (
        StoreServer(valkey_9(), tmp_path) as master,
        SentinelServer(tmp_path / "sentinel", master) as running,
    ):
        running.master = master
        yield running


def test_sentinels_and_their_master_with_passwords_of_their_own(sentinel, no_retries):
    asked(sentinel, "SENTINEL", "SET", "games", "auth-pass", "one")
    asked(sentinel, "ACL", "SETUSER", "default", "resetpass", ">other")
    asked(sentinel.master, "CONFIG", "SET", "requirepass", "one")
    place = f"redis+sentinel://:one@127.0.0.1:{sentinel.port}"
    assert serves(f"{place}/games/2?sentinel_password=other")
    with pytest.raises(
        StoreUnavailableError, match="has no master that the sentinels know by this name"
    ):
        serves(f"{place}/plays?sentinel_password=other")
    with pytest.raises(StoreUnavailableError, match="refuses the service's credentials"):
        serves(f"{place}/games")


def test_a_write_that_no_sentinel_vouches_for_is_refused(sentinel, no_retries):
    """The last sentinel has gone, so nobody knows whether this is still the master."""
    store = redis_store(f"redis+sentinel://127.0.0.1:{sentinel.port}/games", TTL, replicas=1)
    assert store.save(created(new_game())).fresh
    sentinel.kill()
    with pytest.raises(StoreUnavailableError, match="did not answer in time"):
        store.delete(ID)


def test_a_deposed_master_that_comes_back_is_not_written_to(tmp_path):
    with SentinelServers(tmp_path) as group:
        store, game = redis_store(group.url, TTL), new_game()
        store.save(created(game))
        old = group.master_of("")
        new = group.replica_of(old)
        old.pause()
        until(lambda: group.all_name(new))
        old.resume()
        change = after(game, first_move(game))
        assert store.save(change).fresh
        assert redis_store(new.url, TTL).load(ID) == change.game


def test_a_single_server_called_a_cluster_is_reported(tmp_path):
    with (
        StoreServer(valkey_9(), tmp_path) as server,
        pytest.raises(StoreUnavailableError, match="is no cluster"),
    ):
        redis_store(f"redis+cluster://127.0.0.1:{server.port}", TTL).load(ID)


def test_a_cluster_called_a_single_server_is_reported(cluster, no_retries):
    port = cluster.replica_of(cluster.master_of(f"ast:{{{ID}}}:game")).port
    with pytest.raises(StoreUnavailableError, match="REDIS_URL does not call one"):
        redis_store(f"redis://127.0.0.1:{port}", TTL).load(ID)


def test_a_cluster_without_an_answering_node_is_reported(no_retries):
    with pytest.raises(StoreUnavailableError, match="did not answer in time"):
        redis_store(f"redis+cluster://127.0.0.1:{free_port()}", TTL).load(ID)


def test_a_slot_can_move_to_another_master_during_play(cluster):
    with cluster.client() as client:
        client.flushall()
    store, reader = redis_store(cluster.url, TTL, replicas=1), redis_store(cluster.url, TTL)
    key = f"ast:{{{ID}}}:game"
    source = cluster.master_of(key)
    game = new_game()
    store.save(created(game))
    with ThreadPoolExecutor(1) as pool:
        moved = pool.submit(move_slot, key_slot(key.encode()), source, cluster.masters())
        while not moved.done():
            change = after(game, first_move(game))
            assert store.save(change).fresh
            game = change.game
            assert store.load(ID) == reader.story(ID).game == game
        moved.result()
    assert cluster.master_of(key) is not source
    change = after(game, first_move(game))
    assert store.save(change).fresh


def move_slot(slot, source, masters):
    """Moves a slot as `redis-cli --cluster reshard` does, but slowly."""
    target = next(server for server in masters if server is not source)
    ids = {server: asked(server, "CLUSTER", "MYID") for server in (source, target)}
    asked(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
    asked(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
    time.sleep(0.3)
    keys = asked(source, "CLUSTER", "GETKEYSINSLOT", slot, 100)
    asked(source, "MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
    time.sleep(0.3)
    for server in (target, *masters):
        asked(server, "CLUSTER", "SETSLOT", slot, "NODE", ids[target])

"""ASTERISM_REPLICAS: a write is confirmed when a replica has it."""

import pytest

from service.errors import GameNotFoundError, StoreUnavailableError
from service.store import retry
from service.store.redis import redis_store
from tests.conftest import TTL
from tests.store.test_promise import ID, after, created, first_move, new_game
from tests.support.servers import StoreServer, until, valkey_9


@pytest.fixture
def servers(tmp_path):
    """A master and its replica."""
    (tmp_path / "replica").mkdir()
    with StoreServer(valkey_9(), tmp_path, "--repl-diskless-sync-delay", "0") as master:
        follow = ("--replicaof", f"127.0.0.1 {master.port}")
        with StoreServer(valkey_9(), tmp_path / "replica", *follow) as replica:
            until(lambda: connected(master) == 1)
            yield master, replica


@pytest.fixture
def store(servers):
    """A store whose writes wait for the replica."""
    return redis_store(servers[0].url, TTL, replicas=1)


@pytest.fixture
def refused(monkeypatch):
    """Asserts that a call fails soon for lack of replicas."""

    def is_refused(call, *args):
        with monkeypatch.context() as for_now:
            for_now.setattr(retry, "RETRY_SECONDS", 0.3)
            with pytest.raises(StoreUnavailableError, match="has not enough replicas just now"):
                call(*args)

    return is_refused


def connected(master):
    with master.client() as client:
        return client.info("replication")["connected_slaves"]


def test_a_confirmed_write_is_on_the_replica(servers, store):
    game = new_game()
    store.save(created(game))
    for _ in range(20):
        change = after(game, first_move(game))
        store.save(change)
        game = change.game
    servers[0].kill()
    assert redis_store(servers[1].url, TTL).load(ID) == game


def test_a_hanging_replica_is_waited_for(servers, store, refused):
    game = new_game()
    store.save(created(game))
    change = after(game, first_move(game))
    servers[1].pause()
    refused(store.save, change)
    refused(store.confirm, ID)
    servers[1].resume()
    assert store.save(change).fresh
    store.confirm(ID)
    servers[0].kill()
    assert redis_store(servers[1].url, TTL).load(ID) == change.game


def test_a_confirmed_deletion_is_on_the_replica(servers, store, refused):
    store.save(created(new_game()))
    servers[1].pause()
    refused(store.delete, ID)
    another = redis_store(servers[0].url, TTL, replicas=1)
    refused(another.delete, ID)  # its connection has written nothing that could be waited for
    servers[1].resume()
    assert another.delete(ID)
    servers[0].kill()
    with pytest.raises(GameNotFoundError):
        redis_store(servers[1].url, TTL).load(ID)


def test_a_disconnected_replica_is_not_waited_for(servers, store):
    servers[1].kill()
    until(lambda: connected(servers[0]) == 0)
    assert store.save(created(new_game())).fresh


def test_min_replicas_to_write_stops_writes_without_replicas(servers, store, refused):
    with servers[0].client() as client:
        client.config_set("min-replicas-to-write", 1)
    servers[1].kill()
    until(lambda: connected(servers[0]) == 0)
    refused(store.save, created(new_game()))

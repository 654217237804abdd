"""The same tests run on a Redis in memory, on Redis 7, on Valkey 9 and on a cluster."""

from collections.abc import Iterator

import fakeredis
import pytest
from redis import Redis, RedisCluster

from service.store import Store
from service.store.nodes import SingleNode
from service.store.redis import redis_store, store_on
from tests.conftest import TTL
from tests.support.groups import ClusterServers
from tests.support.servers import StoreServer, redis_7, valkey_9

SERVERS = {"Redis 7": redis_7, "Valkey 9": valkey_9}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterServers]:
    """A cluster of store servers."""
    with ClusterServers(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(
    scope="session",
    params=[
        "in memory",
        "Valkey 9",
        pytest.param("Redis 7", marks=pytest.mark.external),
        pytest.param("a cluster", marks=pytest.mark.external),
    ],
)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StoreServer | ClusterServers | None]:
    """A store server, or a cluster of them, or None for the one in memory."""
    if request.param in SERVERS:
        with StoreServer(SERVERS[request.param](), tmp_path_factory.mktemp("store")) as running:
            yield running
    else:
        yield request.getfixturevalue("cluster") if request.param == "a cluster" else None


@pytest.fixture
def memory() -> fakeredis.FakeServer:
    """What the Redis in memory holds."""
    return fakeredis.FakeServer()


@pytest.fixture
def fake(
    server: StoreServer | ClusterServers | None, memory: fakeredis.FakeServer
) -> Iterator[Redis | RedisCluster]:
    """A plain client of the server, which is empty."""
    client = fakeredis.FakeRedis(server=memory) if server is None else server.client()
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def store(
    server: StoreServer | ClusterServers | None,
    memory: fakeredis.FakeServer,
    fake: Redis | RedisCluster,
) -> Store:
    """A store on the server; one whose writes wait for a replica where there are any."""
    if server is not None:
        return redis_store(server.url, TTL, replicas=server.replicas)
    return store_on(SingleNode(fake), SingleNode(fake), TTL)

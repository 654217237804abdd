"""The same promise is tested on a Redis in memory, on Redis 7 and on Valkey 9."""

from collections.abc import Iterator
from pathlib import Path

import fakeredis
import pytest
from redis import Redis

from service.store.redis import RedisStore, redis_store
from tests.conftest import TTL
from tests.servers import StoreServer, redis_7, valkey_9

SERVERS = {"Redis 7": redis_7, "Valkey 9": valkey_9}


@pytest.fixture(scope="session", params=["in memory", *SERVERS])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StoreServer | None]:
    """A store server, or None for the one in memory."""
    if request.param not in SERVERS:
        yield None
        return
    folder: Path = tmp_path_factory.mktemp("store")
    running = StoreServer(SERVERS[request.param](), folder)
    yield running
    running.stop()


@pytest.fixture
def memory() -> fakeredis.FakeServer:
    """What the Redis in memory holds."""
    return fakeredis.FakeServer()


@pytest.fixture
def fake(server: StoreServer | None, memory: fakeredis.FakeServer) -> Iterator[Redis]:
    """A plain client of the server, which is empty."""
    client = fakeredis.FakeRedis(server=memory) if server is None else server.client()
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def store(server: StoreServer | None, memory: fakeredis.FakeServer, fake: Redis) -> RedisStore:
    """A store on the server."""
    if server is not None:
        return redis_store(server.url, TTL)
    raw = fakeredis.FakeRedis(server=memory)
    raw.response_callbacks.clear()
    return RedisStore(raw.execute_command, raw.execute_command, TTL)

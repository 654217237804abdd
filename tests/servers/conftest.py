"""A service behind gunicorn on a real Valkey, shared by the tests that do it no harm."""

from collections.abc import Iterator

import pytest

from tests.contract.contract import Contract
from tests.support.api import Api, over_http
from tests.support.servers import Service, StoreServer, valkey_9


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreServer]:
    """A Valkey server."""
    running = StoreServer(valkey_9(), tmp_path_factory.mktemp("valkey"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def service(valkey: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service, on that server."""
    running = Service(valkey.url, tmp_path_factory.mktemp("service") / "log")
    yield running
    running.stop()


@pytest.fixture
def api(service: Service, contract: Contract) -> Iterator[Api]:
    """A checked client of the running service."""
    with over_http(service.port) as transport:
        yield Api(transport, contract)

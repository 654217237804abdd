"""A service behind gunicorn on a real Valkey, shared by the tests that do it no harm."""

from collections.abc import Iterator

import pytest

from tests.contract.contract import Contract
from tests.support.api import Api, api_at
from tests.support.servers import Service, StoreServer, valkey_9


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreServer]:
    """A Valkey server."""
    with StoreServer(valkey_9(), tmp_path_factory.mktemp("valkey")) as running:
        yield running


@pytest.fixture(scope="session")
def service(valkey: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service, on that server."""
    with Service(valkey.url, tmp_path_factory.mktemp("service") / "log") as running:
        yield running


@pytest.fixture
def api(service: Service, contract: Contract) -> Iterator[Api]:
    """A checked client of the running service."""
    with api_at(service.port, contract) as api:
        yield api

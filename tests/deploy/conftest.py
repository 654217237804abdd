"""The service as deploy/ starts it, shared by the tests that do it no harm."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.contract import Contract
from tests.deploy.kit import Deployment, installed
from tests.support.api import Api, api_at


@pytest.fixture(scope="session")
def asterism(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the Dockerfile installs."""
    return installed(tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="session")
def deployment(asterism: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """All containers of compose.yaml."""
    running = Deployment(tmp_path_factory.mktemp("deployment"), asterism)
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.fixture
def api(deployment: Deployment, contract: Contract) -> Iterator[Api]:
    """A client that comes through nginx; every answer is held against the contract."""
    with api_at(deployment.port, contract) as api:
        yield api

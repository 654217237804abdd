"""The service as deploy/ starts it, shared by the tests that do it no harm."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.contract import Contract
from tests.deploy.kit import Deployment, installed
from tests.support.api import Api, api_at


@pytest.fixture(scope="session")
def asterism(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the Dockerfile installs, made once for all workers of xdist."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    made = folder / "image"
    made.mkdir(exist_ok=True)
    with (made / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made / "whole").exists():
            installed(made)
            (made / "whole").touch()
    return made / "asterism"


@pytest.fixture(scope="session")
def deployment(asterism: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """All containers of compose.yaml; no test of this one is to meet the limit of floods."""
    folder = tmp_path_factory.mktemp("deployment")
    with Deployment(folder, asterism, ASTERISM_FLOOD="1000") as running:
        running.start()
        yield running


@pytest.fixture
def api(deployment: Deployment, contract: Contract) -> Iterator[Api]:
    """A client that comes through nginx; every answer is held against the contract."""
    with api_at(deployment.port, contract) as api:
        yield api

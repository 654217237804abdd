"""A service in memory, a wire to it that can lose things, and both clients at its end."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.client.kit import FACES, URL, Wire
from tests.http.kit import InMemoryService
from tests.support.servers import Service, serving


@pytest.fixture(scope="module")
def service() -> InMemoryService:
    """A service in memory."""
    return InMemoryService()


@pytest.fixture
def wire(service: InMemoryService) -> Wire:
    """The way to an empty service."""
    service.fake.execute_command("FLUSHALL")
    return Wire(service.app)


@pytest.fixture(params=FACES)
def asterism(request: pytest.FixtureRequest, wire: Wire) -> Iterator[Any]:
    """Each of the clients in turn; the one that is awaited looks like the one that blocks."""
    with FACES[request.param](URL, transport=wire) as client:
        yield client


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A real service, for tests marked `external`."""
    with serving(tmp_path_factory.mktemp("service")) as service:
        yield service

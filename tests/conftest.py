"""What tests share: an application on a store in memory, a checked client, and the contract."""

import os
import shutil
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import fakeredis
import pytest
from flask import Flask
from hypothesis import settings

os.environ.setdefault("ASTERISM_FORM", "plain")  # tests run the sources, also where they compile

from service.api.app import create_app
from service.config import Settings
from service.play.compute_pool import ComputePool
from service.play.keys import ServerKey
from service.play.watcher_slots import DEFAULT_WATCHER_LIMITS
from service.play.watching import WatchHub
from service.store import Store
from service.store.nodes import SingleNode
from service.store.pubsub import listen
from service.store.redis import store_on
from tests.contract.contract import Contract, Documented, document
from tests.support.api import Api, in_process
from tests.support.servers import SERVER_KEY

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The same games in every run, and the time they need.
settings.register_profile("asterism", deadline=None, derandomize=True, max_examples=80)
settings.load_profile("asterism")

TTL = 30 * 24 * 60 * 60
CONTRACT = Contract(document())


@pytest.fixture
def contract() -> Contract:
    """The contract, one for the whole run, so that it knows every answer that has been seen."""
    return CONTRACT


@pytest.fixture
def fake() -> fakeredis.FakeRedis:
    """A Redis in memory."""
    return fakeredis.FakeRedis()


@pytest.fixture
def store(fake: fakeredis.FakeRedis) -> Store:
    """A store on the Redis in memory."""
    return store_on(SingleNode(fake), SingleNode(fake), TTL)


@pytest.fixture
def app(store: Store, fake: fakeredis.FakeRedis) -> Flask:
    """The application on the store in memory."""
    settings = Settings(ServerKey(SERVER_KEY.encode()), "redis://nowhere", limits={})
    watch = WatchHub(store, partial(listen, fake.pubsub), DEFAULT_WATCHER_LIMITS)
    return create_app(settings, store, watch, ComputePool(2))


@pytest.fixture
def api(app: Flask, contract: Contract) -> Iterator[Api]:
    """A client of the application in this process."""
    return Api(in_process(app), contract)


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """Debian's Chromium, one for all tests of a process; they fail without it."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    assert path, "chromium is not installed: make test-rest installs it, see tests/need.sh"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


# Folders of tests that need more than Python, which `make test` leaves to `make test-all`.
NEEDS_MORE = ("tests/servers", "tests/deploy", "tests/browser", "tests/web")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Lets a run over everything say which answers of the contract it has seen."""
    parser.addoption(
        "--all-answers", action="store_true", help="fail unless every documented answer is seen"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks the folders of tests that need real servers or programs."""
    for item in items:
        if item.path.relative_to(config.rootpath).as_posix().startswith(NEEDS_MORE):
            item.add_marker(pytest.mark.external)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hands on which answers a worker of xdist has seen; judges them at the end of the run."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["seen"] = sorted(map(list, CONTRACT.seen))
    elif session.config.getoption("--all-answers") and CONTRACT.unseen and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes what a worker of xdist has seen."""
    seen = getattr(node, "workeroutput", {}).get("seen", [])
    CONTRACT.seen |= {Documented(*answer) for answer in seen}


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Says how much of what the contract documents has been seen, if that was asked for."""
    if config.getoption("--all-answers"):
        terminalreporter.section("answers of the contract")
        terminalreporter.write_line(CONTRACT.report())

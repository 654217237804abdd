"""The linters of OpenAPI documents find nothing to improve in the contract, warnings included."""

import pytest

from tests.clients.tools import HERE, ROOT, node_tools, run

pytestmark = pytest.mark.external

CONTRACT = str(ROOT / "openapi.yaml")


def test_redocly():
    run(str(node_tools() / "redocly"), "lint", CONTRACT, "--extends", "recommended-strict")


def test_spectral():
    rules = str(HERE / "spectral.yaml")
    run(
        str(node_tools() / "spectral"), "lint", CONTRACT, "--ruleset", rules, "--fail-severity=hint"
    )

"""The modules of the page without a browser: their tests in Node.js, and their types."""

import re
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "service" / "web"


def run(*command: str) -> None:
    """Runs a command in this folder; fails with what it prints."""
    done = subprocess.run(
        command, check=False, cwd=HERE, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_modules_that_draw_nothing_pass_their_tests():
    run("node", "--test", *map(str, sorted((HERE / "logic").glob("*.test.mjs"))))


def test_the_page_uses_the_api_as_the_contract_says():
    contract = str(HERE.parents[1] / "openapi.yaml")
    run("node_modules/.bin/openapi-typescript", contract, "-o", "build/api.d.ts")
    run("node_modules/.bin/tsc", "-p", "tsconfig.json")


def test_the_page_is_formatted():
    run("node_modules/.bin/prettier", "--print-width", "100", "--check", str(WEB), "logic")


def test_logic_knows_no_document():
    for module in (WEB / "logic").glob("*.mjs"):
        assert not re.search(r"\b(document|window|localStorage)\.", module.read_text()), module.name


def test_no_module_is_long():
    for module in WEB.glob("*/*.mjs"):
        assert len(module.read_text().splitlines()) < 200, module.name

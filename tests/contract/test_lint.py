"""The contract is a good OpenAPI document, by the word of two programs that know the standard."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.contract.contract import FILE, document

ROOT = FILE.parent
REDOCLY_VERSION = "2.77.0"
REDOCLY = ROOT / ".tools" / "redocly"
RULES = Path(__file__).with_name("redocly.yaml")


def test_the_contract_is_an_openapi_document():
    faults = OpenAPIV31SpecValidator(document()).iter_errors()
    assert [str(fault) for fault in faults] == []


@pytest.mark.external
def test_redocly_finds_nothing_to_improve():
    assert shutil.which("npm"), "redocly needs node and npm: tests/need.sh installs them"
    install_redocly()
    program = REDOCLY / "node_modules" / ".bin" / "redocly"
    found = run(str(program), "lint", str(FILE), "--config", str(RULES))
    assert found.returncode == 0, found.stdout + found.stderr


def install_redocly():
    about = REDOCLY / "node_modules" / "@redocly" / "cli" / "package.json"
    if about.is_file() and json.loads(about.read_text())["version"] == REDOCLY_VERSION:
        return
    REDOCLY.mkdir(parents=True, exist_ok=True)
    package = f"@redocly/cli@{REDOCLY_VERSION}"
    done = run("npm", "install", "--prefix", str(REDOCLY), "--no-save", "--no-fund", package)
    assert done.returncode == 0, done.stdout + done.stderr


def run(*command):
    """The finished command, which neither reports nor asks home about newer versions."""
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | quiet,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )

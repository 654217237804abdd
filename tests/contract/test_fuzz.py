"""The fifth gate: no request, made up by the contract's word or against it, finds a fault.

schemathesis makes the requests, in four phases: the examples, the edges of every schema, random
values, and the links from answer to request. It runs as a program of its own, since that way it
learns from the answers what to send next. schemathesis.toml says how strictly it judges.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.contract import FILE
from tests.support.servers import Service, StoreServer, valkey_9

CONFIG = Path(__file__).with_name("schemathesis.toml")


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[StoreServer]:
    running = StoreServer(valkey_9(), tmp_path)
    yield running
    running.stop()


@pytest.fixture
def service(valkey: StoreServer, tmp_path: Path) -> Iterator[Service]:
    running = Service(valkey.url, tmp_path / "log", ASTERISM_LIMITS="off")
    yield running
    running.stop()


@pytest.mark.slow
def test_no_request_finds_a_fault(service: Service, tmp_path: Path, record_property):
    found, report = schemathesis(f"http://127.0.0.1:{service.port}", tmp_path)
    operations, cases = report["operations"], report["test_cases"]
    record_property(
        "fuzzing", f"{cases['generated']} requests to {operations['tested']} operations"
    )
    if found.returncode != 0:
        pytest.fail(found.stdout + found.stderr, pytrace=False)
    assert operations["tested"] == operations["total"]
    assert {phase["status"] for phase in report["phases"].values()} == {"success"}


def schemathesis(url: str, folder: Path):
    """The finished program and its report. What it keeps for itself goes into `folder`."""
    report = folder / "report.json"
    found = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG)),
            *("run", str(FILE), "--url", url, "--report-json-path", str(report), "--no-color"),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(FILE.parent), "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert report.is_file(), found.stdout + found.stderr
    return found, json.loads(report.read_text())

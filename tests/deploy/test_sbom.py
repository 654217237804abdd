"""The bill of materials is one by its standard, and lists what the lock lists: no more, no less."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).parents[2]
LOCKED = re.compile(r"^([a-z0-9-]+)(?:\[[^]]*\])?==([^ ;]+)", re.MULTILINE)


@pytest.fixture(scope="module")
def sbom(tmp_path_factory):
    """The bill, as `make sbom` writes it."""
    place = tmp_path_factory.mktemp("sbom") / "sbom.json"
    environ = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
    subprocess.run(["make", "-s", "sbom", f"SBOM={place}"], cwd=ROOT, env=environ, check=True)
    return place.read_text()


def test_it_is_valid_and_about_the_service(sbom):
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(sbom) is None
    assert json.loads(sbom)["metadata"]["component"]["name"] == "asterism"


def test_it_lists_every_package_of_the_lock_by_its_version_and_digests_and_no_other(sbom):
    lock = (ROOT / "deploy" / "requirements.lock").read_text()
    parts = json.loads(sbom)["components"]
    listed = {(part["name"], part["version"]) for part in parts}
    assert listed == set(LOCKED.findall(lock))
    assert len(listed) > 10
    references = [reference for part in parts for reference in part["externalReferences"]]
    digests = {digest["content"] for reference in references for digest in reference["hashes"]}
    assert digests == set(re.findall("--hash=sha256:([0-9a-f]{64})", lock))

"""Clients that the common generators write play both games, and read why they are refused."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.tools import HERE, NODE_MODULES, ROOT, node_tools, python_tools, run
from tests.support.servers import Service, serving

pytestmark = pytest.mark.external

CONTRACT = str(ROOT / "openapi.yaml")
LINE = ROOT / "tests" / "fixtures" / "astrocyte-won-line.json"
STRICT = ("--strict", "--module", "nodenext", "--target", "es2022", "--types", "node")
OF_EVERY_DOCUMENT = ("OpenAPI 3.1 support is still in beta", "Failed to get the schema name: null")
"""What openapi-generator warns of whatever it is given."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service"), ASTERISM_LIMITS="off") as running:
        yield running


def judge(service: Service, *program: str, **environ: str) -> None:
    """Lets the program play, and asserts that it won both games and understood each refusal."""
    url = f"http://127.0.0.1:{service.port}"
    told = json.loads(run(*program, url, str(LINE), **environ))
    moves = len(json.loads(LINE.read_text())["moves"])
    assert told == {
        "ended": [["binary-star", "won", 102], ["astrocyte", "won", moves]],
        "refused": ["illegal-move base-card-fixed", "game-over won", "version-conflict 63"],
        "replays_are_right": [True, True],
    }


def test_openapi_typescript(service, tmp_path):
    tools = node_tools()
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    shutil.copy(HERE / "package.json", tmp_path)
    program = shutil.copy(HERE / "play.ts", tmp_path)
    said = run(str(tools / "openapi-typescript"), CONTRACT, "-o", str(tmp_path / "api.d.ts"))
    assert "warn" not in said.lower(), said
    run(str(tools / "tsc"), *STRICT, program, folder=tmp_path)
    judge(service, "node", str(tmp_path / "play.js"))


def test_openapi_python_client(service, tmp_path):
    python = str(python_tools() / "python")
    client = str(tmp_path / "asterism_client")
    generator = ("openapi-python-client", "generate", "--meta", "none", "--output-path", client)
    said = run(*generator, "--path", CONTRACT, folder=tmp_path)
    assert said.split() == ["Generating", client]
    check(HERE / "play_openapi_python_client.py", client, tmp_path)
    program = str(HERE / "play_openapi_python_client.py")
    judge(service, python, program, PYTHONPATH=str(tmp_path))


def test_openapi_generator(service, tmp_path):
    assert shutil.which("java"), "java is missing: tests/need.sh installs it"
    python = str(python_tools() / "python")
    generator = ("openapi-generator-cli", "generate", "-g", "python", "-o", str(tmp_path))
    said = run(*generator, "-i", CONTRACT, folder=tmp_path)
    faults = "WARN|ERROR|Inline schema created"
    warnings = [line for line in said.splitlines() if re.search(faults, line)]
    assert [line for line in warnings if not any(w in line for w in OF_EVERY_DOCUMENT)] == []
    check(HERE / "play_openapi_generator.py", str(tmp_path / "openapi_client"), tmp_path)
    program = str(HERE / "play_openapi_generator.py")
    judge(service, python, program, PYTHONPATH=str(tmp_path))


def check(program: Path, client: str, folder: Path) -> None:
    """Asserts that the client compiles, and that the program uses it as its types say."""
    python = str(python_tools() / "python")
    run(python, "-m", "compileall", "-q", client)
    mypy = (python, "-m", "mypy", "--strict", "--follow-imports", "silent")
    run(*mypy, "--cache-dir", str(folder / "mypy"), str(program), MYPYPATH=str(folder))

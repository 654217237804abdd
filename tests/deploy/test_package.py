"""What pip installs holds all that the service needs, and nothing of the tests."""

import shutil
import subprocess

import pytest

from tests.deploy.files import ROOT


@pytest.fixture
def python(asterism, tmp_path):
    """Runs a program with what is installed, or with a package in another folder."""

    def run(code, folder=""):
        command = [str(asterism / "bin" / "python"), "-P", "-c", code]
        environ = {"PYTHONPATH": str(folder)}
        return subprocess.check_output(command, cwd=tmp_path, env=environ, text=True)

    return run


INSTALLED = """
from importlib.metadata import files
from pathlib import Path
import service
from service.games import VARIANTS
from service.store.lua import SAVE
from service.api.pages import contract
print(Path(service.__file__).parent)
print(*sorted({path.parts[0].partition("-")[0] for path in files("asterism")} - {".."}))
print(*(len(game.rules) for game in VARIANTS.values()), len(SAVE))
print(contract(), end="")
"""


def test_the_package_has_the_contract_rules_and_scripts_it_came_with_and_no_tests(python, asterism):
    place, parts, sizes, contract = python(INSTALLED).split("\n", 3)
    assert place.startswith(str(asterism))
    assert parts == "asterism service"
    assert all(int(size) > 500 for size in sizes.split())
    assert contract == (ROOT / "openapi.yaml").read_text()
    (types,) = asterism.glob("lib/python*/site-packages/service/py.typed")
    assert types.exists()


def test_the_page_to_play_on_in_the_package_is_the_one_in_the_checkout(python):
    digest = "from service.api.play_page import site; print(site().digest)"
    assert python(digest) == python(digest, ROOT)


SEARCHED = """
from service.bots.astrocyte.fair import FAIR, plan
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.solvers import FORMS
from service.solvers.astrocyte.solver import solve
print(FORMS["astrocyte"])
for number in range(1, 7):
    position = start_position(PublicDeal(VARIANTS["astrocyte"], number))
    print(solve(position, 40_000))
    for _ in range(3):
        found = plan(position.view, FAIR._replace(width=60))
        print(found)
        for move in found:
            position = position.after(move)
"""


def test_the_compiled_form_in_the_package_gives_the_answers_of_the_plain_one(python, tmp_path):
    without_compiled = shutil.ignore_patterns("*.so", "*.pyd")
    shutil.copytree(ROOT / "service", tmp_path / "service", ignore=without_compiled)
    compiled, plain = python(SEARCHED), python(SEARCHED, tmp_path)
    assert compiled.startswith("compiled\n")
    assert plain == compiled.replace("compiled\n", "plain\n")

"""The package that pip installs holds all that the service needs, and nothing of the tests."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the wheel's content, as it is after an installation."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def python(installed, code):
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=installed,
        env={"PYTHONPATH": str(installed)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_the_package_shows_the_contract_rules_and_scripts_it_came_with(installed):
    code = """
import service
from service.api.pages import contract
from service.games import VARIANTS
from service.store.lua import SAVE
print(service.__file__)
print(len(contract()), *(len(game.rules) for game in VARIANTS.values()), len(SAVE.script))
"""
    file, sizes = python(installed, code).splitlines()
    assert file.startswith(str(installed))
    assert all(int(size) > 500 for size in sizes.split())


def test_the_contract_in_the_package_is_the_one_in_the_checkout(installed):
    assert (installed / "service" / "openapi.yaml").read_text() == (
        ROOT / "openapi.yaml"
    ).read_text()


def test_the_page_to_play_on_in_the_package_is_the_one_in_the_checkout(installed):
    digest = "from service.api.play_page import site; print(site().digest)"
    assert python(installed, digest) == python(ROOT, digest)


def test_the_package_holds_no_tests(installed):
    assert sorted(path.name.partition("-")[0] for path in installed.iterdir()) == [
        "asterism",
        "service",
    ]


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


def test_the_compiled_form_in_the_package_gives_the_answers_of_the_plain_one(installed):
    compiled, plain = [
        python(folder, SEARCHED).split("\n", 1) for folder in (installed, plain_copy(installed))
    ]
    assert (compiled[0], plain[0]) == ("compiled", "plain")
    assert compiled[1] == plain[1]


def plain_copy(installed):
    """The package without its compiled modules."""
    folder = installed.parent / "plain"
    shutil.copytree(installed, folder, ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    return folder


def test_types_are_there_for_those_who_check_them(installed):
    assert (installed / "service" / "py.typed").exists()

"""Conventions of the project that import-linter cannot check."""

import ast
import re
from pathlib import Path

import pytest

from service.config import VARIABLES
from service.games import VARIANTS

ROOT = Path(__file__).parents[2]
SERVICE = ROOT / "service"
NAMES = re.compile("|".join(name.replace("-", "[-_ ]?") for name in VARIANTS), re.IGNORECASE)
CATALOGUES = ("play/hints/__init__.py", "bots/__init__.py", "solvers/__init__.py")
"""Modules with a line for each variant that has hints, a bot or a solver of its own."""

PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "FINDINGS.md",
    "SECURITY.md",
    "deploy/OPERATING.md",
    "deploy/RUNBOOK.md",
    "service/bots/gym/README.md",
)


def modules():
    """Every module that does not belong to a variant."""
    for path in sorted(SERVICE.rglob("*.py")):
        inside = path.relative_to(SERVICE)
        if inside.parts[0] == "games" or str(inside) in CATALOGUES:
            continue
        if not NAMES.search(str(inside)):
            yield pytest.param(path, id=str(inside))


def words(tree):
    """The names, imports and texts in a module, without its docstrings."""
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if node not in docstrings:
                yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.ImportFrom(module=str(name)):
                yield name


@pytest.mark.parametrize("path", list(modules()))
def test_only_a_variants_own_modules_and_the_catalogues_name_it(path):
    assert [word for word in words(ast.parse(path.read_text())) if NAMES.search(word)] == []


def test_every_module_opens_with_one_sentence_on_its_content():
    for path in SERVICE.rglob("*.py"):
        opening = ast.get_docstring(ast.parse(path.read_text()))
        assert opening, path
        assert opening.splitlines()[0].rstrip().endswith((".", ":")), path


def test_the_service_has_at_most_19_entries():
    assert len({path.name for path in SERVICE.iterdir()} - {"__pycache__"}) <= 19


def test_the_readme_has_at_most_150_lines():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def anchors(page):
    """The anchors of a page's headings, as Git hosting platforms derive them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", PAGES)
def test_every_link_of_a_page_leads_to_a_file_and_a_heading_that_exist(name):
    page = ROOT / name
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_setting_is_on_the_page_for_operators():
    operating = (ROOT / "deploy/OPERATING.md").read_text(encoding="utf-8")
    assert [name for name in VARIABLES if f"`{name}`" not in operating] == []

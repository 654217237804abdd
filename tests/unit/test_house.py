"""The laws of the house that import-linter cannot see."""

import ast
import re
from pathlib import Path

import pytest

from service.games import VARIANTS

SERVICE = Path(__file__).parents[2] / "service"
NAMES = re.compile("|".join(name.replace("-", "[-_ ]?") for name in VARIANTS), re.IGNORECASE)
CATALOGUES = ("play/hints/__init__.py", "bots/__init__.py", "solvers/__init__.py")
"""Modules with a line for each variant that has its own adviser, bot or solver."""


def modules():
    """Every module that is about no variant of its own."""
    for path in sorted(SERVICE.rglob("*.py")):
        inside = path.relative_to(SERVICE)
        if inside.parts[0] == "games" or str(inside) in CATALOGUES:
            continue
        if not NAMES.search(str(inside)):
            yield pytest.param(path, id=str(inside))


def words(tree):
    """What a module says, its docstrings left out: names, imports and texts."""
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
def test_a_variant_is_named_by_its_own_modules_and_the_catalogue_alone(path):
    assert [word for word in words(ast.parse(path.read_text())) if NAMES.search(word)] == []


def test_every_module_opens_with_one_sentence_on_what_lives_there():
    for path in SERVICE.rglob("*.py"):
        opening = ast.get_docstring(ast.parse(path.read_text()))
        assert opening, path
        assert opening.splitlines()[0].rstrip().endswith((".", ":")), path

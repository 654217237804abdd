"""The page for learners, and what a machine without the extra gets."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import service.bots.gym

PAGE = Path(service.bots.gym.__file__).with_name("README.md")

SERVICE = Path(service.__file__).parent
OPTIONAL = ("gymnasium", "numpy", "service.bots.gym", "service.bots.astrocyte.fit")
"""Packages of extras, and the modules that need them."""


def run(*arguments, **environment):
    command = [sys.executable, *arguments]
    settings = os.environ | environment
    return subprocess.run(command, capture_output=True, text=True, check=False, env=settings)


def without_gymnasium(folder):
    """A folder that, on the path, stands in for a machine without Gymnasium."""
    (folder / "gymnasium.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'gymnasium'\", name='gymnasium')\n"
    )
    return str(folder)


def test_the_lines_of_the_page_play_a_game(capsys):
    exec(re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1], {})
    assert re.fullmatch(r"deal \d+: \d+% of the way, won: (True|False)\n", capsys.readouterr().out)


def test_without_the_extra_one_line_says_what_to_install(tmp_path):
    path = without_gymnasium(tmp_path)
    for arguments in (["-c", "import service.bots.gym"], ["-m", "service.bots.gym.example"]):
        ran = run(*arguments, PYTHONPATH=path)
        assert ran.returncode != 0
        assert "need Gymnasium: install asterism[gym]" in ran.stderr.splitlines()[-1]
    assert len(ran.stderr.splitlines()) == 1


def test_nothing_else_needs_gymnasium_or_numpy():
    for path in SERVICE.rglob("*.py"):
        inside = ".".join(path.relative_to(SERVICE.parent).with_suffix("").parts)
        if inside.startswith(OPTIONAL):
            continue
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            match statement:
                case ast.Import(names=names):
                    imported = [name.name for name in names]
                case ast.ImportFrom(module=str(module), names=names):
                    imported = [f"{module}.{name.name}" for name in names]
                case _:
                    imported = []
            assert [name for name in imported if name.startswith(OPTIONAL)] == [], inside

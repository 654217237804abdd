"""A third game is a folder, a line in the catalogue, and its name in the contract."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def with_stones(folder: Path) -> Path:
    """A copy of the service with one game more."""
    for name in ("service", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("openapi.yaml", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "tests" / "stones", folder / "service" / "games" / "stones")
    catalogue = folder / "service" / "games" / "__init__.py"
    replace(catalogue, "(BINARY_STAR, ASTROCYTE)", "(BINARY_STAR, ASTROCYTE, STONES)")
    replace(catalogue, "\nVARIANTS", "\nfrom service.games.stones import STONES\n\nVARIANTS")
    contract = folder / "openapi.yaml"
    replace(contract, "enum: [binary-star, astrocyte]", "enum: [binary-star, astrocyte, stones]")
    replace(contract, "[binary-star/1, astrocyte/1]", "[binary-star/1, astrocyte/1, stones/1]")
    return folder


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_tiny_third_game_passes_the_kit_and_plays_over_http(tmp_path):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
    run = subprocess.run(
        [*command, "tests/every_variant", "--variant", "stones"],
        cwd=with_stones(tmp_path),
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "failed" not in run.stdout

"""The linters and generators that others have written, as installed for the tests, once.

package.json and requirements.txt here say which versions. They are installed in a folder of the
checkout that git ignores, and anew when those files change.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDER = ROOT / ".tools" / "clients"
NODE_MODULES = FOLDER / "node_modules"
PYTHON = FOLDER / "venv" / "bin" / "python"
UV = ROOT / ".tools" / "bin" / "uv"


def node_tools() -> Path:
    """The folder of the programs that package.json names."""
    assert shutil.which("npm"), "npm is missing: tests/need.sh installs it"
    with _installing("package.json") as wanted:
        if wanted:
            run(
                "npm", "install", "--no-package-lock", "--no-fund", "--no-audit", "--ignore-scripts"
            )
    return NODE_MODULES / ".bin"


def python_tools() -> Path:
    """The folder of the programs that requirements.txt names, and of their Python."""
    with _installing("requirements.txt") as wanted:
        if wanted:
            venv = str(PYTHON.parents[1])
            run(str(UV), "venv", "-q", "--clear", "--python", sys.executable, venv)
            run(str(UV), "pip", "install", "-q", "--python", venv, "-r", wanted)
    return PYTHON.parent


def run(*command: str, folder: Path = FOLDER, **environ: str) -> str:
    """What the command says, which has to succeed; it neither reports home nor asks for news."""
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    path = f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **quiet, "PATH": path, "NO_PROXY": "127.0.0.1", **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}"
    return done.stdout


@contextmanager
def _installing(name: str) -> Iterator[str | None]:
    """The copy of the file `name` to install from, or None if that has been done.

    One process at a time: the others wait, and find it done.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted, copy, mark = HERE / name, FOLDER / name, FOLDER / f"{name}.installed"
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if mark.is_file() and mark.read_bytes() == wanted.read_bytes():
            yield None
            return
        shutil.copy(wanted, copy)
        yield str(copy)
        shutil.copy(wanted, mark)

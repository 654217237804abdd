"""Compares the speed of the compiled and the plain form, in the search of Astrocyte.

`python -m tests.bench.forms`; needs a C compiler.
"""

import importlib.util
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROUNDS = 5
DEALS = range(1, 5)

_WORK = """
import time
from service.bots.astrocyte.fair import FAIR, plan
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.solvers import FORMS
from service.solvers.astrocyte.solver import solve

began = time.process_time()
for number in range({first}, {end}):
    position = start_position(PublicDeal(VARIANTS["astrocyte"], number))
    while {hints} and not position.view.won and (found := plan(position.view, FAIR)):
        for move in found:
            position = position.after(move)
    if not {hints}:
        solve(position)
print(FORMS["astrocyte"], time.process_time() - began)
"""


def report() -> None:
    """Prints how many times faster the compiled form is, for hints and for solving.

    The hints play whole games, so that their figure includes the time of the rules.
    """
    with tempfile.TemporaryDirectory() as scratch:
        plain, compiled = Path(scratch, "plain"), Path(scratch, "compiled")
        for folder in (plain, compiled):
            shutil.copytree(
                ROOT / "service", folder / "service", ignore=shutil.ignore_patterns("*.so")
            )
        for file in _hook().compile_into(Path(scratch, "made")):
            shutil.copy(file, compiled / file.relative_to(Path(scratch, "made")))
        for what, hints in (("hints", True), ("solving", False)):
            ratios = [_seconds(plain, hints) / _seconds(compiled, hints) for _ in range(ROUNDS)]
            print(f"Compiled, {what}: {statistics.median(ratios):.1f} times as fast", end=" ")
            print(f"({min(ratios):.1f} to {max(ratios):.1f} in {ROUNDS} rounds)")


def _seconds(folder: Path, hints: bool) -> float:
    """CPU time in seconds of the work with the package in `folder`."""
    work = _WORK.format(first=DEALS[0], end=DEALS[-1] + 1, hints=hints)
    ran = subprocess.run(
        [sys.executable, "-P", "-c", work],
        env={"PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    form, seconds = ran.stdout.split()
    assert form == folder.name
    return float(seconds)


def _hook():
    spec = importlib.util.spec_from_file_location("build_hook", ROOT / "deploy" / "build_hook.py")
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    return hook


if __name__ == "__main__":
    report()

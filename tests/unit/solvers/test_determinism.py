"""A verdict is the same in every process, whatever its hash seed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.games import VARIANTS
from service.solvers import SOLVERS
from tests.support.walks import start

ROOT = Path(__file__).parents[3]
DEALS = {"astrocyte": (1, 3), "binary-star": (1, 2, 6, 3320)}
"""Some that are won, and in Binary Star one that is lost and one that needs transfers."""
PROGRAM = """
import sys
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.solvers import SOLVERS
variant, *numbers = sys.argv[1:]
for number in numbers:
    print(SOLVERS[variant](start_position(PublicDeal(VARIANTS[variant], int(number)))))
"""


@pytest.mark.parametrize("seed", ["0", "1"])
@pytest.mark.parametrize("variant", DEALS)
def test_a_verdict_does_not_depend_on_the_process(variant, seed):
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, variant, *map(str, DEALS[variant])],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    verdicts = [SOLVERS[variant](start(VARIANTS[variant], number)) for number in DEALS[variant]]
    assert ran.stdout.splitlines() == list(map(str, verdicts))

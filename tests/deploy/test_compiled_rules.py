"""The compiled rules in the package judge, list and play as the plain ones do."""

import shutil
import subprocess

import pytest

from tests.deploy.files import ROOT

PLAYED = """
import hashlib, random, sys
import service.errors, service.games.cards, service.games.piles
nones = sys.getrefcount(None)
from service.games import VARIANTS
lost = nones - sys.getrefcount(None)
from service.deals.deal import PublicDeal, start_position
from service.games import position
from service.games.moves import DEAL, Move

def told(game, number):
    chance, at = random.Random(number), start_position(PublicDeal(game, number))
    ids = game.layout.ids
    for _ in range(60):
        moves = at.legal_moves()
        if not moves:
            return
        tries = [DEAL, *(Move(a, b, n) for a in ids for b in ids for n in (-1, 0, 1, 2, 13, 99))]
        yield at.view, [at.why_not(move) for move in tries], moves, at.view.stuck
        at, reveals = at.play(chance.choice(moves))
        yield at.under, reveals

print(position.__file__.endswith(".py"), lost > 20)
for game in VARIANTS.values():
    text = repr([each for number in (1, 2) for each in told(game, number)])
    print(hashlib.sha256(text.encode()).hexdigest())
"""

CHANGED = """
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
position = start_position(PublicDeal(VARIANTS["astrocyte"], 1))
for value, name in ((position, "view"), (position, "under"), (position.view, "cards")):
    try:
        setattr(value, name, ())
        print("changed", name)
    except AttributeError:
        pass
"""


@pytest.fixture
def run(asterism, tmp_path):
    """Runs a program with what is installed, or with a package in another folder."""

    def run(code, folder=""):
        command = [str(asterism / "bin" / "python"), "-P", "-c", code]
        environ = {"PYTHONPATH": str(folder)}
        return subprocess.check_output(command, cwd=tmp_path, env=environ, text=True)

    return run


def test_the_compiled_rules_give_the_answers_of_the_plain_ones(run, tmp_path):
    """Of any count of cards: a C index beyond the end would read what is not there."""
    without_compiled = shutil.ignore_patterns("*.so", "*.pyd")
    shutil.copytree(ROOT / "service", tmp_path / "service", ignore=without_compiled)
    compiled, plain = run(PLAYED), run(PLAYED, tmp_path)
    assert compiled.startswith("False False\n")
    assert plain.splitlines()[0] == "True False"
    assert plain.splitlines()[1:] == compiled.splitlines()[1:]


def test_compiled_positions_and_views_do_not_change(run):
    assert run(CHANGED) == ""

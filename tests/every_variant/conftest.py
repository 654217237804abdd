"""Which games the kit tests: all of the catalogue, or the one that `--variant` names.

`game` stands for each of them, `twice_read` for those that `tests/support/reading.py` reads a
second time, and `won` for each recorded game of `tests/fixtures/NAME-won-games.json`.
"""

import pytest

from service.games import VARIANTS
from tests.support import reading
from tests.support.walks import WON_GAMES


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--variant", choices=list(VARIANTS), help="test this game alone")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = metafunc.config.getoption("--variant", None)
    names = [chosen] if chosen else list(VARIANTS)
    read = [name for name in names if name in reading.GAMES]
    won = {f"{name}-{n}": game for name in names for n, game in enumerate(WON_GAMES[name])}
    for argument, values in (
        ("game", {name: VARIANTS[name] for name in names}),
        ("twice_read", {name: VARIANTS[name] for name in read}),
        ("won", won),
        ("won_twice_read", {id: game for id, game in won.items() if game.variant.name in read}),
    ):
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, values.values(), ids=values)

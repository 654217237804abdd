"""`asterism replay` shows a replay as a whole, or move by move on a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import pytest
from click.testing import CliRunner

from service.cli import main
from service.cli.render import changed_places
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from tests.http.kit import WON_DEAL, WON_LINE
from tests.support.started import start

SHORT = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": ["t7t2", "t4t3", "deal"]}
WON = {"variant": "binary-star", "deal": {"number": str(WON_DEAL)}, "moves": WON_LINE}
TEXT = "format: asterism-replay/1\nvariant: astrocyte\nnumber: 1\n\nt7t2 t7=KD\nt4t3 t4=6C\n"


def show(given, *words):
    data = given if isinstance(given, (str, bytes)) else json.dumps(given)
    return CliRunner().invoke(main, ["replay", "-", *words], input=data)


def test_the_first_table_every_move_and_the_last_table_are_printed():
    result = show(SHORT)
    assert result.exit_code == 0
    start, moves, *_ = re.split(r"\n\n(?= +1 )|\n\n(?=Astrocyte, ply 3)", result.output)
    assert start.splitlines()[0] == "Astrocyte, ply 0 of 3"
    assert "▒7  ▒7  ▒7  ▒7  ▒7  ▒7  ▒7  ▒7" in start
    assert "K♣  T♣  7♣  6♠  J♥  4♣  9♥  A♥" in start
    assert re.findall(r"^ *\d +(\w+)", moves, re.M) == ["t7t2", "t4t3", "deal"]
    assert moves.splitlines()[0].endswith("t7 K♦")
    assert result.output.splitlines()[-1] == "right: in progress after 3 moves"
    assert "\x1b" not in result.output, "colours are for a terminal"


def test_a_won_game_is_reported_as_won():
    assert show(WON).output.splitlines()[-1] == f"right: won after {len(WON_LINE)} moves"


def test_the_text_form_is_shown_like_the_json_form():
    assert show(TEXT).output == show({**SHORT, "moves": SHORT["moves"][:2]}).output


def test_one_table_can_be_printed_if_there_is_that_ply():
    result = show(SHORT, "--ply", "1")
    assert result.output.startswith("Astrocyte, ply 1 of 3\n   1  t7t2  t7 K♦\n")
    assert "ply 2" not in result.output
    result = show(SHORT, "--ply", "4")
    assert (result.exit_code, "no ply 4" in result.output) == (2, True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": ["t7t2", "t1t1", "deal"]}, "wrong at ply 2: t1t1: "),
        ({"reveals": [{"ply": 1, "pile": "t7", "card": "KH"}]}, "wrong at ply 1: t7t2: "),
        ({"status": "won"}, "wrong at ply 3: The moves do not win the game."),
        ({"ruleset": "binary-star/1"}, "wrong at ply 0: "),
    ],
)
def test_a_wrong_replay_is_shown_up_to_its_first_error(changes, message):
    result = show({**SHORT, **changes})
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith(message)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "/variant"),
        ("variant astrocyte", "is not a name and a value"),
        ("{", "The body is not JSON"),
        ("{}", "/variant"),
        ('{"variant": "astrocyte", "deal": {"number": 1}, "moves": []}', "/deal/number"),
        (TEXT.replace("t7=KD", "t7=K"), "'t7=K' is not a pile and its card"),
        (TEXT.replace("t4t3", "t4"), "/moves/1"),
        (TEXT.replace("number: 1", "number: 1\nnumber: 2"), "is unknown or repeated"),
        (TEXT.replace("number: 1", "seed: 1"), "is unknown or repeated"),
        (TEXT.replace("replay/1", "replay/2"), "/format"),
        (b"\xff\xfd", "not UTF-8"),
    ],
)
def test_what_is_no_replay_is_a_usage_error(given, message):
    result = show(given)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("name", VARIANTS)
def test_the_cards_that_were_moved_or_turned_are_highlighted(name):
    position = start_position(PublicDeal(VARIANTS[name], 1))
    assert changed_places(position.view, position.view) == frozenset()
    for move in position.legal_moves():
        after, reveals = position.play(move)
        target = after.view[move.target] if move.target in VARIANTS[name].layout.index else None
        top = {(target.id, len(target.cards) - 1)} if target else set()
        turned = {(r.pile, len(after.view[r.pile].cards) - 1) for r in reveals}
        assert changed_places(position.view, after.view) == top | turned


# On a terminal

LEFT = "\x1b[?1049l"
"""The sequence that restores the terminal."""


class Terminal:
    """A terminal on which a replay is shown."""

    def __init__(self, file, columns=80, lines=40):
        self._end, other = pty.openpty()
        self.resize(columns, lines)
        environ = {**os.environ, "TERM": "xterm-256color"}
        self.process = start(
            [sys.executable, "-m", "service", "replay", str(file)],
            stdin=other,
            stdout=other,
            stderr=other,
            env={name: environ[name] for name in environ.keys() - {"COLUMNS", "LINES"}},
        )
        os.close(other)
        self.output = ""

    def resize(self, columns, lines):
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, *keys):
        os.write(self._end, "".join(keys).encode())

    def wait(self, until, before=None):
        """Waits until `until` is on the screen, and gives what was shown since `before`."""
        before = len(self.output) if before is None else before
        deadline = time.monotonic() + 30
        while until not in self.output[before:]:
            assert time.monotonic() < deadline, f"{until!r} is not in {self.output[before:]!r}"
            if select.select([self._end], [], [], 0.5)[0]:
                self.output += os.read(self._end, 65_536).decode("utf-8", "replace")
        return self.output[before:]

    def leave(self):
        self.press("q")
        self.wait(LEFT)
        assert self.process.wait(20) == 0


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(SHORT))
    return file


def test_keys_step_through_a_replay_on_a_terminal(file):
    terminal = Terminal(file)
    terminal.wait("ply 0 of 3")
    for key, ply in (("n", 1), ("\x1b[F", 3), ("p", 2), ("\x1b[H", 0), ("\x1b[C", 1)):
        terminal.press(key)
        terminal.wait(f"ply {ply} of 3")
    terminal.leave()
    assert "\x1b[31m" in terminal.output


def test_no_key_is_lost_however_quickly_keys_are_pressed(tmp_path):
    file = tmp_path / "won.json"
    file.write_text(json.dumps(WON))
    terminal = Terminal(file)
    terminal.wait("ply 0 of")
    for _ in range(30):
        terminal.press("n")
    terminal.press(*["\x1b[C"] * 20, *["p"] * 5)
    terminal.wait("ply 45 of")
    terminal.leave()


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 12), (33, 6), (10, 4), (1, 1)])
def test_a_replay_fits_a_terminal_of_any_size(file, columns, lines):
    terminal = Terminal(file, columns, lines)
    shown = terminal.wait("A")
    terminal.press("\x1b[F", *["j"] * 60)
    if lines > 3 and columns > 8:
        terminal.wait("right: in progress"[: columns - 1], len(shown))
    terminal.leave()
    rows = {int(row) for row in re.findall(r"\x1b\[(\d+);1H", terminal.output)}
    assert rows == set(range(1, lines + 1))


def test_a_replay_is_drawn_anew_when_the_terminal_is_resized(file):
    terminal = Terminal(file, 80, 8)
    assert "scroll" in terminal.wait("q quit")
    terminal.resize(80, 50)
    assert "scroll" not in terminal.wait("q quit")
    terminal.leave()

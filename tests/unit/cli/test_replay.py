"""`asterism replay` shows a replay as a whole, or move by move on a terminal."""

import fcntl
import io
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from contextlib import asynccontextmanager

import pytest
from click.testing import CliRunner
from textual.containers import VerticalScroll
from textual.widgets import Static

from service.cli import main
from service.cli.parameters import read_replay
from service.cli.render import changed_places
from service.cli.replay import ReplayViewer
from service.cli.replay_app import ReplayApp
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.play.referee import play_through
from tests.http.kit import WON_DEAL, WON_LINE
from tests.support.started import start
from tests.terminal.kit import played

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


@asynccontextmanager
async def shown(given, size=(80, 40)):
    viewer = ReplayViewer(found := read(given), play_through(found))
    async with ReplayApp(viewer).run_test(size=size) as pilot:
        yield pilot


def read(given):
    return read_replay(io.BytesIO(json.dumps(given).encode()))


def heading(pilot):
    return pilot.app.query_one("#table", Static).content.plain.splitlines()[0]


@played
async def test_keys_step_through_a_replay():
    async with shown(SHORT) as pilot:
        assert heading(pilot) == "Astrocyte, ply 0 of 3"
        for key, ply in (("n", 1), ("end", 3), ("p", 2), ("home", 0), ("right", 1), ("G", 3)):
            await pilot.press(key)
            assert heading(pilot) == f"Astrocyte, ply {ply} of 3"


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (33, 6), (10, 4), (1, 1)])
def test_a_replay_fits_a_terminal_of_any_size(size):
    @played
    async def test():
        async with shown(SHORT, size) as pilot:
            table, verdict = pilot.app.query_one(VerticalScroll), pilot.app.query_one("#verdict")
            await pilot.press("end", "j")
            assert table.scroll_y == min(1, table.max_scroll_y)
            await pilot.press("k")
            assert (table.scroll_y, table.max_scroll_x) == (0, 0)
            if size[1] > 3:
                assert verdict.region.bottom < size[1]

    test()


@played
async def test_a_replay_is_drawn_anew_when_the_terminal_is_resized():
    async with shown(SHORT, (40, 8)) as pilot:
        table = pilot.app.query_one(VerticalScroll)
        assert table.max_scroll_y > 0
        await pilot.resize_terminal(80, 50)
        await pilot.pause()
        assert table.max_scroll_y == 0


@played
async def test_a_wrong_replay_can_be_stepped_through_up_to_its_error():
    async with shown({**SHORT, "moves": ["t7t2", "t1t1"]}) as pilot:
        await pilot.press("end")
        assert heading(pilot) == "Astrocyte, ply 1 of 1"
        verdict = pilot.app.query_one("#verdict", Static)
        assert verdict.content.startswith("wrong at ply 2: t1t1: ")
        assert verdict.has_class("wrong")


def test_no_key_is_lost_however_quickly_keys_are_pressed(tmp_path):
    file = tmp_path / "won.json"
    file.write_text(json.dumps(WON))
    end, terminal = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    command = [sys.executable, "-m", "service", "replay", str(file)]
    environ = {**os.environ, "TERM": "xterm-256color"}
    sizes = ("COLUMNS", "LINES")
    process = start(
        command,
        **dict.fromkeys(("stdin", "stdout", "stderr"), terminal),
        env={name: text for name, text in environ.items() if name not in sizes},
    )
    os.close(terminal)
    wait(end, "ply 0 of")
    os.write(end, ("n" * 30 + "\x1b[C" * 20 + "p" * 5).encode())
    wait(end, "ply 45 of")
    os.write(end, b"q")
    wait(end, "right: won after")
    assert process.wait(20) == 0


def wait(terminal, until):
    """Waits until `until` is shown."""
    output, deadline = "", time.monotonic() + 30
    while until not in output:
        assert time.monotonic() < deadline, f"{until!r} is not in {output!r}"
        if select.select([terminal], [], [], 0.5)[0]:
            output += os.read(terminal, 65_536).decode("utf-8", "replace")

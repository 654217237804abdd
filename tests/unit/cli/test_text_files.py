"""Texts come back from mail, Windows and editors, and terminals have encodings of all kinds."""

import json
import os
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from service.cli import main
from service.cli.text_files import read_text
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.boards import print_position
from tests.support.started import start
from tests.unit.deals.test_verification import SEALED, revealed

BOARD = print_position(start_position(PublicDeal(VARIANTS["binary-star"], 1))) + "\n"
REPLAY = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": ["t7t2", "t4t3"]}
TEXT = "format: asterism-replay/1\nvariant: astrocyte\nnumber: 1\n\nt7t2 t7=KD\nt4t3 t4=6C\n"
ROW = {"variant": "binary-star", "deal": "1", "verdict": "unknown"}

READ = {
    "a board": (("perft", "binary-star", "--depth", "1", "--board", "-"), BOARD),
    "a replay": (("replay", "-"), TEXT),
    "a replay as JSON": (("replay", "-"), json.dumps(REPLAY, indent=2) + "\n"),
    "a reveal": (("verify-deal", "-"), json.dumps(revealed(SEALED), indent=2) + "\n"),
    "lines of JSON": (("catalogue", "binary-star", "-"), json.dumps(ROW) + "\n"),
}
"""Each command that reads a text, and such a text."""

FORMS = {
    "of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "of an old Mac": lambda text: text.replace("\n", "\r").encode(),
    "with line ends doubled": lambda text: text.replace("\n", "\r\r\n").encode(),
    "with blanks at line ends": lambda text: text.replace("\n", " \t\n").encode(),
    "with blank lines around": lambda text: b"\n \n" + text.encode() + b"\n\n",
    "without a last newline": lambda text: text.rstrip("\n").encode(),
    "with the mark of UTF-8": lambda text: text.encode("utf-8-sig"),
    "as UTF-16, the low byte first": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "as UTF-16, the high byte first": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "as UTF-32": lambda text: text.encode("utf-32"),
}


def run(words, data):
    return CliRunner().invoke(main, words, input=data)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(("words", "text"), READ.values(), ids=READ)
def test_a_text_is_read_in_every_form_in_which_it_comes_back(words, text, form):
    result = run(words, form(text))
    assert result.exit_code == 0, result.output
    assert result.output == run(words, text.encode()).output


@pytest.mark.parametrize(("words", "text"), READ.values(), ids=READ)
def test_a_quoted_text_is_refused_in_words(words, text):
    result = run(words, text.replace("\n", "\n> ").encode())
    assert result.exit_code == 2
    assert "remove the >" in result.output


def test_line_separators_inside_of_a_json_string_are_left_as_they_are(tmp_path):
    file = tmp_path / "text"
    file.write_text('{"label": "a\u2028b\x85c"}\n', encoding="utf-8")
    with file.open("rb") as binary:
        assert read_text(binary) == '{"label": "a\u2028b\x85c"}'


# Terminals


def asterism(*words, input="", **environ):
    """Runs the command as a process with these variables in its environment."""
    return subprocess.run(
        [sys.executable, "-m", "service", *words],
        input=input.encode(),
        env={**os.environ, **environ},
        capture_output=True,
        timeout=60,
        check=False,
    )


ASCII = [
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "ascii:strict"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
]


@pytest.mark.parametrize("environ", ASCII)
def test_where_there_are_no_suit_symbols_suits_are_letters(environ):
    shown = asterism("replay", "-", input=TEXT, **environ)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"KC  TC  7C  6S  JH  4C  9H  AH" in shown.stdout
    assert b"#7  #7" in shown.stdout


@pytest.mark.parametrize("encoding", ["cp437", "latin-1", "utf-16", "cp1252:strict"])
def test_a_terminal_of_another_encoding_gets_what_it_can_show(encoding):
    shown = asterism("replay", "-", input=TEXT, PYTHONIOENCODING=encoding)
    assert (shown.returncode, shown.stderr) == (0, b"")


def test_help_is_shown_on_an_ascii_terminal():
    assert asterism("catalogue", "--help", PYTHONIOENCODING="ascii").returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("board", "astrocyte", "--deal", "1"),
        ("solve", "binary-star", "--deal", "1..3"),
        ("replay", "-"),
        ("--help",),
    ],
)
def test_a_reader_who_leaves_is_not_told_of_it(words):
    reader, writer = os.pipe()
    os.close(reader)
    process = start(
        [sys.executable, "-m", "service", *words],
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    _, told = process.communicate(TEXT.encode(), timeout=60)
    assert told == b""


def test_a_run_in_the_background_of_a_script_ends_like_any_other():
    """There the shell has SIGINT ignored."""
    process = subprocess.run(
        [sys.executable, "-m", "service", "solve", "binary-star", "--deal", "1..3"],
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert len(process.stdout.splitlines()) == 3

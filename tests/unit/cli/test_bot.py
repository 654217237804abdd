"""`asterism bot` and `arena`: bots of one's own, their faults, and what is shown of their games."""

import json
import re
import sys
from textwrap import dedent

import pytest
from click.testing import CliRunner

from service.cli import main
from service.cli.bot import EXAMPLE

GAMES = ("--variant", "binary-star", "--deal")


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """Writes a bot into a file of this folder, and gives what it is called."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(body, name="mine.py"):
        (tmp_path / name).write_text(dedent(body))
        return f"./{name}"

    return write


def choosing(*lines):
    """A class whose method `choose` has these lines."""
    return "class Bot:\n    def choose(self, view):\n" + "".join(f"        {n}\n" for n in lines)


def test_a_bot_prints_a_line_per_game_or_a_table():
    result = run("bot", "--bot", "greedy", *GAMES, "3..5", "--json")
    lines = rows(result.stdout)
    assert " ".join(lines[0]) == "variant deal bot seed won moves seconds"
    assert [(line["deal"], line["won"]) for line in lines] == [
        ("3", False),
        ("4", True),
        ("5", False),
    ]
    table = run("bot", "--bot", "greedy", *GAMES, "3..5")
    assert "greedy" in table.stdout
    assert "33.3% (6.1–79.2)" in table.stdout
    assert table.stderr == ""


def test_a_bot_continues_its_file_and_its_table_tells_of_all_games(tmp_path):
    file = tmp_path / "lines"
    run("bot", "--bot", "greedy", *GAMES, "1..3", "--out", file)
    kept = file.read_bytes()
    result = run("bot", "--bot", "greedy", *GAMES, "1..6", "--out", file)
    assert file.read_bytes().startswith(kept)
    assert [row["deal"] for row in rows(file.read_text())] == [*"123456"]
    assert "16.7%" in result.stdout


def test_the_bot_that_the_help_shows_plays_as_it_stands(bot):
    told = run("bot", "--help").output
    assert all(line.strip() in told for line in EXAMPLE.splitlines())
    result = run("bot", "--bot", bot(EXAMPLE), *GAMES, "1..5", "--json")
    assert result.exit_code == 0, result.output
    assert all(row["moves"] > 5 for row in rows(result.stdout))


def test_a_bot_may_answer_with_texts_or_with_plans_and_stands_in_a_module_of_any_name(bot):
    texts = choosing("return str(view.legal_moves()[0]) if view.legal_moves() else None")
    bot(texts.replace("Bot", "Texts"), "texts.py")
    plans = """
    class Plans:
        def plan(self, view):
            return [str(move) for move in view.legal_moves()[:1]]
    """
    bot(plans, "plans.py")
    result = run("arena", "texts:Texts", "./plans.py:Plans", *GAMES, "1..3", "--json")
    assert result.exit_code == 0, result.output
    games = {(row["bot"], row["deal"]): row["moves"] for row in rows(result.stdout)}
    assert [games["texts:Texts", n] for n in "123"] == [games["./plans.py:Plans", n] for n in "123"]


def test_a_bot_is_given_a_seed_of_its_own_for_each_deal_and_the_same_one_again(bot):
    body = """
    import random

    class Bot:
        def __init__(self, seed):
            self.random = random.Random(seed)

        def choose(self, view):
            print("thinking")
            return None if view.stuck else self.random.choice(view.legal_moves())
    """

    def moves(*more):
        found = run("bot", "--bot", bot(body), *GAMES, "1..6", "--json", *more)
        return [row["moves"] for row in rows(found.stdout)]

    assert moves() == moves()
    assert moves() != moves("--seed", "1")


ILLEGAL = choosing(
    'stuck = view.stuck or len(view["f1"].cards) > 4',
    'return "t2t3" if stuck else view.legal_moves()[0]',
)
RAISING = choosing("def deeper():", '    return view["t99"]', "return deeper()")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (ILLEGAL, r"mine.py plays t2t3 at ply \d+ of deal 1, which is illegal \([a-z-]+\): .+"),
        (RAISING, r"raises an error at ply 0 of deal 1: KeyError: 't99' \(mine.py:4\)"),
        (choosing("raise SystemExit(3)"), r"SystemExit: 3 \(mine.py:3\)"),
        (choosing("return 42"), "answers 42 at ply 0 of deal 1, which is no move"),
        (choosing("return 'hello'"), "answers 'hello' at ply 0 of deal 1, which is no move"),
        (
            choosing("import os", "os._exit(7)"),
            r"The process for ./mine.py, deal 1 has ended \(7\)",
        ),
        (choosing("while True: pass"), "deal 1: no answer within 0.5 s at ply 0"),
        (choosing("while sum(iter(int, 1)): pass"), "deal 1: no answer within 0.5 s at ply 0"),
        (choosing("raise KeyboardInterrupt"), "mine.py, deal 1 raises KeyboardInterrupt"),
        (
            choosing("from asyncio import CancelledError", "raise CancelledError"),
            r"raises an error at ply 0 of deal 1: CancelledError \(mine.py:4\)",
        ),
        (choosing("pass").replace("def", "async def"), "choose of Bot is async"),
        ("while True: pass", r"TimeoutError: no end within 0.5 s; .+ --timeout \(mine.py:1\)"),
        ("1 / 0", r"cannot be loaded: ZeroDivisionError: division by zero \(mine.py:1\)"),
        ("class Bot: def", r"cannot be loaded: SyntaxError: invalid syntax \(mine.py:1\)"),
        ("import no_such_library", "No module named 'no_such_library'"),
        (choosing("return None").replace("Bot", "Mine"), "has no class Bot. It has Mine"),
        ("class Bot: pass", "has no method choose"),
        ("class Bot:\n def __init__(self, deck): 0\n def choose(self, view): 0", "asks for deck"),
    ],
)
def test_what_a_bot_does_wrong_is_told_in_one_line(bot, body, message):
    result = run("bot", "--bot", bot(body), *GAMES, "1", "--timeout", "0.5")
    assert result.exit_code in (1, 2)
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert re.search(message, result.stderr), result.stderr
    assert result.stdout == ""


def test_games_that_were_finished_before_and_after_a_fault_are_kept_and_shown(bot, tmp_path):
    fourth = run("board", "binary-star", "--deal", 4).output.split()[1]
    body = choosing(f'while view["t1"].cards[0] == {fourth!r}: pass', "return None")
    file = tmp_path / "lines"
    words = ("--out", file, "--parallel", "2", "--timeout", "1")
    result = run("bot", "--bot", bot(body), *GAMES, "1..9", *words)
    assert result.exit_code == 1
    assert "./mine.py, deal 4: no answer within 1 s" in result.stderr
    assert [row["deal"] for row in rows(file.read_text())] == [*"12356789"]
    assert "./mine.py      8    0" in result.stdout


def test_an_arena_compares_bots_on_the_same_deals_and_draws_them(tmp_path):
    picture = tmp_path / "plot.svg"
    result = run("arena", "random", "greedy", "solver", *GAMES, "1..10", "--plot", picture)
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    assert "solver wins more than greedy: chance alone would give a difference like this in" in said
    assert "random and greedy: no difference is shown." in said
    assert "greedy, solver 0 7 2 1 0.016" in said
    assert picture.read_text().count("<circle") == 3


def test_a_plot_that_cannot_be_written_costs_no_game(tmp_path):
    arena = ("arena", "random", "greedy", *GAMES, "1..3", "--plot")
    early = [run(*arena, tmp_path / "plot.png"), run(*arena, tmp_path / "none" / "plot.svg")]
    assert [(result.exit_code, result.stdout) for result in early] == [(2, ""), (2, "")]
    assert "call it" in early[0].stderr
    assert "There is no folder" in early[1].stderr
    nowhere = tmp_path / "plot.svg"
    nowhere.symlink_to(tmp_path / "none" / "plot.svg")
    late = run(*arena, nowhere)
    assert late.exit_code == 1
    assert "random and greedy" in late.stdout


def test_a_label_key_needs_its_label_unless_it_only_stands_in_the_environment(monkeypatch):
    greedy = ("bot", "--bot", "greedy", *GAMES, "3")
    assert "give --label too" in run(*greedy, "--label-key", "key").stderr
    assert "give --label too" in run("play", "--url", "http://a.test", "--label-key", "key").stderr
    monkeypatch.setenv("ASTERISM_LABEL_KEY", "key")
    assert run(*greedy).exit_code == 0
    assert "needs a terminal" in run("play").stderr


def test_an_arena_is_resumed(tmp_path):
    file = tmp_path / "lines"
    words = ("arena", "random", "greedy", *GAMES, "1..4", "--out", file)
    run(*words)
    lines = file.read_text().splitlines(keepends=True)
    assert [json.loads(line)["bot"] for line in lines] == ["random", "greedy"] * 4
    file.write_text("".join(lines[:3]))
    assert run(*words).exit_code == 0
    assert file.read_text().splitlines(keepends=True)[:3] == lines[:3]
    assert len(rows(file.read_text())) == 8
    assert run("arena", "random", "solver", *GAMES, "1..4", "--out", file).exit_code == 1

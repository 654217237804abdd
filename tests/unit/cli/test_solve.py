"""`asterism solve` and `catalogue`: ordered lines, resumed runs and clear errors."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from service.cli import main
from service.deals.catalogue import catalogue
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.boards import print_position
from service.games.moves import parse_move
from tests.support.processes import Processes, cpu
from tests.support.servers import until
from tests.support.started import start
from tests.support.walks import played

GAME = VARIANTS["binary-star"]


def run(*words, given=None):
    return CliRunner().invoke(main, words, input=given)


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def without_time(file):
    return [{**row, "seconds": None} for row in rows(file.read_text())]


def solved(*words, **more):
    result = run("solve", *words, **more)
    assert result.exit_code == 0, result.output
    return rows(result.stdout)


def test_solve_writes_a_line_per_deal_in_order():
    lines = solved("binary-star", "--deal", "5..8")
    assert " ".join(lines[0]) == "variant deal budget verdict moves transfers positions seconds"
    assert [(line["deal"], line["verdict"], line["moves"]) for line in lines] == [
        ("5", "winnable", 102),
        ("6", "unwinnable", None),
        ("7", "winnable", 102),
        ("8", "winnable", 102),
    ]


@pytest.mark.parametrize(("variant", "number"), [("binary-star", 1), ("astrocyte", 8)])
def test_solve_includes_the_winning_moves_on_request(variant, number):
    (line,) = solved(variant, "--deal", str(number), "--line")
    first = start_position(PublicDeal(VARIANTS[variant], number))
    assert played(first, map(parse_move, line["line"])).end.view.won


def test_a_board_is_solved_without_naming_its_variant():
    position = start_position(PublicDeal(GAME, 1))
    position = position.after(position.legal_moves()[0])
    (line,) = solved("--board", "-", given=print_position(position))
    assert (line["variant"], line["deal"], line["verdict"]) == ("binary-star", None, "winnable")
    assert line["moves"] == 101


def test_a_small_budget_gives_up_and_says_so():
    (line,) = solved("binary-star", "--deal", "3", "--budget", "50")
    assert (line["verdict"], line["moves"]) == ("unknown", None)


def test_an_interrupted_run_is_resumed(tmp_path):
    whole, file = tmp_path / "whole", tmp_path / "lines"
    run("solve", "binary-star", "--deal", "1..12", "--out", str(whole))
    run("solve", "binary-star", "--deal", "1..5", "--out", str(file))
    kept = file.read_bytes()
    file.write_bytes(kept + b'{"variant":"binary-star","dea')
    assert run("solve", "binary-star", "--deal", "1..12", "--out", str(file)).exit_code == 0
    assert file.read_bytes().startswith(kept)
    assert without_time(file) == without_time(whole)


def test_lines_that_an_interrupted_run_left_behind_a_gap_are_kept_and_put_in_order(tmp_path):
    whole, file = tmp_path / "whole", tmp_path / "lines"
    run("solve", "binary-star", "--deal", "1..6", "--out", str(whole))
    lines = whole.read_text().splitlines(keepends=True)
    file.write_text("".join([lines[0], lines[3], lines[4]]))
    assert run("solve", "binary-star", "--deal", "1..6", "--out", str(file)).exit_code == 0
    assert without_time(file) == without_time(whole)
    assert rows(file.read_text())[3] == json.loads(lines[3])
    file.write_text(lines[0] * 2)
    assert run("solve", "binary-star", "--deal", "1..6", "--out", str(file)).exit_code == 1


def test_lines_about_other_deals_are_not_overwritten(tmp_path):
    file = tmp_path / "lines"
    run("solve", "binary-star", "--deal", "5..6", "--out", str(file))
    kept = file.read_bytes()
    result = run("solve", "binary-star", "--deal", "6..12", "--out", str(file))
    assert result.exit_code == 1
    assert "is not from this run: line 1 has another deal or option" in result.output
    assert file.read_bytes() == kept


SOLVE = ("solve", "binary-star", "--budget", "40")
PLAY = ("bot", "--variant", "binary-star", "--bot", "random", "--seed", "1")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (SOLVE, ("solve", "binary-star")),
        (SOLVE, (*SOLVE[:3], "41")),
        (SOLVE, (*SOLVE, "--line")),
        (SOLVE, PLAY),
        (PLAY, SOLVE),
        (PLAY, (*PLAY[:-1], "2")),
        (PLAY, ("bot", "--variant", "binary-star", "--bot", "greedy", "--seed", "1")),
        (PLAY, ("bot", "--variant", "astrocyte", *PLAY[3:])),
    ],
)
def test_lines_of_another_command_or_option_are_not_mixed_in(tmp_path, first, second):
    file = tmp_path / "lines"
    assert run(*first, "--deal", "1..2", "--out", str(file)).exit_code == 0
    kept = file.read_bytes()
    result = run(*second, "--deal", "1..3", "--out", str(file))
    assert result.exit_code == 1
    assert "line 1 has another deal or option" in result.output
    assert file.read_bytes() == kept
    assert run(*first, "--deal", "1..3", "--out", str(file)).exit_code == 0
    assert len(rows(file.read_text())) == 3


def test_the_form_of_the_search_is_said_only_where_there_are_two():
    def told(*words):
        return run(*words, "--deal", "1").stderr

    assert "The search of Astrocyte" in told("solve", "astrocyte", "--budget", "1")
    assert told("bot", "--variant", "astrocyte", "--bot", "random") == ""
    assert told("solve", "binary-star") == ""


def test_a_run_does_not_resume_from_a_device():
    """It would be read first, and `/dev/zero` has no end."""
    result = run("solve", "binary-star", "--deal", "1..3", "--out", os.devnull)
    assert result.exit_code == 1
    assert f"{os.devnull} is not a regular file" in result.output


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_process_behind(end):
    words = ["solve", "binary-star", "--deal", "1..1000000"]
    process = start([sys.executable, "-m", "service", *words], stdout=subprocess.PIPE)
    process.stdout.readline()
    workers = Processes(process.pid).workers
    process.send_signal(end)
    process.communicate(timeout=30)
    assert workers
    until(lambda: not any(map(cpu, workers)))


def test_ctrl_c_ends_a_run_without_a_traceback_and_leaves_complete_lines(tmp_path):
    file = tmp_path / "lines"
    words = ["solve", "binary-star", "--deal", "1..1000000", "--out", str(file)]
    process = start(
        [sys.executable, "-m", "service", *words],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    )
    deadline = time.monotonic() + 30
    while not (file.exists() and len(rows(file.read_text())) > 2) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert [line["deal"] for line in rows(file.read_text())][:3] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("deals", "budget", "counts"),
    [
        ("1..30", "4000000", ["won without transfers      27   90.000%", "undecided      "]),
        ("1..3", "5", ["undecided                   3  100.000%"]),
    ],
)
def test_a_catalogue_is_made_from_lines_and_tells_its_counts(tmp_path, deals, budget, counts):
    file, made = tmp_path / "lines", tmp_path / "made.json.gz"
    run("solve", "binary-star", "--deal", deals, "--budget", budget, "--out", str(file))
    result = run("catalogue", "binary-star", str(file), "--out", str(made))
    assert result.exit_code == 0
    assert [count for count in counts if count not in result.output] == []
    assert made.stat().st_size > 50


def test_difficulty_is_how_often_a_bot_lost(tmp_path, monkeypatch):
    def written(name, **columns):
        file = tmp_path / name
        given = [
            {"variant": "astrocyte", "deal": str(n), **dict(zip(columns, values, strict=True))}
            for n, values in enumerate(zip(*columns.values(), strict=True), start=1)
        ]
        file.write_text("".join(json.dumps(row) + "\n" for row in given))
        return str(file)

    facts = {"verdict": ["winnable"] * 3, "transfers": [0] * 3, "positions": [9] * 3}
    solved = written("solved", moves=[201, 202, 203], **facts)
    words = []
    for seed, won in enumerate(((1, 1, 0), (1, 0, 0), (1, 1, 0), (1, 0, 0))):
        games = {"bot": ["fair"] * 3, "seed": [seed] * 3, "won": map(bool, won)}
        words += ["--played", written(f"run-{seed}", **games)]
    made = tmp_path / "astrocyte.json.gz"
    assert run("catalogue", "astrocyte", solved, *words, "--out", str(made)).exit_code == 0
    monkeypatch.setattr("service.deals.catalogue.files", lambda _: tmp_path)
    kept = catalogue.__wrapped__("astrocyte")
    assert [(entry.difficulty, entry.moves) for entry in kept.entries(0, None, None)] == [
        (1, 201),
        (3, 202),
        (5, 203),
    ]
    assert kept.command.split("; ")[1:3] == [
        "asterism bot --bot fair --variant astrocyte --seed 0 --deal 1..3",
        "asterism bot --bot fair --variant astrocyte --seed 1 --deal 1..3",
    ]


def test_a_catalogue_needs_played_and_solved_lines_about_the_same_deals(tmp_path):
    file = tmp_path / "solved"
    run("solve", "binary-star", "--deal", "1..2", "--out", str(file))
    played = tmp_path / "played"
    words = ("--variant", "binary-star", "--bot", "greedy", "--deal", "1..3", "--out", str(played))
    run("bot", *words)
    result = run("catalogue", "binary-star", str(file), "--played", str(played))
    assert result.exit_code == 2
    assert "played deals are not the solved ones" in result.output
    result = run("catalogue", "binary-star", str(file), "--played", str(file))
    assert "not output of `asterism bot`" in result.output


ROW = '{"variant":"binary-star","deal":"1"'
NOT_SOLVED = "line 1 is not output of `asterism solve`"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "has no lines"),
        ("nonsense\n", "Line 1 is not a JSON object"),
        ('{"variant":"binary-star","deal":"2"}\n', "line 1 is not about deal 1"),
        ('{"variant":"astrocyte","deal":"1"}\n', "line 1 is not about deal 1 of binary-star"),
        (f"{ROW}}}\n", NOT_SOLVED),
        (f'{ROW},"verdict":"winnable","moves":null}}\n', NOT_SOLVED),
        (f'{ROW},"verdict":"maybe"}}\n', NOT_SOLVED),
    ],
)
def test_a_catalogue_refuses_other_lines(tmp_path, lines, message):
    file = tmp_path / "lines"
    file.write_text(lines)
    result = run("catalogue", "binary-star", str(file))
    assert result.exit_code == 2
    assert message in result.output

"""`asterism solve`, `play` and `catalogue`: ordered lines, resumed runs and clear errors."""

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

GAME = VARIANTS["binary-star"]


def run(*words, given=None):
    return CliRunner().invoke(main, words, input=given)


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def without_time(lines):
    return [{**row, "seconds": None} for row in lines]


def solved(*words, **more):
    result = run("solve", *words, **more)
    assert result.exit_code == 0, result.output
    return rows(result.stdout)


def test_solve_writes_a_line_per_deal_in_order():
    lines = solved("binary-star", "--deal", "5..8")
    assert [line["deal"] for line in lines] == ["5", "6", "7", "8"]
    assert list(lines[0]) == [
        "variant",
        "deal",
        "budget",
        "verdict",
        "moves",
        "transfers",
        "positions",
        "seconds",
    ]
    assert [line["verdict"] for line in lines] == [
        "winnable",
        "unwinnable",
        "winnable",
        "winnable",
    ]
    assert [line["moves"] for line in lines] == [102, None, 102, 102]


def test_solve_includes_the_winning_moves_on_request():
    (line,) = solved("binary-star", "--deal", "1", "--line")
    position = start_position(PublicDeal(GAME, 1))
    for move in line["line"]:
        position = position.after(parse_move(move))
    assert position.view.won


def test_a_board_is_solved_without_naming_its_variant():
    position = start_position(PublicDeal(GAME, 1))
    position = position.after(position.legal_moves()[0])
    (line,) = solved("--board", "-", given=print_position(position))
    assert (line["variant"], line["deal"], line["verdict"]) == ("binary-star", None, "winnable")
    assert line["moves"] == 101


def test_a_deal_that_hides_cards_is_solved_with_all_cards_known():
    (line,) = solved("astrocyte", "--deal", "8", "--line")
    assert (line["verdict"], line["transfers"]) == ("winnable", 0)
    position = start_position(PublicDeal(VARIANTS["astrocyte"], 8))
    for move in line["line"]:
        position = position.after(parse_move(move))
    assert position.view.won


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
    assert without_time(rows(file.read_text())) == without_time(rows(whole.read_text()))


def test_lines_about_other_deals_are_not_overwritten(tmp_path):
    file = tmp_path / "lines"
    run("solve", "binary-star", "--deal", "5..6", "--out", str(file))
    kept = file.read_bytes()
    result = run("solve", "binary-star", "--deal", "1..12", "--out", str(file))
    assert result.exit_code == 1
    assert "is not from this run: line 1 has another deal or option" in result.output
    assert file.read_bytes() == kept


SOLVE = ("solve", "binary-star", "--budget", "40")
PLAY = ("play", "binary-star", "--bot", "random", "--seed", "1")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (SOLVE, ("solve", "binary-star")),
        (SOLVE, (*SOLVE[:3], "41")),
        (SOLVE, (*SOLVE, "--line")),
        (SOLVE, PLAY),
        (PLAY, SOLVE),
        (PLAY, (*PLAY[:-1], "2")),
        (PLAY, ("play", "binary-star", "--bot", "greedy", "--seed", "1")),
        (PLAY, ("play", "astrocyte", *PLAY[2:])),
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
    assert told("play", "astrocyte", "--bot", "random") == ""
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
    while not (file.exists() and file.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert [line["deal"] for line in rows(file.read_text())][:3] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve"], "Give either --deal or --board"),
        (["solve", "binary-star"], "Give either --deal or --board"),
        (["solve", "--deal", "1"], "Name the variant"),
        (["solve", "binary-star", "--deal", "0..5"], "A deal number is 1 to"),
        (["solve", "binary-star", "--deal", "9..5"], "is descending"),
        (["solve", "binary-star", "--deal", f"1..{2**64 - 1}"], "is too many"),
        (["solve", "binary-star", "--deal", "1..2..3"], "A deal number is 1 to"),
        (["solve", "binary-star", "--deal", "1", "--budget", "0"], "0 is not in the range"),
        (["solve", "binary-star", "--deal", "1", "--budget", "-3"], "is not in the range"),
        (["solve", "binary-star", "--deal", "1", "--budget", "much"], "not a valid integer"),
        (["solve", "klondike", "--deal", "1"], "'klondike' is not"),
        (["play", "binary-star", "--deal", "1"], "Missing option '--bot'"),
        (["play", "binary-star", "--deal", "1", "--bot", "nobody"], "'nobody' is not one of"),
        (["play", "astrocyte", "--deal", "1", "--bot", "greedy"], "does not play Astrocyte"),
    ],
)
def test_a_wrong_argument_is_named(words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("", "not two whole packs"),
        ("t1: XX", "not a card"),
        ("t1: 2S\nt1: 2S", "is given twice"),
        ("f9: 2S", "has no pile f9"),
    ],
)
def test_an_unreachable_board_is_explained(board, message):
    result = run("solve", "--board", "-", given=board)
    assert result.exit_code == 2
    assert message in result.output


def test_play_writes_a_line_per_game():
    result = run("play", "binary-star", "--bot", "greedy", "--deal", "3..5")
    lines = rows(result.stdout)
    assert [line["deal"] for line in lines] == ["3", "4", "5"]
    assert [line["won"] for line in lines] == [False, True, False]


def test_a_bot_that_uses_chance_plays_alike_with_one_seed():
    def play(seed):
        words = ["play", "astrocyte", "--bot", "random", "--deal", "1", "--seed", seed]
        return without_time(rows(run(*words).stdout))

    assert play("7") == play("7")


@pytest.mark.parametrize("seed", ["-1", str(2**32)])
def test_a_seed_that_is_none_is_refused(seed):
    result = run("play", "astrocyte", "--bot", "fair", "--deal", "1", "--seed", seed)
    assert result.exit_code == 2
    assert "--seed" in result.output


def test_a_catalogue_is_made_from_lines_and_tells_its_counts(tmp_path):
    file, made = tmp_path / "lines", tmp_path / "made.json.gz"
    run("solve", "binary-star", "--deal", "1..30", "--out", str(file))
    result = run("catalogue", "binary-star", str(file), "--out", str(made))
    assert result.exit_code == 0
    assert "won without transfers      27   90.000%" in result.output
    assert "undecided                   0" in result.output
    assert made.stat().st_size > 50


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_difficulty_is_how_often_a_bot_lost(tmp_path, monkeypatch):
    solved = [
        {"variant": "astrocyte", "deal": str(n), "verdict": "winnable", "moves": 200 + n,
         "transfers": 0, "positions": 9}
        for n in (1, 2, 3)
    ]  # fmt: skip
    won = [(True, True, False), (True, False, False), (True, True, False), (True, False, False)]
    runs = [
        written(
            tmp_path / f"run-{seed}",
            [
                {"variant": "astrocyte", "deal": str(n), "bot": "fair", "seed": seed, "won": was}
                for n, was in enumerate(outcomes, start=1)
            ],
        )
        for seed, outcomes in enumerate(won)
    ]
    words = [word for file in runs for word in ("--played", file)]
    made = tmp_path / "astrocyte.json.gz"
    file = written(tmp_path / "solved", solved)
    assert run("catalogue", "astrocyte", file, *words, "--out", str(made)).exit_code == 0
    monkeypatch.setattr("service.deals.catalogue.files", lambda _: tmp_path)
    kept = catalogue.__wrapped__("astrocyte")
    assert [entry.difficulty for entry in kept.entries(0, None, None)] == [1, 3, 5]
    assert [entry.moves for entry in kept.entries(0, None, None)] == [201, 202, 203]
    assert kept.command.split("; ")[1:3] == [
        "asterism play astrocyte --bot fair --seed 0 --deal 1..3",
        "asterism play astrocyte --bot fair --seed 1 --deal 1..3",
    ]


def test_a_catalogue_needs_played_and_solved_lines_about_the_same_deals(tmp_path):
    file = tmp_path / "solved"
    run("solve", "binary-star", "--deal", "1..2", "--out", str(file))
    played = tmp_path / "played"
    run("play", "binary-star", "--bot", "greedy", "--deal", "1..3", "--out", str(played))
    result = run("catalogue", "binary-star", str(file), "--played", str(played))
    assert result.exit_code == 2
    assert "played deals are not the solved ones" in result.output
    result = run("catalogue", "binary-star", str(file), "--played", str(file))
    assert "not output of `asterism play`" in result.output


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "has no lines"),
        ("nonsense\n", "Line 1 is not a JSON object"),
        ('{"variant":"binary-star","deal":"2"}\n', "line 1 is not about deal 1"),
        ('{"variant":"astrocyte","deal":"1"}\n', "line 1 is not about deal 1 of binary-star"),
        ('{"variant":"binary-star","deal":"1"}\n', "line 1 is not output of `asterism solve`"),
        (
            '{"variant":"binary-star","deal":"1","verdict":"winnable","moves":null}\n',
            "line 1 is not output of `asterism solve`",
        ),
        (
            '{"variant":"binary-star","deal":"1","verdict":"maybe"}\n',
            "line 1 is not output of `asterism solve`",
        ),
    ],
)
def test_a_catalogue_refuses_other_lines(tmp_path, lines, message):
    file = tmp_path / "lines"
    file.write_text(lines)
    result = run("catalogue", "binary-star", str(file))
    assert result.exit_code == 2
    assert message in result.output


def test_a_catalogue_may_hold_only_undecided_deals(tmp_path):
    file, made = tmp_path / "lines", tmp_path / "made.json.gz"
    run("solve", "binary-star", "--deal", "1..3", "--budget", "5", "--out", str(file))
    result = run("catalogue", "binary-star", str(file), "--out", str(made))
    assert result.exit_code == 0
    assert "undecided                   3  100.000%" in result.output

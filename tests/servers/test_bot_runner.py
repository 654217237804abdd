"""`asterism bot` and `arena` on a real service: many games at once, and what can go wrong."""

import json
import re
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from service.cli.bot import EXAMPLE
from service.client import Asterism
from tests.support.ports import free_port
from tests.support.servers import Service, until
from tests.support.started import start

SLOW = """
import time

class Bot:
    def choose(self, view):
        time.sleep({seconds} if view["f1"].cards != ("AH",) else 0)
        return None if view.stuck else view.legal_moves()[0]
"""


def started(folder, *words, **more):
    command = [sys.executable, "-m", "service", *map(str, words)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return start(command, cwd=folder, **streams, **more)


def run(folder, *words, timeout=120):
    """Runs a command; gives its exit code, standard output and standard error."""
    process = started(folder, *words)
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def url(service):
    return f"http://127.0.0.1:{service.port}"


def figures(service, label):
    """What the games under a label have come to."""
    with Asterism(url(service)) as asterism:
        (stats,) = asterism.stats("binary-star", label=label)
        return stats.figures["all"]


def words_for(service, label, bot="greedy"):
    return (
        "bot",
        "--bot",
        bot,
        "--variant",
        "binary-star",
        "--url",
        url(service),
        "--label",
        label,
    )


def test_twenty_random_games_are_played_at_once_and_none_stays_open(service, tmp_path):
    code, out, err = run(tmp_path, *words_for(service, "twenty"), "--games", 20, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, len({row["game"] for row in rows})) == (0, 20), err
    found, won = figures(service, "twenty"), sum(row["won"] for row in rows)
    assert (found.begun, found.won, found.resigned) == (20, won, 20 - won)


def test_a_bot_of_ones_own_plays_on_a_service_and_its_file_is_continued(service, tmp_path):
    (tmp_path / "mine.py").write_text(EXAMPLE)
    words = (*words_for(service, "own", "./mine.py"), "--out", "lines", "--deal")
    assert run(tmp_path, *words, "1..2")[0] == 0
    code, out, _ = run(tmp_path, *words, "1..4")
    assert (code, figures(service, "own").begun) == (0, 4)
    rows = [json.loads(line) for line in (tmp_path / "lines").read_text().splitlines()]
    assert [row["deal"] for row in rows] == ["1", "2", "3", "4"]
    assert "round" in out


def test_a_new_label_is_owned_by_all_games_of_the_run_and_its_key_is_told(service, tmp_path):
    words = (*words_for(service, "new"), "--games", 10, "--json")
    _, out, err = run(tmp_path, *words)
    key = err.rpartition("--label-key ")[2].strip()
    assert len(err.splitlines()) == 1
    assert owned(service, out) == [True] * 10
    assert owned(service, run(tmp_path, *words, "--label-key", key)[1]) == [True] * 10
    assert owned(service, run(tmp_path, *words)[1]) == [False] * 10
    code, out, err = run(tmp_path, *words, "--label-key", "x" * 43)
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "(label-key-wrong)" in err


def owned(service, out):
    """Whether the label of each game that a run has printed is owned."""
    with Asterism(url(service)) as asterism:
        games = [asterism.game(json.loads(line)["game"]) for line in out.splitlines()]
    return [game.state.label_owned for game in games]


def test_an_arena_on_a_service_says_what_one_in_process_says(service, tmp_path):
    words = ("arena", "greedy", "solver", "--variant", "binary-star", "--deal", "1..8", "--json")

    def games(*more):
        code, out, _ = run(tmp_path, *words, *more)
        assert code == 0
        rows = [json.loads(line) for line in out.splitlines()]
        return [[row[name] for name in ("bot", "deal", "won", "moves")] for row in rows]

    assert games("--url", url(service)) == games()


def test_the_games_of_a_bot_that_hangs_are_resigned(service, tmp_path):
    (tmp_path / "mine.py").write_text(SLOW.format(seconds=600))
    words = (*words_for(service, "hanging", "./mine.py"), "--deal", "1..4", "--timeout", "1")
    code, _, err = run(tmp_path, *words)
    assert code == 1
    assert "no answer within 1 s at ply" in err
    assert figures(service, "hanging").open == 0


def test_ctrl_c_ends_a_run_with_its_table_and_resigns_the_open_games(service, tmp_path):
    (tmp_path / "mine.py").write_text(SLOW.format(seconds=0.05))
    words = (*words_for(service, "stopped", "./mine.py"), "--games", 500, "--out", "lines")
    process = started(tmp_path, *words)
    lines = tmp_path / "lines"
    until(lambda: lines.exists() and lines.read_text().count("\n") > 2, 60)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in err, "./mine.py" in out) == (130, False, True)
    assert figures(service, "stopped").open == 0


@pytest.mark.slow
def test_a_service_that_goes_away_leaves_one_line_and_the_games_that_were_finished(
    valkey, tmp_path
):
    (tmp_path / "mine.py").write_text(SLOW.format(seconds=0.05))
    lines = tmp_path / "lines"
    with Service(valkey.url, tmp_path / "log") as service:
        words = (*words_for(service, "left", "./mine.py"), "--games", 500, "--out", "lines")
        process = started(tmp_path, *words)
        until(lambda: lines.exists() and lines.read_text().count("\n") > 2, 60)
        service.process.kill()
    out, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert re.fullmatch(r"The label left is new.*\nError: The service at .* cannot be .*\n", err)
    assert lines.read_text().count("\n") > 2
    assert "./mine.py" in out


class WebPage(BaseHTTPRequestHandler):
    """Answers everything with a page."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<p>Welcome</p>")

    def log_message(self, *_):
        """Says nothing."""


def test_a_url_where_nobody_or_somebody_else_answers_is_told_in_one_line(tmp_path):
    words = ("bot", "--bot", "greedy", "--variant", "binary-star", "--games", 1, "--url")
    with HTTPServer(("127.0.0.1", 0), WebPage) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        told = [
            run(tmp_path, *words, where)
            for where in (
                f"http://127.0.0.1:{server.server_port}",
                f"http://127.0.0.1:{free_port()}",
                f"https://127.0.0.1:{server.server_port}",
                "127.0.0.1:8000",
            )
        ]
        server.shutdown()
    assert [code for code, _, _ in told] == [1, 1, 1, 1]
    for (_, out, err), said in zip(
        told,
        (
            "not as an Asterism service does",
            "cannot be reached",
            "does not speak https there",
            "is not the URL of a service",
        ),
        strict=True,
    ):
        assert said in err
        assert (out, len(err.splitlines())) == ("", 1)

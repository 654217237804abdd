"""The commands in the README do what it says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.ports import free_port
from tests.support.servers import until
from tests.support.started import start

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL, FAIR, COMMAND_LINE = [
    block for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) if "make" not in block
]
PROGRAM = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]


def run(command, folder):
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=True
    ).stdout


def at(port, text):
    assert "127.0.0.1:8000" in text
    return text.replace("127.0.0.1:8000", f"127.0.0.1:{port}")


def test_four_lines_of_curl_play_a_game(service, tmp_path):
    assert len(SHELL.strip().splitlines()) == 4
    out = run(["bash", "-eu", "-c", at(service.port, SHELL)], tmp_path)
    played, legal = (json.loads(part) for part in re.split(r"(?<=\})(?=\{\"version)", out))
    assert (played["applied"], played["game"]["version"]) == (2, 2)
    assert legal["version"] == 2
    assert legal["legal_moves"] == played["game"]["legal_moves"]


def test_three_lines_of_curl_create_a_game_from_both_sides_seeds(service, tmp_path):
    assert len(FAIR.strip().splitlines()) == 3
    made = json.loads(run(["bash", "-eu", "-c", at(service.port, FAIR)], tmp_path))
    assert made["game"]["deal"]["fairness"] == "sealed"


def test_the_bot_plays_a_game_to_its_end(service, tmp_path):
    out = run([sys.executable, "-c", at(service.port, PROGRAM)], tmp_path)
    assert re.fullmatch(r"(won|resigned) after \d+ moves\n", out)


def test_the_commands_that_need_no_server_print_what_the_readme_says(tmp_path):
    commands = [line.partition("#")[0].split() for line in COMMAND_LINE.strip().splitlines()]
    assert all(words[0] == "asterism" for words in commands)
    board, counts, binary_star, astrocyte, greedy, fair, arena = (
        run([sys.executable, "-m", "service", *words[1:]], tmp_path) for words in commands
    )
    assert board.startswith("t1: [7] ")
    assert counts.split() == ["12", "147", "1855", "24170"]
    verdicts = [json.loads(line)["verdict"] for line in binary_star.splitlines()]
    assert (verdicts.count("winnable"), verdicts.count("unwinnable")) == (91, 9)
    assert [json.loads(line)["verdict"] for line in astrocyte.splitlines()] == ["winnable"] * 3
    assert re.search(r"greedy +100 +\d+", greedy)
    assert json.loads(fair)["bot"] == "fair"
    assert "solver wins more than greedy" in arena
    assert (tmp_path / "arena.svg").exists()


def test_make_run_serves_both_games_at_the_given_port_from_the_folder_of_all_commands(tmp_path):
    port = free_port()
    left_out = {"REDIS_URL", "MAKEFLAGS", "ASTERISM_DATA"}
    environ = {name: value for name, value in os.environ.items() if name not in left_out}
    environ["XDG_DATA_HOME"] = str(tmp_path)
    with (tmp_path / "log").open("w") as log:
        process = start(
            ["make", "-s", "run", f"PORT={port}"],
            cwd=ROOT,
            env=environ,
            stdout=log,
            stderr=log,
        )
    try:
        until(lambda: f"http://127.0.0.1:{port}" in (tmp_path / "log").read_text(), 240)
        assert "ok" in run(["curl", "-s", f"http://127.0.0.1:{port}/readyz"], tmp_path)
        for variant in ("binary-star", "astrocyte"):
            body = json.dumps({"variant": variant})
            url = f"http://127.0.0.1:{port}/v1/games"
            assert "play_token" in run(["curl", "-s", "--json", body, url], tmp_path)
        examined = subprocess.run(
            [sys.executable, "-m", "service", "doctor"],
            env={**environ, "PORT": str(port)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert f"It is running at http://127.0.0.1:{port}, and ready." in examined.stdout
        assert f"embedded server: {tmp_path / 'asterism' / 'store'}" in examined.stdout
    finally:
        process.terminate()
        process.wait(20)

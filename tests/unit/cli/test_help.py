"""The command line lists its commands without loading any, as they describe themselves."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from service.cli import COMMANDS, main

SLOW = ("flask", "gunicorn", "rich", "textual", "redis", "httpx", "marshmallow", "orjson")


def loaded_by(*words):
    """The modules that the command line has loaded when it ends."""
    code = (
        "import sys; from service.cli import main\n"
        f"try: main({list(words)})\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_listed_under_its_name_with_the_first_sentence_of_its_help(name):
    command = main.get_command(click.Context(main), name)
    assert command.name == name
    assert COMMANDS[name][1].removesuffix(".") == command.get_short_help_str(200).removesuffix(".")


def test_the_commands_are_listed_in_order_one_a_line():
    printed = CliRunner().invoke(main, ["--help"], terminal_width=80).output
    lines = printed.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == sorted(COMMANDS)
    assert all(len(line) <= 80 for line in lines)


def test_a_command_that_is_none_is_refused_in_one_line():
    result = CliRunner().invoke(main, ["paly"])
    assert result.exit_code == 2
    assert "No such command 'paly'" in result.output


def test_the_list_of_commands_loads_none_of_them():
    loaded = loaded_by("--help")
    assert not loaded.intersection(SLOW)
    assert {name for name in loaded if name.startswith("service")} == {
        "service",
        "service.cli",
        "service.cli.text_files",
        "service.errors",
    }


def test_the_help_of_a_bot_knows_the_names_of_bots_and_loads_none():
    loaded = loaded_by("bot", "--help")
    assert "service.bots" in loaded
    assert not {name for name in loaded if name.startswith(("service.bots.astrocyte", "rich"))}
    assert not {name for name in loaded if name.startswith("service.solvers")}

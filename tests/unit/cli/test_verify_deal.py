"""`asterism verify-deal`: a verdict on each claim of a revealed deal."""

import json

import pytest
from click.testing import CliRunner

from service.cli import main
from tests.unit.deals.test_verification import SEALED, revealed


def verify(told, *words):
    return CliRunner().invoke(main, ["verify-deal", "-", *words], input=json.dumps(told))


def test_the_command_line_says_that_everything_is_right():
    result = verify(revealed(SEALED), "--commitment", SEALED.commitment)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert [" right " in line for line in lines] == [True] * 4


def test_the_command_line_ends_with_1_if_anything_is_wrong():
    result = verify(revealed(SEALED, seed="0" * 64))
    assert result.exit_code == 1
    assert [line.split()[:2] for line in result.output.splitlines()] == [
        ["commitment", "right"],
        ["seed", "wrong"],
        ["pack", "right"],
    ]


@pytest.mark.parametrize("given", ["", "{", "[]", "7", "{}", '{"scheme": "x"}', "\udcff"])
def test_the_command_line_refuses_what_is_no_reveal_in_a_line(given):
    data = given.encode("utf-8", "surrogateescape")
    result = CliRunner().invoke(main, ["verify-deal", "-"], input=data)
    assert result.exit_code == 2
    assert "Error: " in result.output
    assert "Traceback" not in result.output

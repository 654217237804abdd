"""`make load` in small: the same run for some seconds, and what it would call a fault."""

import pytest
from click.testing import CliRunner

from tests.load.__main__ import main
from tests.load.client import Client, FailedError
from tests.load.memory import MOST, grown
from tests.load.run import run
from tests.load.tally import Tally
from tests.support.ports import free_port


def test_players_bots_hints_and_watchers_are_served_at_once_without_a_fault():
    found = run(12)
    assert found.faults == []
    kinds = {kind for kind, _ in found.tally.answers}
    assert {"create", "move", "read", "hint", "watch", "told"} <= kinds
    assert 0 < sum(found.tally.finished.values()) == found.kept
    assert found.bytes_a_game > 0
    assert {"master", "worker 2", "store 1", "client"} <= found.cpu.keys()


@pytest.mark.parametrize(
    ("duration", "words"),
    [
        ("0", "0 is not in the range 1<=x<=3600"),
        ("-1", "-1 is not in the range"),
        ("3601", "3601 is not in the range"),
        ("1.5", "'1.5' is not a valid integer"),
        ("soon", "'soon' is not a valid integer"),
    ],
)
def test_a_duration_that_is_none_is_refused_in_words(duration, words):
    told = CliRunner().invoke(main, ["--", duration])
    assert told.exit_code == 2
    assert words in told.output


def test_an_answer_that_was_not_promised_is_a_fault(service):
    tally = Tally()
    with pytest.raises(FailedError):
        Client(service.port, tally).ask("read", 0.0, "GET", "/v1/games/nothing")
    assert tally.faults[0].startswith("read: 404")


def test_no_answer_is_a_fault():
    tally = Tally()
    with pytest.raises(FailedError):
        Client(free_port(), tally).ask("read", 0.0, "GET", "/v1/variants")
    assert tally.faults[0].startswith("read: no answer")


def test_a_process_that_goes_on_growing_is_a_fault():
    steady = [{"store": 10 * MOST} for _ in range(40)]
    leaking = [{"store": n * MOST // 5} for n in range(40)]
    peaked = [{"store": 90 * MOST if n == 38 else MOST} for n in range(40)]
    assert grown(steady) == grown(peaked) == []
    assert grown(leaking) == ["store has grown by 25.6 MB in the second half"]

"""`make load` in small: the same run for some seconds, and what it would call a fault."""

from click.testing import CliRunner

from tests.load.__main__ import main
from tests.load.memory import MOST, grown
from tests.load.run import run


def test_players_bots_hints_and_watchers_are_served_at_once_without_a_fault():
    found = run(8)
    assert found.faults == []
    kinds = {kind for kind, _ in found.tally.answers}
    assert {"create", "move", "read", "hint", "watch", "told"} <= kinds
    assert 0 < sum(found.tally.finished.values()) == found.kept
    assert found.bytes_a_game > 0
    assert {"master", "worker 2", "store 1", "client"} <= found.cpu.keys()


def test_a_duration_that_is_none_is_refused_in_words():
    told = CliRunner().invoke(main, ["--", "3601"])
    assert told.exit_code == 2
    assert "3601 is not in the range 1<=x<=3600" in told.output


def test_a_process_that_goes_on_growing_is_a_fault():
    steady = [{"store": 10 * MOST} for _ in range(40)]
    leaking = [{"store": n * MOST // 5} for n in range(40)]
    peaked = [{"store": 90 * MOST if n == 38 else MOST} for n in range(40)]
    assert grown(steady) == grown(peaked) == []
    assert grown(leaking) == ["store has grown by 25.6 MB in the second half"]

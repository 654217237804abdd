"""The command line prints what it promises, and errors without a traceback."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.bots import BOTS
from service.cli import main
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.boards import parse_reachable_position

PERFT = json.loads((Path(__file__).parents[2] / "fixtures" / "perft.json").read_text())


def run(*arguments, input=None):
    return CliRunner().invoke(main, arguments, input=input)


@pytest.mark.parametrize("known", PERFT, ids=lambda known: f"{known['variant']} {known['deal']}")
def test_perft_prints_one_count_per_depth(known):
    result = run("perft", known["variant"], "--deal", known["deal"], "--depth", "3")
    assert result.exit_code == 0
    assert result.output == "".join(f"{count}\n" for count in known["perft"][:3])


@pytest.mark.parametrize("variant", VARIANTS)
def test_board_prints_a_deal_that_can_be_read_back_and_counted_from(variant):
    printed = run("board", variant, "--deal", "9", "--all-cards").output
    position = start_position(PublicDeal(VARIANTS[variant], 9))
    assert parse_reachable_position(VARIANTS[variant], printed) == position
    counted = [
        run("perft", variant, "--depth", "2", *words, input=printed).output
        for words in (("--deal", "9"), ("--board", "-"))
    ]
    assert counted[0] == counted[1]


def test_board_shows_no_hidden_card_by_default():
    printed = run("board", "astrocyte", "--deal", "9").output
    assert printed.startswith("t1: [7] ")
    assert printed.rstrip().endswith("s: [40]")


NUMBER = "A deal number is 1 to"
EITHER = "Give either --deal or --board"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("perft klondike --depth 2", "'klondike' is not one of"),
        ("perft astrocyte --deal 0 --depth 2", NUMBER),
        ("perft astrocyte --deal 007 --depth 2", NUMBER),
        (f"perft astrocyte --deal {2**64} --depth 2", NUMBER),
        (f"perft astrocyte --deal {'9' * 5000} --depth 2", NUMBER),
        ("perft astrocyte", "Missing option '--depth'"),
        ("perft astrocyte --depth 2", EITHER),
        ("perft astrocyte --depth 2 --deal 1 --board -", EITHER),
        ("board astrocyte", "Missing option '--deal'"),
        ("perft astrocyte --depth 0", "0 is not in the range"),
        ("perft astrocyte --depth two", "'two' is not a valid integer"),
        ("perft astrocyte --depth 1 --board /no/such/file", "No such file"),
        ("board", "Missing argument '{binary-star|astrocyte}'"),
        ("fly", "No such command 'fly'"),
        ("solve", EITHER),
        ("solve binary-star", EITHER),
        ("solve --deal 1", "Name the variant"),
        ("solve binary-star --deal 0..5", NUMBER),
        ("solve binary-star --deal 9..5", "is descending"),
        (f"solve binary-star --deal 1..{2**64 - 1}", "is too many"),
        ("solve binary-star --deal 1..2..3", NUMBER),
        ("solve binary-star --deal 1 --budget 0", "0 is not in the range"),
        ("solve klondike --deal 1", "'klondike' is not"),
        ("bot --variant binary-star --deal 1", "Missing option '--bot'"),
        ("bot --variant binary-star --deal 1 --bot greed", "no bot greed. Did you mean greedy?"),
        ("bot --variant binary-star --deal 1 --bot ./no.py", "There is no file ./no.py"),
        ("bot --variant binary-star --deal 1 --bot no.such:Bot", "There is no module no"),
        ("bot --variant astrocyte --deal 1 --bot greedy", "does not play Astrocyte"),
        ("bot --variant astrocyte --bot fair --deal 1 --seed -1", "--seed"),
        (f"bot --variant astrocyte --bot fair --deal 1 --seed {2**32}", "--seed"),
        ("bot --variant astrocyte --bot fair", "Give --deal"),
        ("bot --variant astrocyte --bot fair --games 5", "Give --deal"),
        ("bot --variant astrocyte --bot fair --url http://127.0.0.1:1", "Give --games"),
        ("bot --variant astrocyte --bot fair --deal 1..4 --games 5", "--deal names 4 games"),
        ("bot --variant astrocyte --bot fair --deal 1 --label ada", "give --url too"),
        ("bot --variant astrocyte --bot fair --deal 1 --json --out x", "either --out"),
        ("arena fair --variant astrocyte --deal 1", "Name two bots or more"),
        ("arena fair fair --variant astrocyte --deal 1", "Name two bots or more"),
        ("arena fair random --variant astrocyte", "the deals that all bots play"),
        ("arena fair random --variant astrocyte --deal 1 --plot /no/such/p.svg", "no folder"),
    ],
)
def test_a_wrong_argument_is_a_usage_error(words, message):
    result = run(*words.split())
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (b"", "not two whole packs"),
        (b"t1: XX", "'XX' is not a card"),
        (b"t9: 2S", "has no pile t9"),
        (b"t1: 2S\nt1: 3S", "is given twice"),
        (b"\xff\xfd\x00", "not UTF-8"),
    ],
)
@pytest.mark.parametrize("command", ["perft astrocyte --depth 1", "solve astrocyte"])
def test_a_wrong_board_is_a_usage_error(command, board, message):
    result = run(*command.split(), "--board", "-", input=board)
    assert result.exit_code == 2
    assert message in result.output


def test_a_board_that_only_counts_its_hidden_cards_is_refused_in_words():
    printed = run("board", "astrocyte", "--deal", "9").output
    result = run("solve", "--board", "-", input=printed)
    assert result.exit_code == 2
    assert "`asterism board` names them with --all-cards" in result.output


def test_help_names_the_variants_and_who_plays_what():
    assert "binary-star and astrocyte" in " ".join(run("--help").output.split())
    assert "[binary-star|astrocyte]" in run("solve", "--help").output
    for command in ("bot", "arena"):
        help = run(command, "--help").output
        for bot, spec in BOTS.items():
            assert f"{bot:<8} {', '.join(spec.variants)}" in help


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PORT", "80a", "PORT must be a whole number"),
        ("PORT", "70000", "PORT must be a whole number from 1 to 65535"),
        ("REDIS_URL", "http://here", "REDIS_URL must begin with redis://"),
        ("ASTERISM_SERVER_KEY", "short", "ASTERISM_SERVER_KEY must have 32 characters"),
        ("ASTERISM_GAME_TTL", "1", "ASTERISM_GAME_TTL must be a whole number from 60"),
        ("ASTERISM_WORKERS", "0", "ASTERISM_WORKERS must be a whole number from 1"),
        ("ASTERISM_PUBLIC_URL", "here", "ASTERISM_PUBLIC_URL must be an origin"),
        ("ASTERISM_LOG", "yes", "ASTERISM_LOG must be json, text or off"),
        ("ASTERISM_METRICS", "9464", "ASTERISM_METRICS must be host:port"),
        ("ASTERISM_METRICS", "127.0.0.1:", "ASTERISM_METRICS must be host:port"),
        ("ASTERISM_METRICS", "here:99999", "ASTERISM_METRICS must be host:port"),
        ("ASTERISM_METRICS", "no.such.host.invalid:1", "Choose another with ASTERISM_METRICS="),
        ("ASTERISM_DATA", "/dev/null/data", "Cannot create the folder"),
        ("HOST", "no.such.host.invalid", "Cannot listen on no.such.host.invalid"),
    ],
)
def test_a_wrong_setting_is_an_error_without_a_traceback(
    monkeypatch, tmp_path, name, value, message
):
    from tests.support.ports import free_port

    good = {
        "REDIS_URL": "redis://127.0.0.1:1" if name != "ASTERISM_DATA" else "",
        "ASTERISM_SERVER_KEY": "x" * 32 if name != "ASTERISM_DATA" else "",
        "ASTERISM_DATA": str(tmp_path),
        "PORT": str(free_port()),
    }
    for setting in ({**good, name: value}).items():
        monkeypatch.setenv(*setting)
    result = run("serve")
    assert result.exit_code == 1
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_failed_start_leaves_no_folder_behind(monkeypatch, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for setting in {
            "TMPDIR": str(tmp_path / "run"),
            "ASTERISM_DATA": str(tmp_path / "data"),
            "PORT": str(taken.getsockname()[1]),
            "REDIS_URL": "",
        }.items():
            monkeypatch.setenv(*setting)
        monkeypatch.setattr("tempfile.tempdir", None)
        (tmp_path / "run").mkdir()
        assert run("serve").exit_code == 1
    assert list((tmp_path / "run").iterdir()) == []

"""Language models play over the Model Context Protocol, as its own client sees it."""

import re
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError
from mcp.shared.memory import create_connected_server_and_client_session

from service.cli.mcp_server import server_for
from service.client import AsyncAsterism
from tests.client.kit import URL, Asynchronous, busy
from tests.http.kit import UNKNOWN_ID
from tests.support import awaiting
from tests.support.ports import free_port
from tests.support.servers import ROOT

TOOLS = {
    *("list_variants", "rules", "new_game", "open_game", "board", "legal_moves"),
    *("play", "undo", "redo", "hint", "resign"),
}


class Model:
    """What a language model can do: call tools, and read what they say."""

    def __init__(self, session):
        self.session = session

    async def say(self, tool, **arguments):
        """The text of a tool that succeeds."""
        result = await self.session.call_tool(tool, arguments)
        assert not result.isError, result.content
        return result.content[0].text

    async def refused(self, tool, **arguments):
        """The text of a tool that fails."""
        result = await self.session.call_tool(tool, arguments)
        assert result.isError
        return result.content[0].text


def line(text, name):
    """What a text says under a name."""
    return re.search(rf"^{name}: (.*)$", text, re.MULTILINE)[1]


@pytest.fixture
def session(wire):
    """Runs what a model does in a session with the tools, in this process."""

    @asynccontextmanager
    async def connected():
        async with (
            AsyncAsterism(URL, transport=Asynchronous(wire), patience=1) as asterism,
            create_connected_server_and_client_session(server_for(asterism)) as session,
        ):
            yield Model(session)

    def run(deed):
        async def play():
            async with connected() as model:
                return await deed(model)

        return awaiting.run(play())

    return run


def test_every_tool_tells_in_short_what_it_does(session):
    async def look(model):
        return (await model.session.list_tools()).tools

    tools = session(look)
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert 20 < len(tool.description) < 120, tool.name
        for name, parameter in tool.inputSchema["properties"].items():
            assert parameter["description"], (tool.name, name)
    assert next(tool for tool in tools if tool.name == "resign").annotations.destructiveHint


def test_a_model_reads_the_rules_and_plays(session):
    async def play(model):
        assert "astrocyte: Astrocyte" in await model.say("list_variants")
        assert "**A13**" in await model.say("rules", variant="astrocyte")
        resource = await model.session.read_resource("asterism://rules/astrocyte")
        assert "**A13**" in resource.contents[0].text
        board = await model.say("new_game", variant="astrocyte", deal=1)
        assert "t7: [7] 9H" in board
        assert line(board, "legal moves").startswith("t1c1")
        board = await model.say("play", moves=["t7t2", "t4t3"])
        assert line(board, "played") == "t7t2"
        assert line(board, "turned up") == "t7=KD"
        assert line(board, r"not played after that \(reveal\)") == "t4t3"
        assert line(board, "ply") == "1"
        assert line(await model.say("undo"), "ply") == "0"
        assert line(await model.say("redo"), "ply") == "1"
        assert "t4t3" in (await model.say("legal_moves")).split()
        assert line(await model.say("hint"), "verdict") == "unknown"
        assert line(await model.say("resign"), "status") == "resigned"
        prompt = await model.session.get_prompt("play_a_game", {"variant": "astrocyte"})
        assert "rules of astrocyte" in prompt.messages[0].content.text

    session(play)


def test_a_game_is_opened_again_with_its_token_and_watched_without(session, wire):
    async def begin(model):
        board = await model.say("new_game", variant="binary-star", deal=2)
        return line(board, "game"), line(board, "play token")

    id, token = session(begin)

    async def go_on(model):
        assert "new_game" in await model.refused("board")
        assert "open_game" in await model.refused("board", game=id)
        await model.say("open_game", game=id)
        assert "next: Without its play token" in await model.refused("play", moves=["t5f1"])
        await model.say("open_game", game=id, token=token)
        assert line(await model.say("play", moves=["t5f1"], game=id), "ply") == "1"

    session(go_on)


def test_refusals_say_which_rule_and_what_to_do_next(session, wire):
    async def err(model):
        id = line(await model.say("new_game", variant="astrocyte", deal=1), "game")
        told = await model.refused("play", moves=["t1t2"])
        assert "illegal-move: KC is not one rank lower than TC, the top of t2." in told
        assert line(told, "rule") == "rank-not-one-lower"
        assert line(told, "next").startswith("Choose from legal_moves")
        assert "variant-not-found" in await model.refused("rules", variant="klondike")
        assert "game-not-found" in await model.refused("open_game", game=UNKNOWN_ID)
        assert "nothing-to-undo" in await model.refused("undo", count=3)
        assert "not both" in await model.refused(
            "new_game", variant="astrocyte", deal=1, daily=True
        )
        assert line(await model.refused("play", moves=["up"]), "next").startswith("Correct")
        wire.faults = [busy(retry_after="37")]
        assert "Try again after 37 seconds" in await model.refused("board")
        await model.say("resign", game=id)
        assert "Start a new game" in await model.refused("play", moves=["deal"])
        wire.faults = ["request lost"] * 50
        assert "asterism serve" in await model.refused("board")

    session(err)


def test_nothing_hidden_is_told(session):
    async def play(model):
        return await model.say("new_game", variant="astrocyte", deal=1)

    board = session(play)
    assert len(re.findall(r"\b[A23456789TJQK][CDHS]\b", board)) == 8


def command(*args, **environ):
    return StdioServerParameters(
        command=sys.executable, args=["-m", "service", "mcp", *args], env=environ, cwd=ROOT
    )


@pytest.mark.external
def test_a_game_is_won_by_hints_over_stdio(running):
    async def play(url):
        async with (
            stdio_client(command(ASTERISM_URL=url)) as (reads, writes),
            ClientSession(reads, writes) as session,
        ):
            await session.initialize()
            model = Model(session)
            board = await model.say("new_game", variant="binary-star", deal=2)
            while line(board, "status") == "in_progress":
                way = line(await model.say("hint", line=True), "line").split()
                board = await model.say("play", moves=way[:10])
            return board

    board = awaiting.run(play(f"http://127.0.0.1:{running.port}"))
    assert (line(board, "status"), line(board, "stuck")) == ("won", "no")


def run(*args, **options):
    return subprocess.run(
        [sys.executable, *args],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
        **options,
    )


@pytest.mark.external
def test_the_command_fails_with_one_line():
    wrong = run("-m", "service", "mcp", "--url", "asterism.test", stdin=subprocess.DEVNULL)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr == (
        "Error: 'asterism.test' is not the URL of a service, such as http://127.0.0.1:8000.\n"
    )
    missing = "import sys; sys.modules['mcp'] = None; from service.cli import main; main(['mcp'])"
    without = run("-c", missing, stdin=subprocess.DEVNULL)
    assert (without.returncode, without.stdout) == (1, "")
    assert without.stderr.count("\n") == 1
    assert "pip install 'asterism[mcp]'" in without.stderr


@pytest.mark.external
def test_the_other_commands_load_neither_mcp_nor_the_client():
    code = "import sys; from service.cli import main; main(['--help'], standalone_mode=False)"
    code += "; assert not {'mcp', 'httpx'} & sys.modules.keys()"
    assert run("-c", code).returncode == 0


@pytest.mark.external
def test_errors_are_told_to_the_client_and_not_logged(tmp_path):
    async def play(log):
        url = f"http://127.0.0.1:{free_port()}"
        async with (
            stdio_client(command("--url", url), errlog=log) as (reads, writes),
            ClientSession(reads, writes) as session,
        ):
            await session.initialize()
            with pytest.raises(McpError, match="Missing required arguments"):
                await session.get_prompt("play_a_game", {})
            return await Model(session).refused("list_variants")

    with (tmp_path / "log").open("w+") as log:
        assert "cannot be reached" in awaiting.run(play(log))
        log.seek(0)
        assert log.read() == ""

"""A table at a service: played, watched, fought over, and lost sight of."""

import asyncio
import re

import pytest

from service.cli.terminal.colours import Role
from service.cli.terminal.table import TableError
from service.games import VARIANTS
from tests.http.kit import InMemoryService
from tests.terminal.kit import at, deal, played, service

ASTROCYTE = VARIANTS["astrocyte"]


@played
async def test_a_game_at_a_service_is_played_like_one_here():
    async with service(InMemoryService().app) as (host, _):
        table = await host.new_table(ASTROCYTE, 1)
        here = await deal("astrocyte", 1)
        assert table.state == here.state
        async with at(table, host) as player:
            await player.press("4", "3")
            assert player.told.startswith("6♠ t4 → t3. ")
            await player.press("d", "u", "u", "r")
            assert (player.state.ply, player.state.can_redo) == (1, True)
            await player.press("2", "8")
            assert player.told.startswith("rank-not-one-lower: 10♣ is not ")
            await player.press("h")
            assert len(player.marked(Role.HINT)) == 2
            await player.press("enter")
            assert player.state.ply == 2
        for words in ("--url http://service.test", "--game", "--token"):
            assert words in table.again


@played
async def test_a_service_that_goes_away_is_told_and_the_move_is_tried_again():
    async with service(InMemoryService().app) as (host, way):
        table = await host.new_table(ASTROCYTE, 1)
        async with at(table, host) as player:
            way.up = False
            await player.press("4", "3")
            assert "cannot be reached" in player.told
            assert player.told.endswith("Enter tries again.")
            await player.press("enter")
            assert player.told.endswith("Enter tries again.")
            way.up = True
            await player.press("enter")
            assert player.state.ply == 1


@played
async def test_the_key_of_a_new_label_is_used_by_the_next_game():
    there = InMemoryService()
    async with service(there.app, label="ada") as (host, _):
        tables = [await host.new_table(ASTROCYTE, number) for number in (1, 2)]
        assert host.new_label_key is not None
    for table in tables:
        id = re.search(r"--game (\S+)", table.again)
        assert there.api.get(f"/v1/games/{id[1]}").json["label_owned"]


@played
async def test_a_slow_service_does_not_keep_the_screen_from_answering():
    async with service(InMemoryService().app) as (host, way):
        table = await host.new_table(ASTROCYTE, 1)
        way.open = asyncio.Event()
        async with at(table, host) as player:
            await player.pilot.press("4", "3")
            await player.pilot.press("question_mark", "escape", "right")
            assert player.state.ply == 0
            way.open.set()
            await player.settle()
            assert player.state.ply == 1


@played
async def test_whoever_comes_second_sees_the_move_of_the_first():
    async with service(InMemoryService().app) as (host, _):
        table = await host.new_table(ASTROCYTE, 1)
        *_, id, _, token = table.again.split()
        async with at(table, host) as player:
            other = await host.find_table(id, token)
            await other.play(other.state.legal_moves[-1])
            await player.press("4", "3")
            assert player.told.startswith("Somebody else was faster")
            assert player.state == other.state


@played
async def test_who_has_no_token_watches():
    async with service(InMemoryService().app) as (host, _):
        *_, id, _, _ = (await host.new_table(ASTROCYTE, 1)).again.split()
        watched = await host.find_table(id, None)
        watched.changes = _nothing  # the stream of events is tested with its client
        async with at(watched, host) as player:
            assert player.told.startswith("You watch this game")
            await player.press("4", "3", "u", "h")
            assert player.told.startswith("You watch this game")
            assert player.state.ply == 0
        assert "--token" not in watched.again
        stranger = await host.find_table(id, "a-wrong-token")
        with pytest.raises(TableError, match="missing or wrong"):
            await stranger.undo()


@played
async def test_the_deal_of_the_day_is_offered_at_a_service():
    async with service(InMemoryService().app) as (host, way), at(host=host) as player:
        way.up = False
        await player.press("tab", "tab", "tab", "enter")
        assert "cannot be reached" in player.screen.replace("&#160;", " ")
        way.up = True
        await player.press("enter")
        assert player.state.deal.startswith("deal of 2")


async def _nothing():
    return
    yield

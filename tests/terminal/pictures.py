"""Takes pictures of the terminal as SVG: `python -m tests.terminal.pictures [FOLDER]`.

Without a folder it takes those of the README; with one it takes every state in two sizes.
"""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from service.games import VARIANTS
from tests.http.kit import NEARLY_WON, WON_DEAL, WON_LINE, InMemoryService
from tests.terminal.kit import LARGE, SMALL, Player, at, board, deal, service
from tests.terminal.test_playing import keys_of

PICTURES = Path(__file__).parent / "pictures"

_LONG = "t1: [2C 3C 4C] KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH 9C KS QS JS TS 9S 8S 7S 6S 5S 4S"
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_DECIMALS = re.compile(r"(\d+\.\d)\d+")

Size = tuple[int, int]
State = Callable[[Size], Awaitable[str]]


def picture(player: Player) -> str:
    """The screen as SVG that loads nothing, and is no larger than it must be."""
    svg = player.pilot.app.export_screenshot(title="asterism play", simplify=True)
    svg = _COMMENT.sub("", _FONTS.sub("", svg)).replace("&#160;", "\N{NO-BREAK SPACE}")
    svg = _DECIMALS.sub(r"\1", svg)
    return "\n".join(line.strip() for line in svg.splitlines() if line.strip()) + "\n"


async def start(size: Size) -> str:
    async with at(size=size) as player:
        return picture(player)


async def binary_star(size: Size) -> str:
    async with at(await deal("binary-star", WON_DEAL), size=size) as player:
        await player.type_ahead(*(key for move in WON_LINE[:38] for key in keys_of(move)))
        await player.press("h")
        return picture(player)


async def binary_star_start(size: Size) -> str:
    async with at(await deal("binary-star", 1), size=size) as player:
        await player.press("5")
        return picture(player)


async def astrocyte(size: Size) -> str:
    table = await deal("astrocyte", 5)
    for _ in range(87):
        move = (await table.hint()).move
        assert move is not None
        await table.play(move)
    async with at(table, size=size) as player:
        await player.press("3")
        return picture(player)


async def astrocyte_start(size: Size) -> str:
    async with at(await deal("astrocyte", 1), size=size) as player:
        return picture(player)


async def refused(size: Size) -> str:
    async with at(await deal("astrocyte", 1), size=size) as player:
        await player.press("2", "8")
        return picture(player)


async def long_columns(size: Size) -> str:
    async with at(
        board(f"{_LONG} / t2: 5D 4D 3D / t3: [9C 9D] KC QC / c1: TD"), size=size
    ) as player:
        await player.press("enter")
        return picture(player)


async def stuck(size: Size) -> str:
    given = "t1: 5H / t2: 7S 8C / t9: TH / f1: AH 2S 3D 4C 3H 2D AC / f2: KS QD JD QS"
    async with at(board(given, "binary-star"), size=size) as player:
        return picture(player)


async def won(size: Size) -> str:
    async with at(board(NEARLY_WON), size=size) as player:
        await player.press("1", "f", "1")
        return picture(player)


async def rules(size: Size) -> str:
    async with at(await deal("astrocyte", 1), size=size) as player:
        await player.press("question_mark")
        return picture(player)


async def out_of_reach(size: Size) -> str:
    async with service(InMemoryService().app) as (host, way):
        table = await host.new_table(VARIANTS["astrocyte"], 1)
        async with at(table, host, size) as player:
            way.up = False
            await player.press("4", "3")
            return picture(player)


async def at_a_service(size: Size) -> str:
    async with service(InMemoryService().app) as (host, _), at(host=host, size=size) as player:
        return picture(player)


STATES: tuple[State, ...] = (
    *(start, at_a_service, binary_star_start, binary_star, astrocyte_start, astrocyte),
    *(refused, long_columns, stuck, won, rules, out_of_reach),
)


def main() -> None:
    """Takes the pictures."""
    if len(sys.argv) == 1:
        PICTURES.mkdir(exist_ok=True)
        for state, name in ((binary_star, "binary-star"), (astrocyte, "astrocyte")):
            (PICTURES / f"{name}.svg").write_text(asyncio.run(state(SMALL)), encoding="utf-8")
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for state in STATES:
        for columns, lines in (SMALL, LARGE):
            file = folder / f"{state.__name__}-{columns}x{lines}.svg"
            file.write_text(asyncio.run(state((columns, lines))), encoding="utf-8")


if __name__ == "__main__":
    main()

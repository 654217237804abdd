"""The tools, resources and prompts of `asterism mcp`, each a few calls of the client.

A tool answers with text: what happened, and the board as the player sees it.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, ParamSpec

import anyio
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from service.client import (
    AsyncAsterism,
    AsyncPlayedGame,
    ClientError,
    IllegalMove,
    Problem,
    Unreachable,
    WrongUrl,
)

P = ParamSpec("P")

VariantName = Annotated[str, Field(description="A name from list_variants.")]
GameId = Annotated[str | None, Field(description="Id of a game; the latest one if left out.")]
Count = Annotated[int, Field(description="How many moves.", ge=1)]

_INSTRUCTIONS = """\
Play solitaires: list_variants tells which. Read the rules first. Then new_game, and play moves \
from the legal moves on the board until the status is won, or the game is stuck: then undo, or \
resign. Piles are t1, t2 … (tableau), f1 … (foundations), c1 … (cells) and s (stock), bottom card \
first; [7] counts face-down cards. A move is source and target, with x and a count for a run: \
t3f1, t3t5x4; deal deals a row."""

_NEXT = {
    "illegal-move": "Choose from legal_moves. The table at the end of rules explains the rule.",
    "invalid-request": "Correct what is named, and call the tool again.",
    "version-conflict": "Someone else has played. Look at the board, and decide again.",
    "game-over": "Start a new game.",
    "nothing-to-undo": "Undo fewer moves.",
    "nothing-to-redo": "Redo fewer moves.",
    "token-missing": "Without its play token a game can only be watched: open_game with the token.",
    "token-wrong": "Ask the user for the play token of this game.",
    "not-found": "Check the id, or ask the user to check the URL of the service.",
    "game-not-found": "Check the id, or start a new game.",
    "variant-not-found": "Take a name from list_variants.",
    "label-key-wrong": "Ask the user for the key of this label, or leave the label out.",
}
_NEXT_OTHERWISE = "Look at the board, and decide again."


class Tools:
    """The games that a language model plays at one service."""

    def __init__(self, asterism: AsyncAsterism) -> None:
        self._asterism = asterism
        self._games: dict[str, AsyncPlayedGame] = {}
        self._latest: str | None = None

    async def list_variants(self) -> str:
        """List the games that can be played, with their names."""
        variants = await self._asterism.variants()
        return "\n".join(f"{variant.name}: {variant.title}" for variant in variants)

    async def rules(self, variant: VariantName) -> str:
        """Read the rules of a variant, and what the rule codes of refused moves mean."""
        return await self._asterism.rules(variant)

    async def new_game(
        self,
        variant: VariantName,
        deal: Annotated[int | None, Field(description="Deal number; random if left out.")] = None,
        daily: Annotated[bool, Field(description="Play today's daily deal.")] = False,
        label: Annotated[str | None, Field(description="A name for the results.")] = None,
        label_key: Annotated[str | None, Field(description="The key of the label.")] = None,
    ) -> str:
        """Start a game and show its board. Keep the play token to open the game again later."""
        if daily and deal is not None:
            raise ToolError("Give either deal or daily, not both.")
        game = await self._asterism.new_game(
            variant, deal=deal, daily=daily, label=label, label_key=label_key
        )
        secrets = [f"play token: {game.token}"]
        secrets += [f"label key: {game.label_key}"] if game.label_key else []
        return "\n".join([*secrets, await self._opened(game)])

    async def open_game(
        self,
        game: Annotated[str, Field(description="Id of the game.")],
        token: Annotated[str | None, Field(description="Play token; none to watch only.")] = None,
    ) -> str:
        """Open an existing game, to go on playing it with its token or to watch it without."""
        return await self._opened(await self._asterism.game(game, token))

    async def board(self, game: GameId = None) -> str:
        """Show a game as it stands now: status, ply, all visible cards, and the legal moves."""
        return await self._game(game).board()

    async def legal_moves(self, game: GameId = None) -> str:
        """List the moves that can be played now, without the board."""
        moves = (await self._game(game).read_legal_moves()).legal_moves
        return " ".join(moves) or "none"

    async def play(
        self,
        moves: Annotated[list[str], Field(description="Moves in order, such as t3f1 or deal.")],
        game: GameId = None,
    ) -> str:
        """Play one or several moves, all or none. A move that turns a card up ends the batch."""
        table = self._game(game)
        outcome = await table.play(*moves)
        turned = " ".join(f"{reveal.pile}={reveal.card}" for reveal in outcome.reveals)
        done = [f"played: {' '.join(moves[: outcome.applied])}"]
        done += [f"turned up: {turned}"] if turned else []
        left = moves[outcome.applied :]
        done += [f"not played after that ({outcome.stopped}): {' '.join(left)}"] if left else []
        return "\n".join([*done, await table.board()])

    async def undo(self, count: Count = 1, game: GameId = None) -> str:
        """Take the last moves back."""
        table = self._game(game)
        await table.undo(count)
        return await table.board()

    async def redo(self, count: Count = 1, game: GameId = None) -> str:
        """Play moves again that were taken back."""
        table = self._game(game)
        await table.redo(count)
        return await table.board()

    async def hint(
        self,
        line: Annotated[bool, Field(description="Tell the whole way, not only a move.")] = False,
        game: GameId = None,
    ) -> str:
        """Ask for a good move and why. The verdict says whether the game can still be won."""
        hint = await self._game(game).hint(line=line)
        told = [f"move: {hint.move or 'none'}", f"why: {hint.why}", f"verdict: {hint.verdict}"]
        told += [f"undo: {hint.undo_steps}"] if hint.undo_steps else []
        told += [f"line: {' '.join(hint.line)}"] if hint.line else []
        return "\n".join(told)

    async def resign(self, game: GameId = None) -> str:
        """Give a game up, for good."""
        table = self._game(game)
        await table.resign()
        return await table.board()

    async def _opened(self, game: AsyncPlayedGame) -> str:
        self._games[game.id] = game
        self._latest = game.id
        return f"game: {game.id}\n{await game.board()}"

    def _game(self, id: str | None) -> AsyncPlayedGame:
        """The game of this id, or the latest one; raises `ToolError` if it is not open."""
        id = id or self._latest
        if id is None:
            raise ToolError("No game is open. Start one with new_game, or open_game.")
        if id not in self._games:
            raise ToolError(f"The game {id} is not open here. Use open_game first.")
        return self._games[id]


_READS = ("list_variants", "rules", "open_game", "board", "legal_moves")
_WRITES = ("new_game", "play", "undo", "redo", "hint", "resign")


def server_for(asterism: AsyncAsterism) -> FastMCP:
    """A server whose tools play at the service of this client."""
    # Clients are told of every error; the log would add a traceback to what they did wrong.
    server = FastMCP("asterism", instructions=_INSTRUCTIONS, log_level="CRITICAL")
    tools, one_at_a_time = Tools(asterism), anyio.Lock()

    def guarded(method: Callable[P, Awaitable[str]]) -> Callable[P, Awaitable[str]]:
        """`method`, whose refusals say what to do next; moves of one game do not overtake."""

        @wraps(method)
        async def tool(*args: P.args, **options: P.kwargs) -> str:
            try:
                async with one_at_a_time:
                    return await method(*args, **options)
            except ClientError as error:
                raise ToolError(explain(error)) from None

        return tool

    for names, reads in ((_READS, True), (_WRITES, False)):
        for name in names:
            hints = ToolAnnotations(readOnlyHint=reads, destructiveHint=name == "resign")
            server.tool(annotations=hints, structured_output=False)(guarded(getattr(tools, name)))

    @server.resource("asterism://rules/{variant}", mime_type="text/markdown")
    async def rules_of(variant: str) -> str:
        """The rules of a variant."""
        return await asterism.rules(variant)

    @server.prompt()
    def play_a_game(variant: str) -> str:
        """Play a whole game and report how it went."""
        return (
            f"Read the rules of {variant}, start a game, and play it to its end. Think before each "
            "move, use undo when stuck, and ask for a hint only if you see no way on. At the end, "
            "say how it went, in how many moves, and how many hints you took."
        )

    return server


def explain(error: ClientError) -> str:
    """What went wrong, and what to do next."""
    if isinstance(error, Unreachable | WrongUrl):
        return f"{error}\nnext: Ask the user to run `asterism serve`, or to check the URL."
    if not isinstance(error, Problem):
        return str(error)
    told = [f"{error.code}: {error}"]
    told += [f"rule: {error.rule}"] if error.rule else []
    if isinstance(error, IllegalMove):
        told.append(f"move {error.index + 1} of the batch: {error.move}; nothing was played")
    next_step = _NEXT.get(error.code, _NEXT_OTHERWISE)
    if error.retry_after:
        next_step = f"Try again after {error.retry_after:.0f} seconds."
    return "\n".join([*told, f"next: {next_step}"])


def serve(url: str) -> None:
    """Serves on stdin and stdout until stdin ends; raises `WrongUrl` if `url` is none."""
    anyio.run(_serve, url)


async def _serve(url: str) -> None:
    async with AsyncAsterism(url) as asterism:
        await server_for(asterism).run_stdio_async()

"""Tables on a service, over the Python client."""

import re
import shlex
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import cast

import httpx

from service.cli.terminal.table import DealChoice, State, TableError, UnansweredError
from service.client import (
    AsyncAsterism,
    AsyncPlayedGame,
    ClientError,
    Game,
    IllegalMove,
    NotAuthorized,
    RateLimited,
    Unavailable,
    Unreachable,
    VersionConflict,
)
from service.client.models import Deal
from service.errors import IllegalMoveError
from service.games import find_variant
from service.games.base import Variant, VerdictName, View
from service.games.cards import parse_card
from service.games.moves import Move, format_move, parse_move
from service.games.piles import Pile
from service.records.game import Status
from service.records.hint import Hint

PATIENCE = 8.0
"""Seconds after which a player is told that there is no answer."""

_DAY = re.compile(r"-daily-(.+)$")


class RemoteTable:
    """A game at the service at `url`."""

    def __init__(self, game: AsyncPlayedGame, url: str) -> None:
        self._game = game
        self._url = url

    @property
    def state(self) -> State:
        """The table as it last stood here."""
        return _state(self._game.state)

    @property
    def is_watched(self) -> bool:
        """Whether there is no play token."""
        return self._game.token is None

    @property
    def again(self) -> str:
        """How to go on with this game."""
        token = [] if self._game.token is None else ["--token", self._game.token]
        return shlex.join(["asterism", "play", "--url", self._url, "--game", self._game.id, *token])

    async def play(self, move: Move) -> State:
        """Plays `move`. Raises `IllegalMoveError`."""
        with _as_table_errors():
            await self._game.play(format_move(move))
        return self.state

    async def undo(self, steps: int = 1) -> State:
        """Takes back `steps` moves."""
        with _as_table_errors():
            await self._game.undo(steps)
        return self.state

    async def redo(self) -> State:
        """Plays again the move that was taken back last."""
        with _as_table_errors():
            await self._game.redo()
        return self.state

    async def hint(self) -> Hint:
        """A good move and why."""
        with _as_table_errors():
            hint = await self._game.hint()
        move = None if hint.move is None else parse_move(hint.move)
        return Hint(move, hint.why, cast("VerdictName", hint.verdict), hint.undo_steps)

    async def changes(self) -> AsyncIterator[State]:
        """The table after each event."""
        with _as_table_errors():
            async for event in self._game.events():
                if event.game is not None:
                    yield self.state


class RemoteHost:
    """Lays out tables at the service at `url`, under a label if there is one."""

    has_daily = True

    def __init__(
        self,
        url: str,
        label: str | None = None,
        label_key: str | None = None,
        *,
        patience: float = PATIENCE,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Raises `TableError` if `url` is none. `patience` is in seconds."""
        self.place = f"at {url}"
        self._url, self._label, self._label_key = url, label, label_key
        self.new_label_key: str | None = None
        """The key of the label, if a game of this host is the first with it."""
        with _as_table_errors():
            self._service = AsyncAsterism(
                url, patience=patience, timeout=PATIENCE, transport=transport
            )

    async def new_table(self, variant: Variant, deal: DealChoice) -> RemoteTable:
        """A new game."""
        with _as_table_errors():
            game = await self._service.new_game(
                variant.name,
                deal=deal if isinstance(deal, int) else None,
                daily=deal == "daily",
                label=self._label,
                label_key=self._label_key or self.new_label_key,
            )
        self.new_label_key = self.new_label_key or game.label_key
        return RemoteTable(game, self._url)

    async def find_table(self, id: str, token: str | None) -> RemoteTable:
        """The game of this id; without its play token, only to watch."""
        with _as_table_errors():
            return RemoteTable(await self._service.game(id, token), self._url)

    async def check(self) -> None:
        """Returns if the service answers."""
        with _as_table_errors():
            await self._service.variants()

    async def close(self) -> None:
        """Closes the connections."""
        await self._service.aclose()


def _state(game: Game) -> State:
    variant = find_variant(game.variant)
    given = {pile.id: pile for pile in game.piles}
    piles = tuple(
        Pile(id, kind, given[id].hidden, tuple(map(parse_card, given[id].cards)))
        for id, kind in zip(variant.layout.ids, variant.layout.kinds, strict=True)
    )
    return State(
        view=View(variant, piles),
        legal_moves=tuple(map(parse_move, game.legal_moves)),
        status=cast("Status", game.status),
        stuck=game.stuck,
        deal=_deal_name(game.deal),
        ply=game.ply,
        can_redo=game.can.redo,
    )


def _deal_name(deal: Deal) -> str:
    day = _DAY.search(deal.id)
    if day:
        return f"deal of {day[1]}"
    return f"deal {deal.number}" if deal.number else f"{deal.fairness} deal"


@contextmanager
def _as_table_errors() -> Iterator[None]:
    """Raises the errors of the client as those of a table."""
    try:
        yield
    except IllegalMove as refusal:
        rule = refusal.rule or refusal.code
        raise IllegalMoveError(refusal.move, rule, refusal.detail, refusal.piles) from None
    except NotAuthorized:
        raise TableError("The play token of this game is missing or wrong: give --token.") from None
    except VersionConflict:
        raise TableError("Somebody else was faster: this is how the game stands now.") from None
    except (Unreachable, Unavailable, RateLimited) as error:
        raise UnansweredError(str(error)) from None
    except ClientError as error:
        raise TableError(str(error)) from None

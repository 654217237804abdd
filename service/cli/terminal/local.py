"""Tables in this process: the same deals, rules, undo and hints as the service's, unstored."""

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from service.cli.terminal.table import DealChoice, State, TableError
from service.deals.deal import PublicDeal, start_position
from service.games.base import Variant
from service.games.moves import Move
from service.play import actions
from service.play.actions import ActionResult, RequestStamp
from service.records.game import Game, Outcome, Receipt
from service.records.hint import Hint
from service.records.record import Record

T = TypeVar("T")

LARGEST_RANDOM_DEAL = 999_999
"""Random deals have numbers that are short enough to tell a friend."""


class LocalTable:
    """A game in memory."""

    is_watched = False

    def __init__(self, game: Game) -> None:
        self._game = game
        self._moves: tuple[Move, ...] = ()

    @property
    def state(self) -> State:
        """The table as it is now."""
        game = self._game
        return State(
            view=game.position.view,
            legal_moves=game.legal_moves,
            status=game.status,
            stuck=game.is_stuck,
            deal=f"deal {game.deal.number}",
            ply=game.ply,
            can_redo=game.length > game.ply,
        )

    @property
    def again(self) -> str:
        """How to play the same deal again."""
        return f"asterism play {self._game.variant.name} --deal {self._game.deal.number}"

    async def play(self, move: Move) -> State:
        """Plays `move`. Raises `IllegalMoveError`, or `GameTooLongError` after 10,000 moves."""
        self._game.require_running()
        return self._accept(actions.play_moves(self._game, (move,), _stamp()))

    async def undo(self, steps: int = 1) -> State:
        """Takes back `steps` moves; `NothingToUndoError` if fewer were played."""
        self._game.require_running()
        return self._accept(actions.undo(self._game, self._record, steps, _stamp()))

    async def redo(self) -> State:
        """Plays again the move that was taken back last; `NothingToRedoError` if none was."""
        return self._accept(actions.redo(self._game, self._record, 1, _stamp()))

    async def hint(self) -> Hint:
        """The hint that the service would give."""
        game = self._game
        earlier: Callable[[], Sequence[object]] = self._record.earlier_views
        search = partial(actions.give_hint, game, earlier, _stamp())  # type: ignore[arg-type]
        result = await _beside(search)
        if game is self._game:
            self._accept(result)
        hint = result.game.receipt.outcome.hint
        assert hint is not None
        return hint

    async def changes(self) -> AsyncIterator[State]:
        """Nobody else plays here."""
        return
        yield

    @property
    def _record(self) -> Record:
        return Record(self._game.deal, self._moves, self._game.ply)

    def _accept(self, result: ActionResult) -> State:
        if result.played:
            self._moves = (*self._moves[: self._game.ply], *result.played)
        self._game = result.game
        return self.state


class LocalHost:
    """Lays out numbered deals."""

    place = ""
    has_daily = False

    async def new_table(self, variant: Variant, deal: DealChoice) -> LocalTable:
        """A new game of a numbered deal. Raises `TableError` for the deal of the day."""
        if deal == "daily":
            raise TableError("The deal of the day is a service's: give its address with --url.")
        number = random.randint(1, LARGEST_RANDOM_DEAL) if deal == "random" else deal  # noqa: S311
        return LocalTable(_new_game(PublicDeal(variant, number)))

    async def check(self) -> None:
        """Tables can always be laid out here."""

    async def close(self) -> None:
        """There is nothing to give up."""


def _new_game(deal: PublicDeal) -> Game:
    at = _stamp().at
    return Game("", deal, start_position(deal), at, at, Receipt("", Outcome()))


def _stamp() -> RequestStamp:
    return RequestStamp(int(time.time() * 1000), "")


async def _beside(compute: Callable[[], T]) -> T:
    """The result of `compute`, from a thread that does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def deliver(settle: Callable[[], None]) -> None:
        if not result.cancelled():
            settle()

    def run() -> None:
        try:
            value = compute()
        except Exception as error:  # raised again where it is awaited
            settle = partial(result.set_exception, error)
        else:
            settle = partial(result.set_result, value)
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(deliver, settle)

    threading.Thread(target=run, daemon=True, name="hint").start()
    return await result

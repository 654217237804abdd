"""Plays games of bots on a service, over its HTTP API: a plan takes one request."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from service.bots.asking import Monitor
from service.bots.playing import Match, Table, play_out, player_of
from service.client import Asterism, ClientError, PlayedGame, Problem, RateLimited
from service.errors import BotError, IllegalMoveError, RemoteError
from service.games import find_variant
from service.games.base import View, with_stand_ins
from service.games.cards import Card
from service.games.moves import Move, format_move
from service.games.piles import Pile

LONGEST_BATCH = 200
"""The most moves that a request can have."""

T = TypeVar("T")


@dataclass(frozen=True)
class RemoteMatch(Match):
    """A finished game on a service: its id, and the seconds that all its requests took."""

    game: str
    requests: int
    waited: float


class RemoteTable(Table):
    """A game on a service."""

    def __init__(self, begin: Callable[[], PlayedGame]) -> None:
        self.requests, self.waited = 0, 0.0
        self.game = self._timed(begin)
        self._variant = find_variant(self.game.state.variant)
        self._view = self._seen()

    @property
    def view(self) -> View:
        """What the player sees now."""
        return self._view

    def play(self, moves: Sequence[Move]) -> int:
        """Plays in one request, of 200 moves at most; see `Table`."""
        batch = until_reveal(self._view, moves[:LONGEST_BATCH])
        outcome = self._timed(lambda: self.game.play(*map(format_move, batch)))
        self._view = self._seen()
        return outcome.applied

    def resign(self) -> None:
        """Gives the game up."""
        self._timed(self.game.resign)

    def _seen(self) -> View:
        """The table as the last answer has it."""
        shown = {pile.id: pile for pile in self.game.state.piles}
        layout = self._variant.layout
        piles = [(shown[id], kind) for id, kind in zip(layout.ids, layout.kinds, strict=True)]
        return View(
            self._variant,
            tuple(
                Pile(pile.id, kind, pile.hidden, tuple(map(Card, pile.cards)))
                for pile, kind in piles
            ),
        )

    def _timed(self, request: Callable[[], T]) -> T:
        """The answer to a request; a rate limit is waited for, however long that takes."""
        while True:
            began = time.perf_counter()
            try:
                return request()
            except RateLimited as error:
                if error.retry_after is None:
                    raise
                pause = error.retry_after
            finally:
                self.requests += 1
                self.waited += time.perf_counter() - began
            time.sleep(pause)


def until_reveal(view: View, moves: Sequence[Move]) -> tuple[Move, ...]:
    """`moves` up to the first that turns a card or wins.

    Raises `IllegalMoveError` with the index of the first that the rules refuse.
    """
    position = with_stand_ins(view)
    for index, move in enumerate(moves):
        try:
            position, reveals = position.play(move)
        except IllegalMoveError as error:
            raise error.at(index) from None
        if reveals or position.view.won:
            return tuple(moves[: index + 1])
    return tuple(moves)


def play(
    begin: Callable[[], PlayedGame], bot: str, seed: int, monitor: Monitor | None = None
) -> RemoteMatch:
    """The game of a bot on a service, which `begin` creates, or reads if it is there already.

    It is resigned unless it is won. Raises `BotError` if the bot fails, `RemoteError` if the
    service does, and what `find_bot` raises.
    """
    monitor = monitor or Monitor()
    with remote_errors():
        table = RemoteTable(begin)
        game, deal = table.game, table.game.state.deal
        monitor.begun(game.id, game.token or "")
        try:
            number = int(deal.number or int((deal.commitment or "0")[:8], 16))
            player = player_of(bot, seed, number, deal.number or deal.id, monitor)
            moves = play_out(player, table)
        except BotError:
            table.resign()
            monitor.ended()
            raise
        if not table.view.won:
            table.resign()
        monitor.ended()
    return RemoteMatch(
        game.state.variant,
        deal.number or deal.id,
        bot,
        seed,
        table.view.won,
        moves,
        round(player.seconds, 6),
        game.id,
        table.requests,
        round(table.waited, 6),
    )


def resign(url: str, game: str, token: str) -> None:
    """Gives up a game that nobody plays any more. Raises `RemoteError`."""
    with remote_errors(), Asterism(url) as asterism:
        asterism.game(game, token).resign()


def check(url: str, variant: str) -> None:
    """Raises `RemoteError` unless an Asterism service at `url` plays `variant` by our rules."""
    with remote_errors(), Asterism(url) as asterism:
        theirs, ours = asterism.variant(variant).ruleset, find_variant(variant).ruleset
    if theirs != ours:
        raise RemoteError(f"The service at {url} plays {theirs}, but bots here play {ours}.")


@cache
def client(url: str) -> Asterism:
    """The client of this process for the service at `url`, which keeps its connection."""
    return Asterism(url)


@contextmanager
def remote_errors() -> Iterator[None]:
    """Raises `RemoteError` for every error of the client."""
    try:
        yield
    except Problem as error:
        raise RemoteError(f"The service refuses: {error} ({error.code})") from error
    except ClientError as error:
        raise RemoteError(str(error)) from error

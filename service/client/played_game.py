"""A game that a client plays or watches: its id, its play token, and how it last stood."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol, TypeAlias, TypeVar

from service.client import answers
from service.client.calls import NONE, TEXT, Items, Reader, Steps, bearer, delete, get, post
from service.client.deals import DealReveal
from service.client.drivers import Async, Sync
from service.client.errors import ClientError, VersionConflict
from service.client.following import follow
from service.client.models import (
    Event,
    Game,
    GameAnswer,
    Hint,
    LegalMoves,
    LineItem,
    Outcome,
    Pile,
    Replay,
)
from service.client.operations import D, Driven, Listing, Operation
from service.client.pages import Page, every_item
from service.client.retries import exchange


class _HasGame(Protocol):
    @property
    def game(self) -> Game: ...


T = TypeVar("T")
A = TypeVar("A", bound=_HasGame)

_GAME = answers.json_of(Game)
_GAME_UNLESS_UNCHANGED = answers.json_unless_unchanged(Game)
_OUTCOME = answers.json_of(Outcome)
_AFTER = answers.json_of(GameAnswer)
_HINT = answers.json_of(Hint)
_LEGAL = answers.json_of(LegalMoves)
_LINE = answers.json_of(Page[LineItem])
_REPLAY = answers.json_of(Replay)
_REVEAL = answers.json_of(DealReveal)


class GameHandle(Driven[D]):
    """A game at a service; see `PlayedGame` and `AsyncPlayedGame`.

    `state` is the game as it last stood here: after every write, `refresh`, event and conflict.
    Without a token it can only be watched; `label_key` is that of a new label. Writes are made for
    the version of `state`: if another request came first, nothing changes and `VersionConflict` is
    raised. Use a handle from one thread or task at a time; two handles of one game are fine.
    """

    def __init__(
        self, driver: D, state: Game, token: str | None, label_key: str | None = None
    ) -> None:
        super().__init__(driver)
        self.state = state
        self.token = token
        self.label_key = label_key

    def __repr__(self) -> str:
        return f"<{self.state.variant} {self.id} at version {self.version}, {self.status}>"

    @property
    def id(self) -> str:
        """The id, by which anyone can watch."""
        return self.state.id

    @property
    def version(self) -> int:
        """The version, which grows with each write."""
        return self.state.version

    @property
    def ply(self) -> int:
        """The number of moves played and not undone."""
        return self.state.ply

    @property
    def status(self) -> str:
        """in_progress, won or resigned."""
        return self.state.status

    @property
    def stuck(self) -> bool:
        """Whether only an undo leads on."""
        return self.state.stuck

    @property
    def is_over(self) -> bool:
        """Whether the game is won or resigned."""
        return self.state.is_over

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The moves that can be played; none if the game is over."""
        return self.state.legal_moves

    @property
    def piles(self) -> tuple[Pile, ...]:
        """The piles."""
        return self.state.piles

    def pile(self, id: str) -> Pile:
        """The pile of this id; raises `KeyError` if there is none."""
        for pile in self.piles:
            if pile.id == id:
                return pile
        raise KeyError(id)

    @Operation
    def play(self, *moves: str) -> Steps[Outcome]:
        """Plays up to 200 moves: all of them or, if one is illegal, none (`IllegalMove`).

        A move that turns a card or wins ends the batch; the outcome says how many were applied.
        """
        return self._write("moves", _OUTCOME, moves=moves)

    @Operation
    def undo(self, count: int = 1) -> Steps[Game]:
        """Takes the last moves back."""
        answer = yield from self._write("undo", _AFTER, steps=count)
        return answer.game

    @Operation
    def redo(self, count: int = 1) -> Steps[Game]:
        """Plays undone moves again."""
        answer = yield from self._write("redo", _AFTER, steps=count)
        return answer.game

    @Operation
    def resign(self) -> Steps[Game]:
        """Ends the game."""
        answer = yield from self._write("resignation", _AFTER)
        return answer.game

    @Operation
    def hint(self, *, line: bool = False) -> Steps[Hint]:
        """A good move and why; with `line` all moves of the way. It counts as a write."""
        return self._write("hint", _HINT, line=line)

    @Operation
    def refresh(self) -> Steps[Game]:
        """Reads the game anew, if it has changed."""
        yield from self._read_again()
        return self.state

    @Operation
    def delete(self) -> Steps[None]:
        """Deletes the game for good."""
        read, read_repeated = answers.nothing, answers.nothing_or_gone
        call = delete("games", self.id, read=read, read_repeated=read_repeated, token=self.token)
        return exchange(call, self._driver.link)

    @Operation
    def board(self) -> Steps[str]:
        """The game as text: what a player sees, and the legal moves."""
        return self._get(read=answers.text, headers={"Accept": TEXT})

    @Operation
    def read_legal_moves(self) -> Steps[LegalMoves]:
        """What can be played now, without the rest of the game."""
        return self._get("legal-moves", read=_LEGAL)

    @Operation
    def replay(self) -> Steps[Replay]:
        """The record of the game, which `verify` judges and `new_game` continues."""
        return self._get("replay", read=_REPLAY)

    @Operation
    def replay_text(self) -> Steps[str]:
        """The record of the game as text."""
        return self._get("replay", read=answers.text, headers={"Accept": TEXT})

    @Operation
    def reveal(self) -> Steps[DealReveal]:
        """The deal with all its cards, once it is no longer secret."""
        return self._get("reveal", read=_REVEAL)

    @Listing
    def moves(self, after: int = 0) -> Items[LineItem]:
        """The moves that were played and not undone, from the ply `after` on."""
        path = ("games", self.id, "moves")
        return every_item(path, _LINE, self._driver.link, bearer(self.token), after=after or None)

    @Listing
    def events(self, after: int | None = None) -> Items[Event]:
        """What happens in the game until it is over or deleted; `state` keeps up with it.

        Begins with all events after the version `after`, or else with a snapshot. Resumes when the
        connection is lost.
        """
        if after is not None:
            yield from self._read_again()
            if self.is_over and self.version <= after:
                return
        path = ("games", self.id, "events")
        yield from follow(path, after, bearer(self.token), self._driver.link, self._hear)

    def _get(self, *path: str, read: Reader[T], headers: Mapping[str, str] = NONE) -> Steps[T]:
        headers = {**headers, **bearer(self.token)}
        call = get("games", self.id, *path, read=read, headers=headers)
        return exchange(call, self._driver.link)

    def _write(self, action: str, read: Reader[A], **body: Any) -> Steps[A]:
        """Posts to the game, for the version known here, and takes note of the game afterwards."""
        body = {"version": self.version, **body}
        call = post("games", self.id, action, read=read, body=body, token=self.token)
        try:
            answer = yield from exchange(call, self._driver.link)
        except VersionConflict as conflict:
            with suppress(ClientError):
                yield from self._read_again()
                conflict.game = self.state
            raise
        self._see(answer.game)
        return answer

    def _read_again(self) -> Steps[None]:
        game = yield from self._get(
            read=_GAME_UNLESS_UNCHANGED, headers={"If-None-Match": f'"v{self.version}"'}
        )
        if game is not None:
            self._see(game)

    def _see(self, game: Game) -> None:
        if game.version >= self.version:
            self.state = game

    def _hear(self, event: Event) -> None:
        if event.game is not None:
            self._see(event.game)


PlayedGame: TypeAlias = GameHandle[Sync]
AsyncPlayedGame: TypeAlias = GameHandle[Async]

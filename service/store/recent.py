"""Stored games as they are read, and those that this process has read or written last."""

from typing import NamedTuple

from service.errors import GameNotFoundError, GameUnreadableError
from service.records.game import Game
from service.store import codec
from service.store.base import Loaded, StoredResponses
from service.store.encoding import MOVE_BYTES
from service.store.idempotency import decode_responses
from service.store.request_context import record_game

MOST_GAMES = 500
"""How many games a process keeps, in about 3 MB."""


class Recent(NamedTuple):
    """A game, the bytes that it is stored as, and what a change is made of if that was read too."""

    state: bytes
    game: Game
    loaded: Loaded | None = None


class RecentGames:
    """The games read or written last, so that a move need not read its game, and none is decoded
    twice. Any of them may have changed or gone since.
    """

    def __init__(self) -> None:
        self._games: dict[str, Recent] = {}

    def find(self, game_id: str) -> Recent | None:
        """The game as it was read or written last; it is now the latest."""
        recent = self._games.pop(game_id, None)
        if recent is not None:
            self._games[game_id] = recent
        return recent

    def keep(
        self, game: Game, state: bytes, responses: StoredResponses, answers: bytes | None
    ) -> Loaded:
        """Keeps `game`, stored as `state` beside `responses`, these as `answers`."""
        loaded = Loaded(game, None, responses, (), codec.mark_of(state, answers))
        self._put(Recent(state, game, loaded))
        return loaded

    def game(self, game_id: str, state: bytes | None) -> Game:
        """The game that is stored as `state`, recorded as the one that the request is about.

        Raises `GameNotFoundError` and `GameUnreadableError`.
        """
        if state is None:
            raise GameNotFoundError
        recent = self.find(game_id)
        if recent is None or recent.state != state:
            recent = Recent(state, codec.decode_game(game_id, state))
            self._put(recent)
        return record_game(recent.game)

    def loaded(
        self,
        game_id: str,
        answer_key: str | None,
        state: bytes | None,
        answers: bytes | None,
        line_bytes: int,
    ) -> Loaded:
        """The same with its responses, stored as `answers` beside a line of so many bytes."""
        game = self.game(game_id, state)
        responses = decode_responses(answers, state or b"")
        if answers is None and line_bytes % MOVE_BYTES:
            raise GameUnreadableError("the answers that it keeps are lost")
        loaded = self.keep(game, state or b"", responses, answers)
        then = responses.get(answer_key) if answer_key else None
        return loaded._replace(answered=codec.decode_game(game_id, then)) if then else loaded

    def _put(self, recent: Recent) -> None:
        self._games.pop(recent.game.id, None)
        self._games[recent.game.id] = recent
        if len(self._games) > MOST_GAMES:
            del self._games[next(iter(self._games))]

"""A client of Asterism, to play and watch over HTTP.

    from service.client import Asterism

    with Asterism("http://127.0.0.1:8000") as asterism:
        game = asterism.new_game("binary-star", deal=1)
        while game.legal_moves and not game.stuck:
            game.play(game.legal_moves[0])

`AsyncAsterism` has the same methods, to be awaited. Every failure is a `ClientError`. Requests are
repeated while the service cannot be reached or is busy, and a repeated write is applied once.

It needs httpx and msgspec, and no other part of this package.
"""

from service.client.asterism import Asterism, AsyncAsterism
from service.client.errors import (
    ClientError,
    GameOver,
    IllegalMove,
    NotAuthorized,
    NotFound,
    Problem,
    RateLimited,
    Unavailable,
    Unreachable,
    VersionConflict,
    WrongUrl,
)
from service.client.models import Event, Game, Hint, Outcome, Pile, Replay
from service.client.played_game import AsyncPlayedGame, PlayedGame

__all__ = [
    "Asterism",
    "AsyncAsterism",
    "AsyncPlayedGame",
    "ClientError",
    "Event",
    "Game",
    "GameOver",
    "Hint",
    "IllegalMove",
    "NotAuthorized",
    "NotFound",
    "Outcome",
    "Pile",
    "PlayedGame",
    "Problem",
    "RateLimited",
    "Replay",
    "Unavailable",
    "Unreachable",
    "VersionConflict",
    "WrongUrl",
]

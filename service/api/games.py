"""Games over HTTP: create, read and delete them, play in them, and list what has been played."""

from flask import Blueprint, Response, g

from service.api import requests
from service.api.rate_limits import rate_limited
from service.api.schemas import bodies, queries
from service.api.schemas.cursors import cursor
from service.api.schemas.replays import load_replay
from service.api.serializers import (
    Json,
    answer,
    deal_reveal_json,
    etag,
    game_json,
    hint_json,
    legal_moves_json,
    line_item_json,
    marked,
    not_modified,
    replay_json,
    reveals_json,
)
from service.api.services import creation, play
from service.games import find_variant
from service.play.creation import Created, NewGame
from service.play.gameplay import WriteResult
from service.records.game import Game
from service.records.replay_text import print_replay

games = Blueprint("games", __name__, url_prefix="/v1/games")


@games.post("")
@rate_limited("creation")
def create() -> Response:
    """Creates a game; 201 with its play token."""
    given = requests.read_body(bodies.NEW_GAME)
    created = _created(given.get("deal", {"random": True}), _new_game(given))
    body = {"game": _game(created.game), "play_token": created.play_token}
    location = f"/v1/games/{created.game.id}"
    return marked(answer(body, 201, ETag=etag(created.game), Location=location), created.replayed)


@games.get("/<game_id>")
def read(game_id: str) -> Response:
    """The game as its player sees it."""
    game = play().show(game_id, requests.play_token())
    return not_modified(game) or answer(_game(game), ETag=etag(game))


@games.delete("/<game_id>")
@rate_limited("moves", "game-moves")
def delete(game_id: str) -> Response:
    """Removes the game."""
    play().delete(game_id, requests.play_token(), requests.if_match())
    return Response(status=204)


@games.post("/<game_id>/moves")
@rate_limited("moves", "game-moves")
def move(game_id: str) -> Response:
    """Plays a batch of moves, up to the first that turns a card."""
    given = requests.read_body(bodies.MOVES)
    done = play().move(requests.write_request("moves", game_id, given), given["moves"])
    applied, reveals, stopped, _ = done.outcome
    outcome = {"applied": applied, "reveals": reveals_json(reveals), "stopped": stopped}
    return _written(done, outcome)


@games.post("/<game_id>/undo")
@rate_limited("moves", "game-moves")
def undo(game_id: str) -> Response:
    """Takes moves back."""
    given = requests.read_body(bodies.UNDO)
    done = play().undo(requests.write_request("undo", game_id, given), given["steps"])
    return _written(done, {})


@games.post("/<game_id>/redo")
@rate_limited("moves", "game-moves")
def redo(game_id: str) -> Response:
    """Plays moves again that were taken back."""
    given = requests.read_body(bodies.REDO)
    done = play().redo(requests.write_request("redo", game_id, given), given["steps"])
    return _written(done, {})


@games.post("/<game_id>/hint")
@rate_limited("hints", "game-hints")
def hint(game_id: str) -> Response:
    """Advises on the next move."""
    given = requests.read_body(bodies.HINT)
    done = play().hint(requests.write_request("hint", game_id, given))
    return _written(done, hint_json(done.outcome.hint))


@games.post("/<game_id>/resignation")
@rate_limited("moves", "game-moves")
def resign(game_id: str) -> Response:
    """Ends the game."""
    given = requests.read_body(bodies.RESIGNATION)
    done = play().resign(requests.write_request("resignation", game_id, given))
    return _written(done, {})


@games.get("/<game_id>/moves")
@requests.query(queries.LINE)
def line(game_id: str) -> Response:
    """The line of play, a page at a time."""
    after, limit = g.query.get("after", 0), g.query["limit"]
    if "cursor" in g.query:
        after = int(g.query["cursor"].in_list(game_id))
    items = play().line(game_id, requests.play_token(), after, limit + 1)
    further = cursor("line", game_id, after + limit) if len(items) > limit else None
    return answer({"items": [line_item_json(item) for item in items[:limit]], "next": further})


@games.get("/<game_id>/legal-moves")
def legal_moves(game_id: str) -> Response:
    """What can be played, alone."""
    game = play().show(game_id, requests.play_token())
    return not_modified(game) or answer(legal_moves_json(game), ETag=etag(game))


@games.get("/<game_id>/reveal")
def reveal(game_id: str) -> Response:
    """Everything to derive the deal again, once it may be known."""
    return answer(deal_reveal_json(play().reveal(game_id)))


@games.get("/<game_id>/replay")
@requests.produces("application/json", "text/plain")
def replay(game_id: str) -> Response:
    """The game as it can be handed on, as JSON or as text."""
    told = play().replay(game_id, requests.play_token())
    if g.media_type == "text/plain":
        return Response(print_replay(told), content_type="text/plain; charset=utf-8")
    return answer(replay_json(told))


def _new_game(given: requests.Input) -> NewGame:
    key = requests.idempotency_key()
    mark = requests.fingerprint("create", "", given, key)
    return NewGame(find_variant(given["variant"]), given["label"], mark, key)


def _created(deal: requests.Input, new: NewGame) -> Created:
    """The game of the deal that the client has chosen."""
    match deal:
        case {"number": number}:
            return creation().numbered(new, number)
        case {"daily": day}:
            return creation().daily(new, day)
        case {"replay": replay, "ply": ply}:
            return creation().fork(new, load_replay(replay), ply)
        case {"commitment_id": id, "player_seed": seed}:
            return creation().from_commitment(new, id, bytes.fromhex(seed))
        case _:
            return creation().random(new)


def _game(game: Game) -> Json:
    return game_json(game, play().expires_at(game))


def _written(done: WriteResult, outcome: Json) -> Response:
    """The answer to every write: what it came to, and the game."""
    body = {**outcome, "game": _game(done.game)}
    return marked(answer(body, ETag=etag(done.game)), done.replayed)

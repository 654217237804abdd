"""Games over HTTP: create, read, play, undo, hint, resign, replay and delete."""

from flask import Blueprint, Response, g

from service.api.endpoint import Endpoint
from service.api.request_headers import idempotency_key, if_match, play_token
from service.api.requests import Input, fingerprint, read_body, write_request
from service.api.responses import Json, etag, json_response, mark_replayed, not_modified
from service.api.schemas import bodies, queries
from service.api.schemas.cursors import page_of, start_of
from service.api.schemas.replays import load_replay
from service.api.serializers import (
    deal_reveal_json,
    game_json,
    hint_json,
    legal_moves_json,
    line_item_json,
    replay_json,
    reveals_json,
)
from service.api.services import services
from service.errors import InvalidRequestError
from service.games import find_variant
from service.play.creation import Created, NewGame
from service.play.gameplay import WriteResult
from service.records.game import Game
from service.records.game_text import print_game
from service.records.replay_text import print_replay

games = Blueprint("games", __name__, url_prefix="/v1/games")

_creation = Endpoint(limits=("creation",))
_move = Endpoint(limits=("moves", "game-moves"))
_hint = Endpoint(limits=("hints", "game-hints"))


@games.post("")
@_creation
def create() -> Response:
    """Creates a game; 201 with its play token."""
    given = read_body(bodies.NEW_GAME)
    created = _created(given.get("deal", {"random": True}), _new_game(given))
    body = {
        "game": _game(created.game),
        "play_token": created.play_token,
        "label_key": created.label_key,
    }
    location = f"/v1/games/{created.game.id}"
    return mark_replayed(
        json_response(body, 201, ETag=etag(created.game), Location=location), created.replayed
    )


@games.get("/<game_id>")
@Endpoint(produces=("application/json", "text/plain"))
def read(game_id: str) -> Response:
    """The game as its player sees it, as JSON or as text."""
    game = services().play.show(game_id, play_token())
    response = not_modified(game) or _shown(game)
    response.headers["Vary"] = "Accept"
    return response


@games.delete("/<game_id>")
@_move
def delete(game_id: str) -> Response:
    """Deletes the game."""
    services().play.delete(game_id, play_token(), if_match())
    return Response(status=204)


@games.post("/<game_id>/moves")
@_move
def move(game_id: str) -> Response:
    """Plays a batch of moves, up to the first that turns a card face up."""
    given = read_body(bodies.MOVES)
    done = services().play.move(write_request("moves", game_id, given), given["moves"])
    applied, reveals, stopped, _ = done.game.receipt.outcome
    outcome = {"applied": applied, "reveals": reveals_json(reveals), "stopped": stopped}
    return _written(done, outcome)


@games.post("/<game_id>/undo")
@_move
def undo(game_id: str) -> Response:
    """Undoes moves."""
    given = read_body(bodies.UNDO)
    done = services().play.undo(write_request("undo", game_id, given), given["steps"])
    return _written(done, {})


@games.post("/<game_id>/redo")
@_move
def redo(game_id: str) -> Response:
    """Redoes moves that were undone."""
    given = read_body(bodies.REDO)
    done = services().play.redo(write_request("redo", game_id, given), given["steps"])
    return _written(done, {})


@games.post("/<game_id>/hint")
@_hint
def hint(game_id: str) -> Response:
    """Suggests the next move."""
    given = read_body(bodies.HINT)
    done = services().play.hint(write_request("hint", game_id, given))
    return _written(done, hint_json(done.game, whole_line=given["line"]))


@games.post("/<game_id>/resignation")
@_move
def resign(game_id: str) -> Response:
    """Resigns the game."""
    given = read_body(bodies.RESIGNATION)
    done = services().play.resign(write_request("resignation", game_id, given))
    return _written(done, {})


@games.get("/<game_id>/moves")
@Endpoint(query=queries.LINE)
def line(game_id: str) -> Response:
    """The moves played so far, page by page."""
    after, limit = int(start_of(g.query, game_id) or g.query.get("after", 0)), g.query["limit"]
    found = services().play.line(game_id, play_token(), after, limit + 1)
    page = page_of(found, limit, "line", game_id, line_item_json, lambda item: item.ply)
    return json_response(page)


@games.get("/<game_id>/legal-moves")
def legal_moves(game_id: str) -> Response:
    """The legal moves, without the rest of the game."""
    game = services().play.show(game_id, play_token())
    return not_modified(game) or json_response(legal_moves_json(game), ETag=etag(game))


@games.get("/<game_id>/reveal")
def reveal(game_id: str) -> Response:
    """Everything needed to reproduce the deal, once it is no longer secret."""
    return json_response(deal_reveal_json(services().play.reveal(game_id)))


@games.get("/<game_id>/replay")
@Endpoint(produces=("application/json", "text/plain"))
def replay(game_id: str) -> Response:
    """The replay of the game, as JSON or as text."""
    found = services().play.replay(game_id, play_token())
    if g.media_type == "text/plain":
        return _text(print_replay(found))
    return json_response(replay_json(found))


def _new_game(given: Input) -> NewGame:
    key, label, label_key = idempotency_key(), given["label"], given.get("label_key")
    if label is None and label_key is not None:
        detail = "Give it together with the label that it is the key of."
        raise InvalidRequestError([{"pointer": "/label_key", "detail": detail}])
    request_fingerprint = fingerprint("create", "", given, key)
    return NewGame(find_variant(given["variant"]), label, request_fingerprint, key, label_key)


def _created(deal: Input, new: NewGame) -> Created:
    """The game of the deal that the client has chosen."""
    match deal:
        case {"number": number}:
            return services().creation.numbered(new, number)
        case {"daily": day}:
            return services().creation.daily(new, day)
        case {"replay": replay, "ply": ply}:
            return services().creation.fork(new, load_replay(replay), ply)
        case {"commitment_id": id, "player_seed": seed}:
            return services().creation.from_commitment(new, id, bytes.fromhex(seed))
        case _:
            return services().creation.random(new)


def _shown(game: Game) -> Response:
    """The game in the form that the client prefers."""
    if g.media_type == "text/plain":
        return _text(print_game(game), ETag=etag(game))
    return json_response(_game(game), ETag=etag(game))


def _text(text: str, **headers: str) -> Response:
    return Response(text, headers=headers, content_type="text/plain; charset=utf-8")


def _game(game: Game) -> Json:
    return game_json(game, services().play.expires_at(game))


def _written(done: WriteResult, outcome: Json) -> Response:
    """The response to every write: its outcome, and the game."""
    body = {**outcome, "game": _game(done.game)}
    return mark_replayed(json_response(body, ETag=etag(done.game)), done.replayed)

"""The referee over HTTP: judges replays and positions; stores nothing."""

from flask import Blueprint, Response

from service.api.endpoint import Endpoint
from service.api.request_headers import idempotency_key
from service.api.requests import read_body
from service.api.responses import json_response
from service.api.schemas import bodies
from service.api.schemas.replays import load_replay
from service.api.serializers import judgement_json, position_json
from service.api.services import services
from service.games import find_variant
from service.games.base import reachable_position
from service.games.piles import PileCards
from service.play.referee import judge, played_out

referee = Blueprint("referee", __name__, url_prefix="/v1/referee")

_referee = Endpoint(limits=("referee",))


@referee.post("/verify")
@_referee
def verify() -> Response:
    """Whether a replay is correct, its final status, and its first error."""
    given = read_body(bodies.REPLAY)
    idempotency_key()
    return json_response(judgement_json(services().pool.search(judge, load_replay(given))))


@referee.post("/positions")
@_referee
def positions() -> Response:
    """The legal moves of a position, optionally after some moves."""
    given = read_body(bodies.POSITION)
    idempotency_key()
    piles = [PileCards(p["id"], tuple(p["under"]), tuple(p["cards"])) for p in given["piles"]]
    position = reachable_position(find_variant(given["variant"]), piles)
    return json_response(
        position_json(*services().pool.search(played_out, position, given["moves"]))
    )

"""The referee over HTTP: replays and positions are judged as they are sent, and nothing is kept."""

from flask import Blueprint, Response

from service.api import requests
from service.api.rate_limits import rate_limited
from service.api.schemas import bodies
from service.api.schemas.replays import load_replay
from service.api.serializers import answer, position_json, ruling_json
from service.api.services import pool
from service.games import find_variant
from service.games.piles import PileCards
from service.play.referee import judge, played_out, reachable_position

referee = Blueprint("referee", __name__, url_prefix="/v1/referee")


@referee.post("/verify")
@rate_limited("referee")
def verify() -> Response:
    """Whether a replay is right, how it ended, and where it is wrong first."""
    given = requests.read_body(bodies.REPLAY)
    requests.idempotency_key()
    return answer(ruling_json(pool().search(judge, load_replay(given))))


@referee.post("/positions")
@rate_limited("referee")
def positions() -> Response:
    """What is legal in a position, after moves or as it stands."""
    given = requests.read_body(bodies.POSITION)
    requests.idempotency_key()
    piles = [PileCards(p["id"], tuple(p["under"]), tuple(p["cards"])) for p in given["piles"]]
    position = reachable_position(find_variant(given["variant"]), piles)
    return answer(position_json(*pool().search(played_out, position, given["moves"])))

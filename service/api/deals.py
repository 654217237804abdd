"""Numbered deals over HTTP: the catalogue, and what is true of one deal."""

from itertools import islice

from flask import Blueprint, Response, g

from service.api import schemas
from service.api.answers import answer, known_deal_json
from service.api.reading import takes_query
from service.catalogue import catalogue
from service.games import variant
from service.solvers.verdict import Word
from service.truth import deal_called, truth_about

deals = Blueprint("deals", __name__, url_prefix="/v1/deals")

_A_DAY = "public, max-age=86400"


@deals.get("")
@takes_query(schemas.DEALS_QUERY)
def index() -> Response:
    """The catalogue of a variant, a page at a time."""
    game, after, limit = variant(g.query["variant"]), g.query.get("cursor", 0), g.query["limit"]
    verdict: Word | None = "winnable" if "solvable" in g.query else None
    entries = catalogue(game.name).entries(after, verdict, g.query.get("difficulty"))
    page = list(islice(entries, limit + 1))
    further = schemas.cursor("deals", page[limit - 1].number) if len(page) > limit else None
    items = [known_deal_json(game, entry) for entry in page[:limit]]
    return answer({"items": items, "next": further}, Cache_Control=_A_DAY)


@deals.get("/<deal_id>")
def read(deal_id: str) -> Response:
    """What is true of one numbered deal."""
    game, number = deal_called(deal_id)
    return answer(known_deal_json(game, truth_about(game, number)), Cache_Control=_A_DAY)

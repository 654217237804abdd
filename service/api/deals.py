"""Deals over HTTP: the catalogue of numbered ones, today's, and what is true of any one."""

from itertools import islice

from flask import Blueprint, Response, g

from service.api import schemas
from service.api.answers import Json, answer, daily_deal_json, known_deal_json
from service.api.reading import takes_query
from service.api.wired import play
from service.catalogue import catalogue
from service.daily import MARK
from service.deals import DailyDeal
from service.games import VARIANTS, variant
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


@deals.get("/daily")
def today() -> Response:
    """The deals of the day, one a variant."""
    calendar = play().calendar
    day = calendar.today
    items = [_daily(calendar.deal(game, day)) for game in VARIANTS.values()]
    return answer({"day": str(day), "items": items})


@deals.get("/<deal_id>")
def read(deal_id: str) -> Response:
    """What may be known of one deal."""
    if MARK in deal_id:
        return answer(_daily(play().calendar.called(deal_id)))
    game, number = deal_called(deal_id)
    return answer(known_deal_json(game, truth_about(game, number)), Cache_Control=_A_DAY)


def _daily(deal: DailyDeal) -> Json:
    return daily_deal_json(deal, play().calendar.is_closed(deal))

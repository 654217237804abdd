"""Deals over HTTP: the catalogue of numbered ones, today's, and what is true of any one."""

from itertools import islice

from flask import Blueprint, Response, g

from service.api.rate_limits import rate_limited
from service.api.requests import query
from service.api.schemas import queries
from service.api.schemas.cursors import cursor
from service.api.serializers import Json, answer, daily_deal_json, known_deal_json, result_json
from service.api.services import play, pool
from service.deals.catalogue import catalogue
from service.deals.daily import DAILY_INFIX
from service.deals.deal import DailyDeal, PublicDeal
from service.games import VARIANTS, find_variant
from service.games.base import VerdictName
from service.play.deal_facts import known_deal, parse_deal_id

deals = Blueprint("deals", __name__, url_prefix="/v1/deals")

_A_DAY = "public, max-age=86400"


@deals.get("")
@query(queries.DEALS)
def index() -> Response:
    """The catalogue of a variant, a page at a time."""
    game, limit = find_variant(g.query["variant"]), g.query["limit"]
    after = int(g.query["cursor"].in_list(game.name)) if "cursor" in g.query else 0
    verdict: VerdictName | None = "winnable" if "solvable" in g.query else None
    entries = catalogue(game.name).entries(after, verdict, g.query.get("difficulty"))
    page = list(islice(entries, limit + 1))
    more = len(page) > limit
    further = cursor("deals", game.name, page[limit - 1].number) if more else None
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
@rate_limited("referee")
def read(deal_id: str) -> Response:
    """What may be known of one deal."""
    deal = parse_deal(deal_id)
    if isinstance(deal, DailyDeal):
        return answer(_daily(deal))
    known = known_deal_json(deal.variant, known_deal(deal.variant, deal.number, pool()))
    return answer(known, Cache_Control=_A_DAY)


@deals.get("/<deal_id>/results")
@query(queries.RESULTS)
def results(deal_id: str) -> Response:
    """What games of one deal came to, best first, a page at a time."""
    deal, limit = parse_deal(deal_id), g.query["limit"]
    after = g.query["cursor"].in_list(deal.id) if "cursor" in g.query else ""
    found = [result for result in play().results(deal) if result.sort_key > after]
    further = cursor("results", deal.id, found[limit - 1].sort_key) if found[limit:] else None
    return answer({"items": [result_json(result) for result in found[:limit]], "next": further})


def parse_deal(deal_id: str) -> PublicDeal | DailyDeal:
    """The deal with this id; `DealNotFoundError` if there is none that can be looked up."""
    if DAILY_INFIX in deal_id:
        return play().calendar.parse_deal_id(deal_id)
    return PublicDeal(*parse_deal_id(deal_id))


def _daily(deal: DailyDeal) -> Json:
    return daily_deal_json(deal, play().calendar.is_closed(deal))

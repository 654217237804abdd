"""Deals over HTTP: the catalogue of numbered deals, the daily deals, and the results of each."""

from itertools import islice

from flask import Blueprint, Response, g

from service.api.endpoint import Endpoint
from service.api.responses import Json, json_response
from service.api.schemas import queries
from service.api.schemas.cursors import cursor
from service.api.serializers import daily_deal_json, known_deal_json, result_json
from service.api.services import services
from service.deals.catalogue import catalogue
from service.deals.daily import DAILY_INFIX
from service.deals.deal import DailyDeal, PublicDeal
from service.games import VARIANTS, find_variant
from service.games.base import VerdictName
from service.play.deal_facts import known_deal, parse_deal_id

deals = Blueprint("deals", __name__, url_prefix="/v1/deals")

_CACHED_FOR_A_DAY = "public, max-age=86400"


@deals.get("")
@Endpoint(query=queries.DEALS)
def index() -> Response:
    """The catalogue of a variant, page by page."""
    game, limit = find_variant(g.query["variant"]), g.query["limit"]
    after = int(g.query["cursor"].in_list(game.name)) if "cursor" in g.query else 0
    verdict: VerdictName | None = "winnable" if "solvable" in g.query else None
    entries = catalogue(game.name).entries(after, verdict, g.query.get("difficulty"))
    page = list(islice(entries, limit + 1))
    more = len(page) > limit
    next_cursor = cursor("deals", game.name, page[limit - 1].number) if more else None
    items = [known_deal_json(game, entry) for entry in page[:limit]]
    return json_response({"items": items, "next": next_cursor}, Cache_Control=_CACHED_FOR_A_DAY)


@deals.get("/daily")
def today() -> Response:
    """Today's deals, one for each variant."""
    calendar = services().play.calendar
    day = calendar.today
    items = [_daily(calendar.deal(game, day)) for game in VARIANTS.values()]
    return json_response({"day": str(day), "items": items})


@deals.get("/<deal_id>")
@Endpoint(limits=("referee",))
def read(deal_id: str) -> Response:
    """Everything public about one deal."""
    deal = parse_deal(deal_id)
    if isinstance(deal, DailyDeal):
        return json_response(_daily(deal))
    known = known_deal_json(deal.variant, known_deal(deal.variant, deal.number, services().pool))
    return json_response(known, Cache_Control=_CACHED_FOR_A_DAY)


@deals.get("/<deal_id>/results")
@Endpoint(query=queries.RESULTS)
def results(deal_id: str) -> Response:
    """The results of one deal's finished games, best first, page by page."""
    deal, limit = parse_deal(deal_id), g.query["limit"]
    after = g.query["cursor"].in_list(deal.id) if "cursor" in g.query else ""
    found = services().play.results(deal, after, limit + 1)
    next_cursor = cursor("results", deal.id, found[limit - 1].sort_key) if found[limit:] else None
    now = services().play.calendar.now()
    items = [result_json(result, now) for result in found[:limit]]
    return json_response({"items": items, "next": next_cursor})


def parse_deal(deal_id: str) -> PublicDeal | DailyDeal:
    """The deal with this id; `DealNotFoundError` unless it is a numbered or a daily deal."""
    if DAILY_INFIX in deal_id:
        return services().play.calendar.parse_deal_id(deal_id)
    return PublicDeal(*parse_deal_id(deal_id))


def _daily(deal: DailyDeal) -> Json:
    return daily_deal_json(deal, services().play.calendar.is_closed(deal))

"""Deals over HTTP: numbered and daily ones, the results of each, and commitments to sealed ones."""

from functools import partial
from itertools import islice

from flask import Blueprint, Response, g

from service.api.endpoint import Endpoint
from service.api.request_headers import idempotency_key
from service.api.requests import read_body
from service.api.responses import Json, json_response, mark_replayed
from service.api.schemas import bodies, queries
from service.api.schemas.cursors import page_of, start_of
from service.api.serializers import (
    commitment_json,
    daily_deal_json,
    known_deal_json,
    result_json,
)
from service.api.services import services
from service.deals.catalogue import catalogue
from service.deals.deal import DailyDeal
from service.games import VARIANTS, find_variant
from service.games.base import VerdictName
from service.play.deal_facts import known_deal

deals = Blueprint("deals", __name__, url_prefix="/v1")

_CACHED_FOR_A_DAY = "public, max-age=86400"


@deals.get("/deals")
@Endpoint(query=queries.DEALS)
def index() -> Response:
    """The catalogue of a variant, page by page."""
    game, limit = find_variant(g.query["variant"]), g.query["limit"]
    verdict: VerdictName | None = "winnable" if "solvable" in g.query else None
    entries = catalogue(game.name).entries(
        int(start_of(g.query, game.name) or 0), verdict, g.query.get("difficulty")
    )
    found, to_json = list(islice(entries, limit + 1)), partial(known_deal_json, game)
    page = page_of(found, limit, "deals", game.name, to_json, lambda entry: entry.number)
    return json_response(page, Cache_Control=_CACHED_FOR_A_DAY)


@deals.get("/deals/daily")
def today() -> Response:
    """Today's deals, one for each variant."""
    calendar = services().play.calendar
    day = calendar.today
    items = [_daily(calendar.deal(game, day)) for game in VARIANTS.values()]
    return json_response({"day": str(day), "items": items})


@deals.get("/deals/<deal_id>")
@Endpoint(limits=("referee",))
def read(deal_id: str) -> Response:
    """Everything public about one deal."""
    deal = services().play.calendar.parse_deal_id(deal_id)
    if isinstance(deal, DailyDeal):
        return json_response(_daily(deal))
    known = known_deal_json(deal.variant, known_deal(deal, services().pool))
    return json_response(known, Cache_Control=_CACHED_FOR_A_DAY)


@deals.get("/deals/<deal_id>/results")
@Endpoint(query=queries.RESULTS)
def results(deal_id: str) -> Response:
    """The results of one deal's finished games, best first, page by page."""
    deal, limit = services().play.calendar.parse_deal_id(deal_id), g.query["limit"]
    found = services().play.results(deal, start_of(g.query, deal.id) or "", limit + 1)
    to_json = partial(result_json, now=services().play.calendar.now())
    page = page_of(found, limit, "results", deal.id, to_json, lambda result: result.sort_key)
    return json_response(page)


@deals.post("/commitments")
@Endpoint(limits=("creation",))
def commit() -> Response:
    """Creates a server seed, and publishes its SHA-256; 201. A game of it is the second step."""
    read_body(bodies.COMMITMENT)
    commitment, replayed = services().creation.commit(idempotency_key())
    return mark_replayed(json_response(commitment_json(commitment), 201), replayed)


def _daily(deal: DailyDeal) -> Json:
    return daily_deal_json(deal, services().play.calendar.is_closed(deal))

"""Standings over HTTP: the statistics of begun games, and the leaderboards of owned labels."""

from flask import Blueprint, Response, g

from service.api.endpoint import Endpoint
from service.api.responses import Json, cacheable, json_bytes, json_response
from service.api.schemas import queries
from service.api.schemas.cursors import page_of, start_of
from service.api.serializers import place_json, statistics_json
from service.api.services import services
from service.games import VARIANTS, find_variant
from service.play.keys import fingerprint
from service.records.leaderboards import places_after
from service.records.results import of_games

standings = Blueprint("standings", __name__, url_prefix="/v1")


@standings.get("/stats")
@Endpoint(query=queries.STATS)
def stats() -> Response:
    """The requested statistics, one item for each variant."""
    if "deal" in g.query:
        return json_response({"items": [_of_deal(g.query["deal"])]})
    names = [g.query["variant"]] if "variant" in g.query else VARIANTS
    label = g.query.get("label")
    owned = None if label is None else services().creation.labels.is_owned(label)
    return json_response({"items": [_of_games(name, label, owned) for name in names]})


@standings.get("/leaderboards/<variant>")
@Endpoint(query=queries.LEADERBOARD)
def leaderboard(variant: str) -> Response:
    """The leaderboard of a variant, best first, page by page."""
    game, sort, limit = find_variant(variant), g.query["sort"], g.query["limit"]
    of = f"{game.name}/{sort}"
    places = services().play.standings.leaderboards.of(game.name)[sort]
    found = places_after(places, start_of(g.query, of) or "", limit + 1)
    page = page_of(found, limit, "leaderboard", of, place_json, lambda place: place.sort_key)
    body = {"variant": game.name, "sort": sort, **page}
    return cacheable(body, f'"{fingerprint(json_bytes(body))}"', 60)


def _of_deal(deal_id: str) -> Json:
    deal = services().play.calendar.parse_deal_id(deal_id)
    figures = services().play.figures_of_deal(deal)
    return statistics_json(deal.variant.name, None, None, deal.id, figures)


def _of_games(variant: str, label: str | None, owned: bool | None) -> Json:
    figures = services().play.standings.figures(of_games(variant, label))
    return statistics_json(variant, label, owned, None, figures)

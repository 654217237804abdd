"""Leaderboards over HTTP: the owned labels of a variant, ranked."""

from flask import Blueprint, Response, g

from service.api.endpoint import Endpoint
from service.api.request_headers import matches_if_none_match
from service.api.responses import json_bytes, json_response
from service.api.schemas import queries
from service.api.schemas.cursors import cursor
from service.api.serializers import place_json
from service.api.services import services
from service.games import find_variant
from service.play.keys import fingerprint
from service.records.leaderboards import places_after

leaderboards = Blueprint("leaderboards", __name__, url_prefix="/v1/leaderboards")

_CACHED_FOR_A_MINUTE = "public, max-age=60"


@leaderboards.get("/<variant>")
@Endpoint(query=queries.LEADERBOARD)
def read(variant: str) -> Response:
    """The leaderboard of a variant, best first, page by page."""
    game, sort, limit = find_variant(variant), g.query["sort"], g.query["limit"]
    of = f"{game.name}/{sort}"
    after = g.query["cursor"].in_list(of) if "cursor" in g.query else ""
    places = services().play.standings.leaderboards.of(game.name)[sort]
    found = places_after(places, after, limit + 1)
    next_cursor = None
    if len(found) > limit:
        next_cursor = cursor("leaderboard", of, found[limit - 1].sort_key)
    body = {
        "variant": game.name,
        "sort": sort,
        "items": [place_json(place) for place in found[:limit]],
        "next": next_cursor,
    }
    etag = f'"{fingerprint(json_bytes(body))}"'
    if matches_if_none_match(etag):
        headers = {"ETag": etag, "Cache-Control": _CACHED_FOR_A_MINUTE}
        return Response(status=304, headers=headers)
    return json_response(body, ETag=etag, Cache_Control=_CACHED_FOR_A_MINUTE)

"""Statistics over HTTP: the begun games of a variant, a label or a deal."""

from flask import Blueprint, Response, g

from service.api.deals import parse_deal
from service.api.endpoint import Endpoint
from service.api.responses import Json, json_response
from service.api.schemas import queries
from service.api.serializers import statistics_json
from service.api.services import services
from service.games import VARIANTS
from service.records.results import of_games

stats = Blueprint("stats", __name__, url_prefix="/v1/stats")


@stats.get("")
@Endpoint(query=queries.STATS)
def index() -> Response:
    """The requested statistics, one item for each variant."""
    if "deal" in g.query:
        return json_response({"items": [_of_deal(g.query["deal"])]})
    names = [g.query["variant"]] if "variant" in g.query else VARIANTS
    label = g.query.get("label")
    owned = None if label is None else services().creation.labels.is_owned(label)
    return json_response({"items": [_of_games(name, label, owned) for name in names]})


def _of_deal(deal_id: str) -> Json:
    deal = parse_deal(deal_id)
    figures = services().play.figures_of_deal(deal)
    return statistics_json(deal.variant.name, None, None, deal.id, figures)


def _of_games(variant: str, label: str | None, owned: bool | None) -> Json:
    figures = services().play.standings.figures(of_games(variant, label))
    return statistics_json(variant, label, owned, None, figures)

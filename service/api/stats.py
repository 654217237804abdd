"""Figures over HTTP: what games of a variant, a label or a deal came to, counted."""

from flask import Blueprint, Response, g

from service.api.deals import parse_deal
from service.api.requests import query
from service.api.schemas import queries
from service.api.serializers import Json, answer, figures_json
from service.api.services import play
from service.games import VARIANTS
from service.records.results import of_games

stats = Blueprint("stats", __name__, url_prefix="/v1/stats")


@stats.get("")
@query(queries.STATS)
def index() -> Response:
    """The figures that are asked for, one item a variant."""
    if "deal" in g.query:
        return answer({"items": [_of_deal(g.query["deal"])]})
    names = [g.query["variant"]] if "variant" in g.query else VARIANTS
    return answer({"items": [_of_games(name, g.query.get("label")) for name in names]})


def _of_deal(deal_id: str) -> Json:
    deal = parse_deal(deal_id)
    return figures_json(deal.variant.name, None, deal.id, play().figures_of_deal(deal))


def _of_games(variant: str, label: str | None) -> Json:
    figures = play().standings.figures(of_games(variant, label))
    return figures_json(variant, label, None, figures)

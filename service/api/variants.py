"""Variants over HTTP: layout and notation for clients, the table of actions for learners."""

from flask import Blueprint, Response

from service import __version__
from service.api.responses import Json, cacheable
from service.api.schemas.bodies import LONGEST_BATCH
from service.api.schemas.fields import LONGEST_LABEL
from service.games import VARIANTS, find_variant
from service.games.base import Variant
from service.games.cards import CARD_PATTERN as CARD
from service.games.moves import MOVE_PATTERN as MOVE
from service.games.moves import format_move
from service.games.piles import PILE_PATTERN as PILE
from service.play.keys import GAME_ID

variants = Blueprint("variants", __name__, url_prefix="/v1/variants")

_ETAG = f'"{__version__}"'
_AN_HOUR = 3600


@variants.get("")
def index() -> Response:
    """Every variant, in short."""
    return cacheable({"items": [_summary(game) for game in VARIANTS.values()]}, _ETAG, _AN_HOUR)


@variants.get("/<name>")
def read(name: str) -> Response:
    """One variant: rules, layout, notation, limits and the table of actions."""
    return cacheable(_in_full(find_variant(name)), _ETAG, _AN_HOUR)


def _summary(game: Variant) -> Json:
    return {
        "name": game.name,
        "title": game.title,
        "ruleset": game.ruleset,
        "url": f"/v1/variants/{game.name}",
    }


def _in_full(game: Variant) -> Json:
    return {
        **_summary(game),
        "rules": game.rules,
        "layout": [
            {"kind": group.kind, "label": group.label, "piles": group.ids}
            for group in game.layout.groups
        ],
        "notation": {"card": CARD, "move": MOVE, "pile": PILE, "game_id": GAME_ID},
        "limits": {"batch": LONGEST_BATCH, "label": LONGEST_LABEL},
        "actions": [format_move(move) for move in game.actions],
    }

"""Pages for people: the index, the contract, its reference, problems, rules, the deal verifier."""

from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import flask_swagger_ui
from flask import Blueprint, Response, request, send_from_directory

from service import __version__
from service.api.error_handlers import base_url
from service.api.html import markdown, page, refusal_codes, rules_html
from service.api.problems import BY_CODE, Problem
from service.api.request_headers import prefers, prefers_html
from service.api.responses import json_response
from service.errors import ProblemNotFoundError
from service.games import VARIANTS, find_variant
from service.games.cards import TWO_PACKS

pages = Blueprint("pages", __name__, template_folder="templates")
pages.add_app_template_filter(markdown)

_ASSETS = Path(flask_swagger_ui.__file__).parent / "dist"
_CACHED = "public, max-age=3600"


@cache
def contract() -> str:
    """The text of openapi.yaml, from the installed package or from the checkout."""
    package = files("service")
    for place in (package / "openapi.yaml", package / ".." / "openapi.yaml"):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise FileNotFoundError("openapi.yaml")


@pages.get("/")
def root() -> Response:
    """Links to everything."""
    if prefers_html():
        return page(
            "index.html", base_url=base_url(), games=[*VARIANTS.values()], version=__version__
        )
    body = {
        "service": "asterism",
        "version": __version__,
        "contract": "/openapi.yaml",
        "docs": "/docs",
        "problems": "/problems",
        "verify_deal": "/verify-deal",
        "play": "/play",
        "variants": "/v1/variants",
        "games": "/v1/games",
    }
    return json_response(body)


@pages.get("/openapi.yaml")
def openapi() -> Response:
    """The contract, as in the file; some programs read only what is called text."""
    as_text = prefers("text/plain", over="application/yaml")
    return Response(
        contract(),
        content_type="text/plain; charset=utf-8" if as_text else "application/yaml",
        headers={"Cache-Control": _CACHED, "Vary": "Accept"},
    )


@pages.get("/docs")
def docs() -> Response:
    """The interactive reference; all its assets come from this service."""
    sources = (
        "script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'"
    )
    return page("docs.html", sources=sources)


@pages.get("/docs/<asset>")
def docs_asset(asset: str) -> Response:
    """An asset of the reference, always complete."""
    for header in ("HTTP_RANGE", "HTTP_IF_MATCH"):
        request.environ.pop(header, None)
    return send_from_directory(_ASSETS, asset, max_age=3600)


@pages.get("/rules/<variant>")
def rules(variant: str) -> Response:
    """The rules of a variant, with an anchor for each rule and each code of a refusal."""
    game = find_variant(variant)
    return page("rules.html", game=game, rules=rules_html(game))


@pages.get("/problems")
def problems() -> Response:
    """A list of all problems."""
    if prefers_html():
        return page("problems.html", problems=BY_CODE.values())
    return json_response({"items": [_summary(problem) for problem in BY_CODE.values()]})


@pages.get("/problems/<code>")
def problem(code: str) -> Response:
    """One problem: what it means, and what to do."""
    if code not in BY_CODE:
        raise ProblemNotFoundError
    found = BY_CODE[code]
    if prefers("application/json", over="text/html"):
        return json_response({**_summary(found), "explanation": found.explanation})
    games = VARIANTS.values() if "rule" in found.members else ()
    return page("problem.html", problem=found, codes={game: refusal_codes(game) for game in games})


@pages.get("/verify-deal")
def verify_deal() -> Response:
    """A page that verifies a revealed deal in the browser, without a network."""
    games = {
        game.name: {
            "title": game.title,
            "across": len([kind for kind in game.layout.kinds if kind == "tableau"]),
            "set_aside": sorted((Counter(TWO_PACKS) - Counter(game.pack)).elements()),
        }
        for game in VARIANTS.values()
    }
    return page("verify_deal.html", games=games)


def _summary(problem: Problem) -> dict[str, str | int]:
    return {
        "code": problem.code,
        "status": problem.status,
        "title": problem.title,
        "type": f"{base_url()}/problems/{problem.code}",
    }

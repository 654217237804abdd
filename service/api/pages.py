"""Documentation pages: the index, the contract, its reference, the problems, the deal verifier."""

import re
from base64 import b64encode
from collections import Counter
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import flask_swagger_ui
from flask import Blueprint, Response, render_template, request, send_from_directory
from markupsafe import Markup, escape

from service import __version__
from service.api.error_handlers import base_url
from service.api.problems import BY_CODE, Problem
from service.api.responses import json_response
from service.errors import ProblemNotFoundError
from service.games import VARIANTS
from service.games.cards import TWO_PACKS

pages = Blueprint("pages", __name__, template_folder="templates")

_ASSETS = Path(flask_swagger_ui.__file__).parent / "dist"
_CACHED = "public, max-age=3600"

_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_SELF_CONTAINED = "script-src {scripts}; style-src 'unsafe-inline'"
"""What a page may load that contains everything it needs."""
_SCRIPT = re.compile(r"<script(?: type=\"module\")?>(.*?)</script>", re.DOTALL)


@pages.app_template_filter("prose")
def prose(text: str) -> Markup:
    """`text` as HTML; text between backticks becomes code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704


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
    """The contract, as in the file."""
    return Response(contract(), content_type="application/yaml", headers={"Cache-Control": _CACHED})


@pages.get("/docs")
def docs() -> Response:
    """The interactive reference; all its assets come from this service."""
    return _page(
        "docs.html",
        "script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'",
    )


@pages.get("/docs/<asset>")
def docs_asset(asset: str) -> Response:
    """An asset of the reference, always complete."""
    for header in ("HTTP_RANGE", "HTTP_IF_MATCH"):
        request.environ.pop(header, None)
    return send_from_directory(_ASSETS, asset, max_age=3600)


@pages.get("/problems")
def problems() -> Response:
    """A list of all problems."""
    if _prefers("text/html", "application/json"):
        return _page("problems.html", _SELF_CONTAINED, problems=BY_CODE.values())
    return json_response({"items": [_summary(problem) for problem in BY_CODE.values()]})


@pages.get("/problems/<code>")
def problem(code: str) -> Response:
    """One problem: what it means, and what to do."""
    if code not in BY_CODE:
        raise ProblemNotFoundError
    found = BY_CODE[code]
    if _prefers("application/json", "text/html"):
        return json_response({**_summary(found), "explanation": found.explanation})
    return _page("problem.html", _SELF_CONTAINED, problem=found)


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
    return _page("verify_deal.html", _SELF_CONTAINED, games=games)


def _summary(problem: Problem) -> dict[str, str | int]:
    return {
        "code": problem.code,
        "status": problem.status,
        "title": problem.title,
        "type": f"{base_url()}/problems/{problem.code}",
    }


def _prefers(one: str, other: str) -> bool:
    """Whether the client prefers `one` over `other`."""
    wanted = request.accept_mimetypes
    return wanted[one] > wanted[other]


def _page(template: str, sources: str, **values: object) -> Response:
    """An HTML page whose Content-Security-Policy allows `sources` and its own inline scripts."""
    text = render_template(template, **values)
    digests = (sha256(script.encode()).digest() for script in _SCRIPT.findall(text))
    scripts = " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests) or "'none'"
    response = Response(text, content_type="text/html; charset=utf-8")
    policy = f"{_POLICY}; {sources.format(scripts=scripts)}"
    response.headers["Content-Security-Policy"] = policy
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return response

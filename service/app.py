"""The application: `create_app` wires settings, store and resources together, and opens nothing."""

import re
import secrets

from flask import Flask, Response, current_app, g, request

from service.api import problems, reading
from service.api.games import games
from service.api.health import health
from service.api.pages import pages
from service.api.variants import variants
from service.config import Settings
from service.play import Play
from service.store import Store

EXPOSED = (
    "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Request-Id, Idempotency-Replayed"
)
_FOR_EVERY_ANSWER = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", EXPOSED),
    ("X-Content-Type-Options", "nosniff"),
)
_FOR_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match, "
    "Idempotency-Key, Request-Id",
    "Access-Control-Max-Age": "86400",
}
_WITHOUT_JSON = frozenset({"pages", None})


def create_app(settings: Settings, store: Store) -> Flask:
    """A Flask application that serves the games in `store`."""
    app = Flask("service", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=settings.body_limit, PUBLIC_URL=settings.public_url)
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False
    app.extensions["asterism"] = Play(store, settings.server_key, settings.game_ttl)
    for blueprint in (pages, health, variants, games):
        app.register_blueprint(blueprint)
    problems.register(app)
    app.before_request(_before)
    app.after_request(_after)
    return app


def _before() -> Response | None:
    """Names the request, answers preflights, and refuses what no view takes."""
    given = request.headers.get("Request-Id", "")
    g.request_id = given if re.fullmatch(reading.REQUEST_ID, given) else secrets.token_hex(8)
    if request.url_rule is None:
        return None
    if request.method == "OPTIONS":
        response = current_app.make_default_options_response()
        response.status_code = 204
        response.headers.update(_FOR_PREFLIGHT)
        return response
    if request.blueprint not in _WITHOUT_JSON:
        reading.require_acceptable()
    view = current_app.view_functions[request.url_rule.endpoint]
    reading.read_query(getattr(view, "query_schema", None))
    return None


def _after(response: Response) -> Response:
    """What every answer carries, errors included."""
    headers = response.headers
    headers.extend(_FOR_EVERY_ANSWER)
    headers["Request-Id"] = g.request_id
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "no-store"
    return response

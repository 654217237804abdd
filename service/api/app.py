"""The Flask application: `create_app` connects settings, store and views; it opens nothing."""

from collections.abc import Callable
from typing import Any

from flask import Flask, Request, Response, g, request
from werkzeug.exceptions import NotFound
from werkzeug.routing import MapAdapter

from service.api import error_handlers, rate_limits
from service.api.client_address import TrustedProxies
from service.api.deals import deals
from service.api.endpoint import endpoint_of
from service.api.events import events
from service.api.games import games
from service.api.headers import PREFLIGHT, with_standard_headers
from service.api.health import health
from service.api.pages import pages
from service.api.play_page import play_page
from service.api.rate_limits import RateLimits
from service.api.referee import referee
from service.api.request_headers import accepted_media_type
from service.api.requests import read_query
from service.api.services import Services, services
from service.api.standings import standings
from service.api.variants import variants
from service.config import Settings
from service.play.compute_pool import ComputePool
from service.play.creation import Creation
from service.play.gameplay import Gameplay
from service.play.watching import WatchHub
from service.store import Store

_PAGES = ("pages", "play_page")
"""Blueprints that choose between media types themselves."""


class Api(Flask):
    """Flask with one check before every view, instead of its lists of hooks.

    It leaves out what takes time at every request and is not used here: hooks, sessions, coroutines
    and routes that depend on the host, which `with_standard_headers` has checked.
    """

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the view for the path of `request`."""
        if request is None:
            return None
        return self.url_map.bind(
            "localhost", subdomain="", default_method=request.method, path_info=request.path
        )

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """`func`, which is never a coroutine."""
        return func

    def process_response(self, response: Response) -> Response:
        """`response` as it is."""
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Nothing is left to close."""

    def preprocess_request(self) -> Response | None:
        """Answers CORS preflights; else checks rate limits, Accept header and query."""
        rule = request.url_rule
        if request.environ["PATH_INFO"].startswith("//"):  # werkzeug takes it for one slash
            raise NotFound
        if rule is None:
            return None
        if request.method == "OPTIONS":
            response = self.make_default_options_response()
            response.status_code = 204
            response.headers.update(PREFLIGHT)
            return response
        endpoint = endpoint_of(self.view_functions[rule.endpoint])
        rate_limits.enforce(services().limits, endpoint.limits)
        if rule.endpoint.partition(".")[0] not in _PAGES:
            g.media_type = accepted_media_type(endpoint.produces)
        read_query(endpoint.query)
        return None


def create_app(
    settings: Settings,
    store: Store,
    watch: WatchHub,
    pool: ComputePool,
    is_leaving: Callable[[], bool] = lambda: False,
) -> Flask:
    """A Flask application that serves the games in `store`, and their events through `watch`.

    Long computations run in `pool`; `is_leaving` says whether the instance is shutting down.
    """
    app = Api("service", static_folder=None)
    app.config.update(
        # One byte more than allowed: werkzeug silently truncates a chunked body at its limit, so
        # that `requests.read_body` refuses what is longer than BODY_LIMIT.
        MAX_CONTENT_LENGTH=settings.body_limit + 1,
        BODY_LIMIT=settings.body_limit,
        PUBLIC_URL=settings.public_url,
    )
    app.url_map.merge_slashes = False
    play = Gameplay(store, settings.server_key, settings.game_ttl, pool)
    creation = Creation(store, settings.server_key, play.calendar, play.standings, pool)
    limits = RateLimits(settings.limits)
    app.extensions["asterism"] = Services(play, creation, pool, watch, limits, is_leaving)
    for blueprint in (
        *(pages, play_page, health, variants, deals),
        *(games, events, referee, standings),
    ):
        app.register_blueprint(blueprint)
    error_handlers.register(app)
    if settings.proxies:
        app.wsgi_app = TrustedProxies(app.wsgi_app, settings.proxies)  # type: ignore[method-assign]
    app.wsgi_app = with_standard_headers(app.wsgi_app, settings.public_url)  # type: ignore[method-assign, assignment]
    return app

"""Builds the WSGI application of one worker process from its settings."""

import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from flask import Flask
from gevent.threadpool import ThreadPool

from service.api.app import create_app
from service.config import Settings
from service.play.compute_pool import ComputePool, Run
from service.play.watching import WatchHub
from service.server.draining import is_leaving
from service.store.pubsub import redis_change_feed
from service.store.redis import redis_store
from service.telemetry.setup import instrument_app

P = ParamSpec("P")
T = TypeVar("T")

_SWITCH_SECONDS = 0.001
"""How long a computing thread may hold the interpreter, so that moves do not wait for hints."""


_REPLAY_THREADS = 2
"""Threads that replay lines of play and count results; more only compete for the interpreter."""


def build_application(settings: Settings) -> Flask:
    """The application. Call it after the fork, when gevent has patched the standard library.

    Opens no connection yet. Raises `SettingsError`.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    store = redis_store(settings.redis_url, settings.game_ttl, settings.replicas)
    watch = WatchHub(store, redis_change_feed(settings.redis_url), settings.watcher_limits)
    searches = settings.searches
    pool = ComputePool(searches, in_threads(_REPLAY_THREADS), in_threads(searches))
    app = instrument_app(settings, create_app(settings, store, watch, pool, is_leaving))
    if settings.metrics is not None:
        from service.telemetry.exposition import with_metrics  # noqa: PLC0415 - seldom needed

        app.wsgi_app = with_metrics(app.wsgi_app, settings.metrics)  # type: ignore[method-assign, assignment]
    return app


def in_threads(count: int) -> Run:
    """Calls functions in up to `count` threads while the worker serves other connections.

    Only for pure functions: nothing that uses gevent, such as the store, requests or locks.
    """
    threads = ThreadPool(count)

    def run(compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = threads.apply(compute, args, kwargs)
        return result

    return run

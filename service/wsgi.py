"""The front door for WSGI servers: `gunicorn service.wsgi:app`, set up by the environment."""

import os
import sys

from service.app import create_app
from service.config import read_settings
from service.handover import handing_over
from service.observers import observed_app
from service.store.redis import redis_store
from service.tally import SHARED

# A thread that thinks lets others through five times as often: moves wait less for hints.
sys.setswitchinterval(0.001)

settings = read_settings(os.environ)
store = redis_store(settings.redis_url, settings.game_ttl, settings.replicas)
app = observed_app(settings, create_app(settings, store, tally=SHARED))
if settings.streams:
    app.wsgi_app = handing_over(app.wsgi_app, settings.streams)  # type: ignore[method-assign, assignment]

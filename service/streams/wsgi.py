"""The application of the process that tells events, set up by the environment."""

import os

from service.app import create_app
from service.config import read_settings
from service.observers import observed_app
from service.store.pubsub import redis_change_feed
from service.store.redis import redis_store
from service.watch import Watch

settings = read_settings(os.environ)
store = redis_store(settings.redis_url, settings.game_ttl)
watch = Watch(store, redis_change_feed(settings.redis_url), settings.room)
app = observed_app(settings, create_app(settings, store, watch))

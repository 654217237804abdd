"""Upkeep of a store: what is done to all that it keeps, beside the service or without it."""

import time
from collections.abc import Mapping

from service.config import data_folder, game_ttl, redis_url, secret
from service.embedded import EmbeddedStore
from service.standings import Standings, Swept
from service.store.redis import redis_store


def sweep(environ: Mapping[str, str]) -> Swept:
    """Sweeps the store in `environ`, or else the service's own, started for as long as it takes.

    Raises `SettingsError`, in the second case also while the service is running.
    """
    ttl = game_ttl(environ)
    if secret(environ, "REDIS_URL"):
        return _swept(redis_url(environ), ttl)
    own = EmbeddedStore(data_folder(environ))
    own.start()
    try:
        return _swept(own.url, ttl)
    finally:
        own.stop()


def _swept(url: str, ttl: int) -> Swept:
    return Standings(redis_store(url, ttl), lambda: int(time.time() * 1000)).sweep()

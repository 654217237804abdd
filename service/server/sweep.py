"""Enters the results of all ended games again, beside a running service or without one."""

import time
from contextlib import ExitStack

from service.config import data_folder, is_set, read_settings
from service.play.standings import Standings, SweepReport
from service.server.embedded_store import EmbeddedStore
from service.store.redis import redis_store

_NO_KEY = "a sweep makes no token: any key will do"


def sweep() -> SweepReport:
    """Sweeps the store that the environment names, or else the embedded one, started for it.

    Raises `SettingsError`, in the second case also while the service is running.
    """
    with ExitStack() as at_exit:
        own = None if is_set("REDIS_URL") else EmbeddedStore(data_folder())
        if own is not None:
            at_exit.callback(own.stop)
        settings = read_settings(redis_url=own.url if own else "", server_key=_NO_KEY)
        if own is not None:
            own.start()
        store = redis_store(settings.redis_url, settings.game_ttl)
        return Standings(store, lambda: int(time.time() * 1000)).sweep()

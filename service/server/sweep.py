"""`asterism sweep`: records the results of all begun games again."""

import time
from contextlib import ExitStack

from service.config import data_folder, is_set, read_settings
from service.play.standings import Standings, SweepReport
from service.server.embedded_store import EmbeddedStore
from service.store.redis import redis_store

_ANY_KEY = "a sweep makes no tokens: any key will do"


def sweep() -> SweepReport:
    """Sweeps the store in the environment, or else the embedded one, which it starts and stops.

    Raises `SettingsError`; with the embedded store also while the service is running.
    """
    with ExitStack() as at_exit:
        embedded = None if is_set("REDIS_URL") else EmbeddedStore(data_folder())
        if embedded is not None:
            at_exit.callback(embedded.stop)
        settings = read_settings(redis_url=embedded.url if embedded else "", server_key=_ANY_KEY)
        if embedded is not None:
            embedded.start()
        store = redis_store(settings.redis_url, settings.game_ttl)
        return Standings(store, settings.game_ttl, lambda: int(time.time() * 1000)).sweep()

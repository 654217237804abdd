"""`asterism sweep`: records the results of all ended games again."""

import time
from collections.abc import Callable
from contextlib import ExitStack

from service.config import read_settings
from service.play.standings import Standings, SweepReport
from service.server.embedded_store import EMBEDDED, with_store
from service.server.store_checks import check_server
from service.store.diagnostics import diagnose
from service.store.redis import redis_store

_ANY_KEY = "a sweep makes no tokens: any key will do"


def sweep(warn: Callable[[str], None]) -> SweepReport:
    """Sweeps the store in the environment, or else the embedded one, which it starts and stops.

    Calls `warn` with each reason for which the store may lose games or refuse writes. Raises
    `SettingsError`; with the embedded store also while the service is running.
    """
    with ExitStack() as at_exit:
        settings = read_settings(redis_url=EMBEDDED, server_key=_ANY_KEY)
        settings = with_store(settings, at_exit)
        for server in diagnose(settings.redis_url, settings.replicas):
            for finding in check_server(server, settings.replicas):
                if finding.level == "fail":
                    warn(f"{finding.text} {finding.remedy}")
        store = redis_store(settings.redis_url, settings.game_ttl)
        return Standings(store, lambda: int(time.time() * 1000)).sweep()

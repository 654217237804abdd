"""News of games, as the store rings it out: which have changed, not how."""

import logging
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from redis.client import PubSub
from redis.exceptions import ConnectionError, RedisError

from service.store.address import read_address
from service.store.base import News
from service.store.connection import pool
from service.store.wire import servers_at

QUIET = 10.0
"""Seconds after which a subscription that hears nothing asks whether it is still there."""

_log = logging.getLogger("asterism")

_CHANNELS = "ast:{*}:events"
_CHANNEL = re.compile(rb"ast:\{(.+)\}:events")


def redis_news(url: str) -> News:
    """News from the store at `url`: one connection, however many games there are.

    Any server of a cluster tells what all of them ring out.
    """
    servers = servers_at(read_address(url))

    @contextmanager
    def subscribed() -> Iterator[PubSub]:
        server = servers.of(())
        try:
            with PubSub(pool(server, servers.login, 1.0)) as subscription:
                yield subscription
        except RedisError:
            servers.failed(server)
            raise

    return lambda: listen(subscribed)


def listen(subscribe: Callable[[], AbstractContextManager[PubSub]]) -> Iterator[str | None]:
    """News over subscriptions that `subscribe` makes, a new one whenever one is lost.

    Why there is none is logged, once for each reason that follows on another.
    """
    said = ""
    while True:
        try:
            with subscribe() as subscription:
                subscription.psubscribe(_CHANNELS)
                yield from _heard(subscription)
        except RedisError as error:
            if str(error) != said:
                said = str(error)
                _log.error("News of games are not heard: %s. They are asked for again.", said)
            time.sleep(random.uniform(0.2, 0.6))  # noqa: S311 - spreads retries


def _heard(subscription: PubSub) -> Iterator[str | None]:
    """News until the subscription is lost: `ConnectionError` if not even a ping is answered."""
    asked = False
    while True:
        message = subscription.get_message(timeout=QUIET)
        if message is None:
            if asked:
                raise ConnectionError("no answer to a ping")
            asked = True
            subscription.ping()
            continue
        asked = False
        channel = _CHANNEL.fullmatch(message["channel"] or b"")
        yield channel[1].decode() if message["type"] == "pmessage" and channel else None

"""The change feed: the ids of games that have changed or gone, by Redis pub/sub."""

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from redis.client import PubSub
from redis.exceptions import ConnectionError, RedisError

from service.store.base import ChangeFeed
from service.store.clients import open_nodes
from service.store.keys import CHANNELS, changed_game
from service.store.retry import reason

PING_AFTER = 10.0
"""Seconds of silence after which a subscription is pinged."""

_TIMEOUT = 1.0

_log = logging.getLogger("asterism")


def redis_change_feed(url: str) -> ChangeFeed:
    """The changes in the store at `url`: one connection, however many games there are.

    Any server of a cluster passes on what is published on all of them.
    """
    nodes = open_nodes(url, _TIMEOUT)

    @contextmanager
    def subscription() -> Iterator[PubSub]:
        node = random.choice(nodes.masters())  # noqa: S311 - spreads subscriptions
        try:
            with node.pubsub() as pubsub:
                yield pubsub
        except RedisError:
            with suppress(RedisError):
                nodes.refresh(node)
            raise

    return lambda: listen(subscription)


def listen(subscribe: Callable[[], AbstractContextManager[PubSub]]) -> Iterator[str | None]:
    """Changes by subscriptions that `subscribe` makes, a new one whenever one is lost.

    The reason for a loss is logged, but not again while it stays the same.
    """
    logged = ""
    while True:
        try:
            with subscribe() as pubsub:
                pubsub.psubscribe(CHANNELS)
                yield from _changes(pubsub)
        except RedisError as error:
            if (why := reason(error)) != logged:
                logged = why
                _log.error("Change feed lost: the store %s. Reconnecting.", why)
            time.sleep(random.uniform(0.2, 0.6))  # noqa: S311 - spreads retries


def _changes(pubsub: PubSub) -> Iterator[str | None]:
    """Changes until the subscription is lost: `ConnectionError` if not even a ping is answered."""
    pinged = False
    while True:
        message = pubsub.get_message(timeout=PING_AFTER)
        if message is not None:
            pinged = False
            is_change = message["type"] == "pmessage"
            yield changed_game(message["channel"] or b"") if is_change else None
        elif pinged:
            raise ConnectionError("no answer to a ping")
        else:
            pinged = True
            pubsub.ping()

"""News of games, as the store rings it out: which have changed, not how."""

import random
import re
import time
from collections.abc import Callable, Iterator

from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import ConnectionError, RedisError
from redis.retry import Retry

from service.store.base import News

QUIET = 10.0
"""Seconds after which a subscription that hears nothing asks whether it is still there."""

_CHANNELS = "ast:{*}:events"
_CHANNEL = re.compile(rb"ast:\{(.+)\}:events")


def redis_news(url: str) -> News:
    """News from the server at `url`: one connection, however many games there are."""
    client = Redis.from_url(url, socket_connect_timeout=1.0, retry=Retry(NoBackoff(), 0))
    return lambda: listen(client.pubsub)


def listen(subscribe: Callable[[], PubSub]) -> Iterator[str | None]:
    """News over subscriptions that `subscribe` makes, a new one whenever one is lost."""
    while True:
        try:
            with subscribe() as subscription:
                subscription.psubscribe(_CHANNELS)
                yield from _heard(subscription)
        except RedisError:
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

"""Follows the events of a game, over as many streams as that takes."""

from collections.abc import Callable

import httpx
import msgspec

from service.client.answers import decoded, lines
from service.client.calls import JSON_LINES, Item, Items, NextLine, Open, Opened, Pause, get
from service.client.models import Event
from service.client.retries import Attempts, Link, backoff

_EVENT = msgspec.json.Decoder(Event)


def follow(
    path: tuple[str, ...],
    after: int | None,
    headers: dict[str, str],
    link: Link,
    see: Callable[[Event], None],
) -> Items[Event]:
    """The events after a version, or from now on, to the end of the game; `see` hears them first.

    A stream that ends or breaks off is resumed after the last event; if the game was deleted
    meanwhile, that was the last one. Raises `ClientError` if there is no such game, or the service
    stays away.
    """
    attempts, heard = Attempts(link), False
    while True:
        resumed = {} if after is None else {"Last-Event-ID": str(after)}
        call = get(*path, read=lines, headers={"Accept": JSON_LINES, **headers, **resumed})
        got: Opened | httpx.RequestError = yield Open(call)
        if not isinstance(got, Opened):
            yield attempts.pause(got)
            continue
        link.reached = True
        if heard and got.response.status_code == httpx.codes.NOT_FOUND:
            return
        if not got.response.is_success:
            yield attempts.pause(got.response)
            continue
        lines(got.response)
        while isinstance(line := (yield NextLine(got.lines)), str):
            attempts.succeeded()
            if line:  # an empty one is a heartbeat
                event = decoded(_EVENT, line.encode(), got.response)
                after, heard = event.version, True
                see(event)
                yield Item(event)
                if event.is_last:
                    return
        yield Pause(backoff(0)) if line is None else attempts.pause(line)

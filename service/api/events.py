"""What happens in a game over HTTP, as it happens: Server-Sent Events, lines of JSON, long polls.

One log serves all three, and the same message looks the same in each. A message's id is the
version it tells of, so that whoever was cut off goes on where it was.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from flask import Blueprint, Response, g

from service.api import requests
from service.api.client_address import client_address
from service.api.rate_limits import rate_limited
from service.api.schemas import queries
from service.api.serializers import json_bytes, message_json
from service.api.services import play, watch
from service.play.watching import Watcher
from service.records.timeline import Message

events = Blueprint("events", __name__, url_prefix="/v1/games")

LONGEST_POLL = 25
LONGEST_STREAM = 600
"""Seconds after which an answer ends by itself, unless `wait` says another time."""

Written = Callable[[Message], bytes]


class Form(NamedTuple):
    """One way to tell messages: `body` writes what a watcher is told from a version on."""

    body: Callable[[Watcher, int | None, int, Written], Iterator[bytes]]
    seconds: int


def stream_events(
    watcher: Watcher, after: int | None, seconds: int, written: Written
) -> Iterator[bytes]:
    """Server-Sent Events (HTML, 9.2); a comment is the sign of life.

    How long a browser waits before it comes back is drawn by lot, so that a thousand that were
    cut off together do not come back together.
    """
    yield b"retry: %d\n\n" % random.randint(1000, 4000)  # noqa: S311 - spreads the return
    for messages in watcher.messages(after, seconds):
        yield (
            b"".join(b"id: %d\ndata: %b\n\n" % (m.version, written(m)) for m in messages)
            or b":\n\n"
        )


def stream_lines(
    watcher: Watcher, after: int | None, seconds: int, written: Written
) -> Iterator[bytes]:
    """A message a line; an empty line is the sign of life, and comes first of all."""
    yield b"\n"
    for messages in watcher.messages(after, seconds):
        yield b"".join(b"%b\n" % written(m) for m in messages) or b"\n"


def poll(watcher: Watcher, after: int | None, seconds: int, written: Written) -> Iterator[bytes]:
    """One JSON object with the first messages there are, or none; white space until then."""
    found: Sequence[Message] = ()
    for found in watcher.messages(after, seconds):
        if found:
            break
        yield b"\n"
    last = found[-1].version if found else after or 0
    yield b'{"items":[%b],"after":%d}' % (b",".join(map(written, found)), last)


FORMS = {
    "application/json": Form(poll, LONGEST_POLL),
    "application/x-ndjson": Form(stream_lines, LONGEST_STREAM),
    "text/event-stream": Form(stream_events, LONGEST_STREAM),
}
"""The forms by media type; the first is for those who do not say which they want."""


@events.get("/<game_id>/events")
@requests.query(queries.EVENTS)
@requests.produces(*FORMS)
@rate_limited("streams")
def follow(game_id: str) -> Response:
    """What has happened in the game and what happens next, to whoever may see the game."""
    form = FORMS[g.media_type]
    after = requests.last_event_id(g.query.get("after"))
    play().show(game_id, requests.play_token())
    watcher = watch().join(game_id, client_address())
    body = form.body(watcher, after, g.query.get("wait", form.seconds), _writer())
    response = Response(body, content_type=g.media_type)
    response.headers["X-Accel-Buffering"] = "no"  # or nginx would keep the messages for itself
    response.call_on_close(watcher.leave)
    return response


def _writer() -> Written:
    """Writes messages as JSON, outside of any request."""
    expires_at = play().expires_at
    return lambda message: _bytes(message, message.game and expires_at(message.game))


@lru_cache(maxsize=256)
def _bytes(message: Message, expires_at: int | None) -> bytes:
    """`message` as JSON; kept, since everybody who watches is told the same."""
    return json_bytes(message_json(message, expires_at))

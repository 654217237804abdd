"""The events of a game over HTTP: as Server-Sent Events, as JSON lines, or by long polling.

All three carry the same messages. The id of a message is the game's version, so that a client
that lost its connection resumes where it was.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from flask import Blueprint, Response, g

from service.api.client_address import client_address
from service.api.endpoint import Endpoint
from service.api.request_headers import last_event_id, play_token
from service.api.responses import json_bytes
from service.api.schemas import queries
from service.api.serializers import message_json
from service.api.services import services
from service.records.timeline import Message

events = Blueprint("events", __name__, url_prefix="/v1/games")

Batches = Iterator[tuple[Message, ...]]
"""Messages that come together; an empty batch is a heartbeat."""
Serialize = Callable[[Message], bytes]


def stream_events(batches: Batches, after: int | None, serialize: Serialize) -> Iterator[bytes]:
    """Server-Sent Events (HTML, 9.2); the heartbeat is a comment.

    The time until a browser reconnects is random, so that a thousand clients that were
    disconnected at once do not return at once.
    """
    yield b"retry: %d\n\n" % random.randint(1000, 4000)  # noqa: S311 - spreads reconnections
    for batch in batches:
        events = (b"id: %d\ndata: %b\n\n" % (m.version, serialize(m)) for m in batch)
        yield b"".join(events) or b":\n\n"


def stream_lines(batches: Batches, after: int | None, serialize: Serialize) -> Iterator[bytes]:
    """One message per line; the heartbeat is an empty line, and one is sent at once."""
    yield b"\n"
    for batch in batches:
        yield b"".join(b"%b\n" % serialize(m) for m in batch) or b"\n"


def poll(batches: Batches, after: int | None, serialize: Serialize) -> Iterator[bytes]:
    """One JSON object with the first messages, or with none; whitespace is the heartbeat."""
    found: Sequence[Message] = ()
    for found in batches:
        if found:
            break
        yield b"\n"
    last = found[-1].version if found else after or 0
    yield b'{"items":[%b],"after":%d}' % (b",".join(map(serialize, found)), last)


FORMS = {
    "application/json": (poll, 25),
    "application/x-ndjson": (stream_lines, 600),
    "text/event-stream": (stream_events, 600),
}
"""The form of each media type, and the seconds after which a response ends unless `wait` is given;
the first is the default."""


@events.get("/<game_id>/events")
@Endpoint(limits=("streams",), query=queries.EVENTS, produces=tuple(FORMS))
def follow(game_id: str) -> Response:
    """Past and future events of the game, for clients that may read it."""
    form, seconds = FORMS[g.media_type]
    after, seconds = last_event_id(g.query.get("after")), g.query.get("wait", seconds)
    services().play.show(game_id, play_token())
    response = Response(content_type=g.media_type)
    response.headers["X-Accel-Buffering"] = "no"  # or nginx would buffer the messages
    serialize = _serializer()
    # Joins last: a failure after it would keep the watcher's slot.
    watcher = services().watch.join(game_id, client_address())
    response.call_on_close(watcher.leave)
    response.response = form(watcher.messages(after, seconds), after, serialize)
    return response


def _serializer() -> Serialize:
    """Serializes messages as JSON; usable outside of a request."""
    expires_at = services().play.expires_at
    return lambda message: _bytes(message, message.game and expires_at(message.game))


@lru_cache(maxsize=256)
def _bytes(message: Message, expires_at: int | None) -> bytes:
    """`message` as JSON; cached, since all watchers receive the same."""
    return json_bytes(message_json(message, expires_at))

"""Messages about a game, read from each of the three forms they come in."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tests.contract.contract import Contract

FORMS = ("application/json", "application/x-ndjson", "text/event-stream")
EVENT = {"$ref": "#/components/schemas/Event"}


def messages(contract: Contract, media_type: str, body: bytes) -> list[Any]:
    """The messages of an answer that has ended, each held against the contract."""
    if media_type == "application/json":
        return json.loads(body)["items"]
    lines = body.decode().split("\n")
    read = of_events if media_type == "text/event-stream" else of_lines
    found = [message for message in read(lines) if message is not None]
    for message in found:
        contract.check_value("a message", media_type, EVENT, message)
    return found


def of_lines(lines: Iterable[str]) -> Iterator[Any]:
    """The messages of lines of JSON; None for a sign of life."""
    for line in lines:
        yield json.loads(line) if line else None


def of_events(lines: Iterable[str]) -> Iterator[Any]:
    """The messages of Server-Sent Events, read as HTML 9.2.6 says; None for a sign of life.

    Each comes with an id that is its version, or the stream is not as promised.
    """
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if line == "" and "data" in fields:
            message = json.loads(fields["data"])
            assert fields.keys() == {"id", "data"}
            assert fields["id"] == str(message["version"])
            yield message
        elif line and not name:
            yield None
        elif line and colon:
            fields[name] = value.removeprefix(" ")
            if name == "retry":
                assert int(fields.pop("retry")) > 0
        if line == "":
            fields = {}

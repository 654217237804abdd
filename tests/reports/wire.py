"""Cases of HTTP itself: what goes over a socket, and the statuses that come back."""

import gzip
import re
import socket
from contextlib import suppress
from functools import partial

from tests.reports.site import CASES, Case, Site, case

CLOSE = b"Connection: close"
JSON = b"Content-Type: application/json"
EXPECT = b"Expect: 100-continue"
SCRIPT = b"SCRIPT_NAME: /foo"
H2C = b"Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk"
CODED = b"Transfer-Encoding: gzip, chunked"
BODY = b'{"variant": "astrocyte"}'
LONG = 5_000_000


def get(path: bytes, *headers: bytes, method: bytes = b"GET") -> bytes:
    """A request without a body; `ID` in its path stands for that of a game."""
    return b"\r\n".join([method + b" " + path + b" HTTP/1.1", b"Host: x", *headers, b"", b""])


def post(*headers: bytes, length: int = len(BODY)) -> bytes:
    """The head of a creation; with a transfer coding if there is no length."""
    framing = b"Content-Length: %d" % length if length else CODED
    return get(b"/v1/games", JSON, framing, *headers, method=b"POST")


def chunk(body: bytes) -> bytes:
    """A body in one chunk."""
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


def events(*headers: bytes, method: bytes = b"GET") -> bytes:
    """A stream of one second."""
    return get(b"/v1/games/ID/events?wait=1", *headers, method=method)


SENT = {
    ("N3", "a body sent after 100 Continue, and one declared too long", "100 201, 413"): [
        [post(EXPECT, CLOSE), BODY],
        [post(EXPECT, CLOSE, length=LONG)],
    ],
    ("N17", "SCRIPT_NAME as a header, for a path and for it under /foo", "200, 404"): [
        [get(b"/v1/variants", SCRIPT, CLOSE)],
        [get(b"/foo/v1/variants", SCRIPT, CLOSE)],
    ],
    ("N18", "two slashes before variants, a game and its events", "404, 404, 404"): [
        [get(b"/" + path, CLOSE)]
        for path in (b"/v1/variants", b"/v1/games/ID", b"/v1/games/ID/events?wait=1")
    ],
    ("N21", "three bodies of 5 MB, sent before listening", "413, 413, 413"): [
        [post(CLOSE, length=LONG) + b" " * LONG] for _ in range(3)
    ],
    ("N23", "HTTP/1.1 without Host", "400"): [
        [get(b"/v1/variants", CLOSE).replace(b"Host: x\r\n", b"")]
    ],
    ("N25", "a body in gzip and chunks, and one that only says so", "400, 400"): [
        [post(CLOSE, length=0) + chunk(body)] for body in (gzip.compress(BODY), BODY)
    ],
    ("N36", "HEAD of a stream", "200"): [[events(CLOSE, method=b"HEAD")]],
    ("N37", "an upgrade to h2c with a POST and with a stream", "201, 200"): [
        [post(H2C) + BODY],
        [events(H2C)],
    ],
    ("N39", "CRLF after the body of a POST, then a GET", "201 200"): [
        [post() + BODY + b"\r\n" + get(b"/livez", CLOSE)]
    ],
}
"""Id, what is tried and the statuses expected: the exchanges, each a list of parts to send."""


def exchange(port: int, parts: list[bytes]) -> str:
    """The statuses that come back, interim ones too, when each part waits for word of the last."""
    told = b""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as wire, suppress(OSError):
        for number, part in enumerate(parts):
            told += wire.recv(65_536) if number else b""
            wire.sendall(part)
        while more := wire.recv(65_536):
            told += more
    return b" ".join(re.findall(rb"HTTP/1\.1 (\d{3})", told)).decode() or "no answer"


def act(exchanges: list[list[bytes]], site: Site) -> str:
    """Sends the exchanges, about a new game."""
    with site.api() as api:
        id = api.new_game("astrocyte").game["id"].encode()
    named = [[part.replace(b"ID", id) for part in parts] for parts in exchanges]
    return ", ".join(exchange(site.service.port, parts) for parts in named)


CASES += [Case(*words, partial(act, exchanges)) for words, exchanges in SENT.items()]


@case("N16", "a preflight that asks for the headers of traces", "all allowed")
def trace_headers(site):
    wanted = {"traceparent", "tracestate", "baggage"}
    asked = {"Access-Control-Request-Method": "POST", "Origin": "https://play.example"}
    with site.api() as api:
        answer = api.request("OPTIONS", "/v1/games", **asked)
    missing = wanted - set(answer.headers["Access-Control-Allow-Headers"].lower().split(", "))
    return f"without {', '.join(sorted(missing))}" if missing else "all allowed"
